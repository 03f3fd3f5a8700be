import { CircleCheck, Check, Download, Globe } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useState } from "react";
import { variables, PETROL } from "../components/palette";
import { useMedia } from "../browser/media";
import { recall, remember } from "../browser/storage";
import { DraftCard } from "../explain/draft-card";
import { noteOf } from "../explain/notes";
import type { Line } from "../explain/queries";
import { day, daySpan } from "../format/date";
import { currencySign, money } from "../format/money";
import { isLanguage, type Language, languageNames } from "../i18n/languages";
import { answerDraft, load, type Loaded, sayOpened, statementOf, type Summary } from "./load";
import { type Words, wordsOf } from "./words";
import "../components/base.css";
import "../explain/draft-card.css";
import "./summary.css";

/** The language asked for or chosen before; without one the driver's own, as the mail was written. */
export function chosenLanguage(): Language | undefined {
  const asked = new URLSearchParams(location.search).get("lang");
  if (isLanguage(asked)) return asked;
  const kept = recall("localStorage", "language");
  return isLanguage(kept) ? kept : undefined;
}

function browserLanguage(): Language {
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "pl";
}

const dayOf = (on: string, language: Language) => day(`${on}T12:00:00Z`, language, "UTC");

interface PageProps {
  token: string;
  /** What came with the page; without it the page asks for it. */
  given?: Summary | undefined;
  /** The words that the page begins with. */
  first?: Words | undefined;
}

/** What a mailed link opens: how much, when and why, for whoever has the link. */
export function SummaryPage({ token, given, first }: PageProps) {
  const [loaded, setLoaded] = useState<Loaded | undefined>(given && { is: "shown", summary: given });
  const [chosen, setChosen] = useState(chosenLanguage);
  const [words, setWords] = useState(first);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let left = false;
    if (given && tries === 0) {
      sayOpened(token);
      return undefined;
    }
    void load(token).then((found) => {
      if (left) return;
      setLoaded(found);
      if (found.is === "shown") sayOpened(token);
    });
    return () => {
      left = true;
    };
  }, [token, given, tries]);

  const summary = loaded?.is === "shown" ? loaded.summary : undefined;
  const language = chosen ?? summary?.language ?? browserLanguage();
  useEffect(() => {
    let left = false;
    void wordsOf(language).then((found) => {
      if (left) return;
      document.documentElement.lang = language;
      setWords(found);
    });
    return () => {
      left = true;
    };
  }, [language]);
  useColours(summary?.partner.color ?? PETROL);
  useEffect(() => {
    if (summary && words)
      document.title = words.t("title", { days: daySpan(summary.firstOn, summary.lastOn, words.language) });
  }, [summary, words]);

  const choose = (to: Language) => {
    remember("localStorage", "language", to);
    setChosen(to);
  };
  // The words of the driver's language come after the answer that names it: nothing is shown in another before.
  if (!words || !loaded) return <Loading words={words} />;
  return (
    <div className="summary">
      <header className="summary-head">
        <Partner partner={summary?.partner} />
        <LanguageChoice words={words} onChoose={choose} />
      </header>
      {loaded.is === "shown" ? (
        <Shown summary={loaded.summary} words={words} token={token} onAnswered={() => setTries(tries + 1)} />
      ) : (
        <Message words={words} is={loaded.is} onAgain={() => setTries(tries + 1)} />
      )}
    </div>
  );
}

/** Dresses the page in the partner's colour, light or dark as the system or the person says. */
function useColours(colour: string) {
  const darkSystem = useMedia("(prefers-color-scheme: dark)");
  const kept = recall("localStorage", "mode");
  const mode = kept === "light" || kept === "dark" ? kept : darkSystem ? "dark" : "light";
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.colorScheme = mode;
    for (const [name, value] of Object.entries(variables(colour, mode))) style.setProperty(name, value);
  }, [colour, mode]);
}

function Partner({ partner }: { partner: Summary["partner"] | undefined }) {
  return (
    <span className="summary-partner">
      {partner?.logo ? (
        <img src={partner.logo} alt="" />
      ) : (
        <span aria-hidden className="summary-tile">
          {(partner?.name ?? "Saldo").charAt(0)}
        </span>
      )}
      {partner?.name ?? "Saldo"}
    </span>
  );
}

