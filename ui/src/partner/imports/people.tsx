import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { ProviderName, useCalled, useKeyText, useMoney } from "./names";
import type { Preview } from "./queries";

const FEW = 6;

/** Whom a file names: how they were recognised, who becomes one by name, and whom nobody knows. */
export function People({ preview }: { preview: Preview }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { matches, counts } = preview;
  const ways = [
    { by: t("by_identity"), people: matches.byIdentity },
    { by: t("by_email"), people: matches.byEmail },
    { by: t("by_phone"), people: matches.byPhone },
    { by: t("by_name"), people: matches.byName },
  ].filter(({ people }) => people > 0);
  return (
    <section className="imports-box">
      <h3>
        {t("people")} <span>{count(counts.drivers.all, language)}</span>
      </h3>
      {ways.length > 0 && (
        <p className="imports-quiet">
          {t("recognisedBy", { list: ways.map(({ by, people }) => `${by} ${count(people, language)}`).join(", ") })}
        </p>
      )}
      <Pairs pairs={matches.pairs} />
      <Strangers preview={preview} />
    </section>
  );
}

function Pairs({ pairs }: { pairs: Preview["matches"]["pairs"] }) {
  const { t } = useTranslation("imports");
  if (pairs.length === 0) return null;
  return (
    <>
      <h4>{t("pairs")}</h4>
      <p className="imports-quiet">{t("pairsNote")}</p>
      <ul className="imports-people">
        {pairs.map(({ provider, key, name, driverUUID, driver, rows }) => (
          <li key={`${provider} ${key.kind} ${key.value}`}>
            <div>
              <b>{name}</b> {"→"} <Link to={`/drivers/${driverUUID}`}>{driver}</Link>
              <span className="sr-only">{t("pair", { name, driver })}</span>
              <ProviderName code={provider} />
            </div>
            <small>{t("rows", { count: rows })}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

function Strangers({ preview }: { preview: Preview }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { full } = useMoney();
  const keysOf = useKeyText();
  const called = useCalled();
  const { drivers } = preview.counts;
  const all = drivers.new + drivers.unassigned;
  const strangers = preview.matches.unassigned.slice(0, FEW);
  if (all === 0) return null;
  return (
    <>
      <h4>
        {t("strangers")} <span>{count(all, language)}</span>
      </h4>
      <p className="imports-quiet">{t("strangersNote")}</p>
      <ul className="imports-people">
        {strangers.map(({ provider, keys, name, rows, sum }, index) => (
          <li key={index}>
            <div>
              <b>{called({ name, keys })}</b>
              <ProviderName code={provider} />
              <small>{keysOf(keys)}</small>
            </div>
            <div>
              {full(sum)}
              <small>{t("rows", { count: rows })}</small>
            </div>
          </li>
        ))}
      </ul>
      {all > strangers.length && <p className="imports-quiet">{t("andMore", { number: all - strangers.length })}</p>}
    </>
  );
}
