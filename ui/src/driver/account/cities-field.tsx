import { X } from "lucide-react";
import { useDeferredValue, useId } from "react";
import { useTranslation } from "../../i18n/translation";
import { Field } from "../../components/field";
import { useCities } from "./queries";

interface CitiesProps {
  cities: string[];
  /** What is typed and not added yet. It counts when the form is saved. */
  typed: string;
  error: string | undefined;
  onChange: (cities: string[]) => void;
  onType: (typed: string) => void;
}

/** The cities of a form, with the one that was typed last. */
export function withTyped(cities: string[], typed: string): string[] {
  const city = typed.trim().replace(/\s+/g, " ");
  return city && !cities.includes(city) ? [...cities, city] : cities;
}

/**
 * Several cities: the browser offers names while one is typed, and any other name counts as well. Leaving the field adds
 * nothing: a new line of cities would move the button that is being pressed.
 */
export function CitiesField({ typed, ...props }: CitiesProps) {
  const { t } = useTranslation("accounts");
  const list = useId();
  const { data: suggested = [] } = useCities(useDeferredValue(typed.trim()));
  const add = (text: string) => {
    props.onChange(withTyped(props.cities, text));
    props.onType("");
  };
  return (
    <div className="cities">
      <Field label={t("cities")} hint={t("citiesHelp")} error={props.error} required>
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
              else props.onType(event.target.value);
            }}
            onKeyDown={(event) => {
              if (!["Enter", "Tab", ","].includes(event.key) || !typed.trim()) return;
              if (event.key !== "Tab") event.preventDefault();
              add(typed);
            }}
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