function LanguageChoice({ words, onChoose }: { words: Words; onChoose: (to: Language) => void }) {
  return (
    <label className="summary-language">
      <Globe aria-hidden size={16} strokeWidth={1.75} />
      <span className="sr-only">{words.t("language")}</span>
      <select value={words.language} onChange={({ target }) => onChoose(target.value as Language)}>
        {Object.entries(languageNames).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ShownProps {
  summary: Summary;
  words: Words;
  token: string;
  onAnswered: () => void;
}

function Shown({ summary, words: { t, language }, token, onAnswered }: ShownProps) {
  const { figures, partner, currency } = summary;
  const sign = currencySign(currency, language);
  const plain = (minor: number) => money(BigInt(minor), language);
  const due = figures.due ?? 0;
  const debt = due < 0;
  const amount = plain(debt ? due : (figures.payout ?? 0));
  return (
    <main>
      <h1 className="summary-of">
        {t("of", { name: summary.name, days: daySpan(summary.firstOn, summary.lastOn, language) })}
      </h1>
      <p className={debt ? "summary-amount summary-debt" : "summary-amount"}>
        {amount}
        <small>{sign}</small>
      </p>
      <p className="summary-when">
        {debt ? (
          t("debtNote")
        ) : summary.paidOn ? (
          <span className="summary-chip summary-paid">
            <CircleCheck aria-hidden size={15} strokeWidth={2} />
            {t("paid", { day: dayOf(summary.paidOn, language) })}
          </span>
        ) : (
          <span className="summary-chip">
            <Check aria-hidden size={15} strokeWidth={2} />
            {t("settled", { day: dayOf(summary.settledOn, language) })}
          </span>
        )}
      </p>
      {summary.draft && (
        <DraftCard
          draft={summary.draft}
          language={language}
          t={t}
          amount={(minor) => `${plain(minor)}${sign}`}
          onAnswer={async (approve, reason) => {
            const became = await answerDraft(token, summary.draft?.id ?? "", approve, reason);
            if (became !== "failed") onAnswered();
            return became;
          }}
          card="summary-card summary-draft"
          button="summary-button summary-second"
          primary="summary-button"
        />
      )}
      <section aria-label={t("lines")} className="summary-card">
        <dl>
          {summary.lines.map((line) => (
            <LineOf
              key={`${line.name} ${line.provider ?? ""}`}
              name={nameOf(summary, line, t)}
              note={noteWords(summary, line, t)}
            >
              {line.amount > 0 ? `+${plain(line.amount)}` : plain(line.amount)}
            </LineOf>
          ))}
          <div className={debt ? "summary-total summary-debt" : "summary-total"}>
            <dt>{t(debt ? "debtIn" : "toPayIn", { currency: sign.trim() })}</dt>
            <dd>
              <b>{amount}</b>
            </dd>
          </div>
          <LineOf name={t("carried")} note="">
            {plain(figures.nextPeriodTransfer ?? 0)}
          </LineOf>
        </dl>
      </section>
      <a className="summary-button summary-second" href={statementOf(token, language)} download>
        <Download aria-hidden size={18} strokeWidth={1.75} />
        {t("downloadPdf")}
      </a>
      <a className="summary-button" href="/app/driver/settlements">
        {t("logIn")}
      </a>
      <p className="summary-note">{t("until", { day: dayOf(summary.expiresOn, language) })}</p>
      <footer>
        {partner.phone ? t("phone", { name: partner.name, phone: partner.phone }) : partner.name}
        <br />
        {t("runs")}
      </footer>
    </main>
  );
}

function LineOf({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        {name} {note && <small>{note}</small>}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function nameOf(summary: Summary, line: Line, t: Words["t"]): string {
  if (line.provider) return summary.providers[line.provider] ?? line.provider;
  return line.name === "cashDeducted" ? t("yourCash") : t(`line_${line.name as Exclude<Line["name"], "revenue">}`);
}

function noteWords(summary: Summary, line: Line, t: Words["t"]): string {
  const { limit, periods, rows } = noteOf(summary, line);
  if (limit) return /^maxFee[123]$/.test(limit) ? t(`rule_${limit as "maxFee1"}`) : "";
  if (periods.length > 0)
    return periods
      .map((period) => t("week", { week: String(Number(period.slice(6))), year: period.slice(0, 4) }))
      .join(", ");
  return rows > 0 ? t("transactions", { count: rows }) : "";
}

function Message({
  words: { t },
  is,
  onAgain,
}: {
  words: Words;
  is: "invalid" | "waiting" | "failed";
  onAgain: () => void;
}) {
  return (
    <main>
      <h1 className="summary-message">{t(is === "invalid" ? "invalidTitle" : "failedTitle")}</h1>
      <p>{t(is === "invalid" ? "invalidBody" : is === "waiting" ? "waitBody" : "failedBody")}</p>
      {is === "invalid" ? (
        <a className="summary-button" href="/app/">
          {t("enter")}
        </a>
      ) : (
        <button type="button" className="summary-button" onClick={onAgain}>
          {t("again")}
        </button>
      )}
    </main>
  );
}

/** The layout of what is to come, without words until they are here. */
function Loading({ words }: { words: Words | undefined }) {
  return (
    <main className="summary" aria-busy>
      <p className="sr-only" role="status">
        {words?.t("loading")}
      </p>
      <div aria-hidden className="summary-waiting">
        <span className="bar summary-bar-head" />
        <span className="bar summary-bar-amount" />
        <span className="bar summary-bar-card" />
      </div>
    </main>
  );
}
