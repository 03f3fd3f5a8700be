import { X } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/field";
import { useCities } from "./queries";

/** Several cities: the browser offers names while one is typed, and any other name counts as well. */
export function CitiesField(props: {
  cities: string[];
  error: string | undefined;
  onChange: (cities: string[]) => void;
}) {
  const { t } = useTranslation("accounts");
  const list = useId();
  const [typed, setTyped] = useState("");
  const { data: suggested = [] } = useCities(useDeferredValue(typed.trim()));
  const add = (text: string) => {
    const city = text.trim().replace(/\s+/g, " ");
    if (city && !props.cities.includes(city)) props.onChange([...props.cities, city]);
    setTyped("");
  };
  return (
    <div className="cities">
      <Field label={t("cities")} hint={t("citiesHelp")} error={props.error}>
        {(control) => (
          <input
            {...control}
            list={list}
            autoComplete="off"
            enterKeyHint="done"
            value={typed}
            onChange={(event) => {
              // Picking from the list replaces the text at once; typing adds letter by letter.
              const { inputType } = event.nativeEvent as InputEvent;
              const picked = inputType === "insertReplacementText" && suggested.includes(event.target.value);
              if (picked) add(event.target.value);
              else setTyped(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !typed.trim()) return;
              event.preventDefault();
              add(typed);
            }}
            onBlur={() => add(typed)}
          />
        )}
      </Field>
      <datalist id={list}>
        {suggested.map((city) => (
          <option key={city} value={city} />
        ))}
      </datalist>
      {props.cities.length > 0 && (
        <ul className="cities-chosen" aria-label={t("cities")}>
          {props.cities.map((city) => (
            <li key={city}>
              {city}
              <button
                type="button"
                aria-label={t("removeCity", { city })}
                onClick={() => props.onChange(props.cities.filter((other) => other !== city))}
              >
                <X aria-hidden size={16} strokeWidth={2} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
