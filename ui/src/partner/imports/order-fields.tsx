import { useDeferredValue, useId } from "react";
import { useTranslation } from "../../i18n/translation";
import { useProviderName } from "./names";
import type { Order } from "./order";
import { useCities, useProviders } from "./queries";

interface OrderFieldsProps {
  order: Order;
  onChange: (order: Order) => void;
}

/** What a person can say about files: provider, city, days and the two options. */
export function OrderFields({ order, onChange }: OrderFieldsProps) {
  const { t } = useTranslation("imports");
  const id = useId();
  const providers = useProviders().data ?? [];
  const nameOf = useProviderName();
  const { data: cities = [] } = useCities(useDeferredValue(order.city.trim()));
  const day = (name: "datesFrom" | "datesTo" | "bonusFrom" | "bonusTo", help: string) => (
    <label>
      {t(name)}
      <input
        type="date"
        value={order[name]}
        aria-describedby={`${id}-${help}`}
        onChange={({ target }) => onChange({ ...order, [name]: target.value })}
      />
    </label>
  );
  const option = (name: "allowDuplicates" | "mergeByName", help: string) => (
    <label className="imports-option">
      <input
        type="checkbox"
        checked={order[name]}
        aria-describedby={`${id}-${name}`}
        onChange={({ target }) => onChange({ ...order, [name]: target.checked })}
      />
      <span>
        <b>{t(name)}</b>
        <span id={`${id}-${name}`}>{help}</span>
      </span>
    </label>
  );
  return (
    <div className="imports-order">
      <div className="imports-field">
        <label htmlFor={`${id}-provider`}>{t("provider")}</label>
        <select
          id={`${id}-provider`}
          value={order.provider}
          aria-describedby={`${id}-providerHelp`}
          onChange={({ target }) => onChange({ ...order, provider: target.value })}
        >
          <option value="">{t("providerAuto")}</option>
          {providers.map(({ code }) => (
            <option key={code} value={code}>
              {nameOf(code)}
            </option>
          ))}
        </select>
        <p id={`${id}-providerHelp`}>{t("providerHelp")}</p>
      </div>
      <div className="imports-field">
        <label htmlFor={`${id}-city`}>{t("city")}</label>
        <input
          id={`${id}-city`}
          list={`${id}-cities`}
          autoComplete="off"
          maxLength={100}
          value={order.city}
          aria-describedby={`${id}-cityHelp`}
          onChange={({ target }) => onChange({ ...order, city: target.value })}
        />
        <datalist id={`${id}-cities`}>
          {cities.map((city) => (
            <option key={city} value={city} />
          ))}
        </datalist>
        <p id={`${id}-cityHelp`}>{t("cityHelp")}</p>
      </div>
      <div className="imports-field">
        <div className="imports-days">
          {day("datesFrom", "dates")}
          {day("datesTo", "dates")}
        </div>
        <p id={`${id}-dates`}>{t("datesHelp")}</p>
      </div>
      <div className="imports-field">
        <div className="imports-days">
          {day("bonusFrom", "bonus")}
          {day("bonusTo", "bonus")}
        </div>
        <p id={`${id}-bonus`}>{t("bonusHelp")}</p>
      </div>
      {option("allowDuplicates", t("allowDuplicatesHelp"))}
      {option("mergeByName", t("mergeByNameHelp"))}
    </div>
  );
}
