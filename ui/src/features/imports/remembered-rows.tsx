import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMoney } from "./names";
import type { Preview } from "./queries";

/** The rows of a file that take a type which a person gave to such rows before. */
export function RememberedRows({ preview: { remembered } }: { preview: Preview }) {
  const { t } = useTranslation(["imports", "transactions"]);
  const { full } = useMoney();
  if (remembered.length === 0) return null;
  return (
    <section className="imports-box">
      <h3>{t("rememberedTitle")}</h3>
      <p>{t("rememberedNote")}</p>
      <ul className="imports-remembered">
        {remembered.map(({ provider, seen, type, count, sum, lines }) => (
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
      <Link to="/upload/mappings">{t("rememberedManage")}</Link>
    </section>
  );
}
