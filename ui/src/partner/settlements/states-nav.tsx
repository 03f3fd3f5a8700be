import { useTranslation } from "../../i18n/translation";
import { NavLink } from "react-router";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useSettledCount } from "./queries";

interface StatesNavProps {
  /** The period on screen, kept when the state changes; empty: all; undefined: not known yet. */
  period: string | undefined;
  /** How many are pending in it, where that is known. */
  pending?: number | undefined;
}

/** The three states of a settlement as links, with how many there are of the period on screen. */
export function StatesNav({ period, pending }: StatesNavProps) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const settled = useSettledCount("settled", period);
  const paid = useSettledCount("paid", period);
  const search = period ? `?period=${period}` : "";
  const states = [
    { path: "/settlements/pending", word: t("pending"), number: pending },
    { path: "/settlements/settled", word: t("settled"), number: settled },
    { path: "/settlements/paid", word: t("paid"), number: paid },
  ];
  return (
    <nav className="settlements-states" aria-label={t("states")}>
      {states.map(({ path, word, number }) => (
        <NavLink key={path} to={path + search}>
          {word} {number !== undefined && <span>{count(number, language)}</span>}
        </NavLink>
      ))}
    </nav>
  );
}
