import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { useMoney } from "./names";
import type { Preview } from "./queries";

/** The rows of a file that take a type which a person gave to such rows before, and those whose type a name tells. */
export function RememberedRows({ preview: { remembered, guessed } }: { preview: Preview }) {
  const { t } = useTranslation("imports");
  return (
    <>
      {remembered.length > 0 && (
        <section className="imports-box">
          <h3>{t("rememberedTitle")}</h3>
          <p>{t("rememberedNote")}</p>
          <TypedRows rows={remembered} />
          <Link to="/upload/mappings">{t("rememberedManage")}</Link>
        </section>
      )}
      {guessed.length > 0 && (
        <section className="imports-box">
          <h3>{t("guessedTitle")}</h3>
          <p>{t("guessedNote")}</p>
          <TypedRows rows={guessed} />
        </section>
      )}
    </>
  );
}

function TypedRows({ rows }: { rows: Preview["remembered"] }) {
  const { t } = useTranslation(["imports", "transactions"]);
  const { full } = useMoney();
  return (
    <ul className="imports-remembered">
      {rows.map(({ provider, seen, type, count, sum, lines }) => (
        <li key={`${provider} ${seen}`}>
          <b>{seen}</b> → {t(`transactions:type_${type}` as "transactions:type_TRIP")}, {full(sum)}
          <small>
            {t(lines.length < count ? "rememberedMore" : "rememberedRows", {
              lines: lines.join(", "),
              number: count,
            })}
          </small>
        </li>
      ))}
    </ul>
  );
}
