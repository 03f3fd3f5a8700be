import { Check, CircleCheck, Globe } from "lucide-react";
import { type ChangeEvent, type ReactNode, useEffect, useLayoutEffect, useState } from "react";
import { useMedia } from "../../browser/media";
import { recall, remember } from "../../browser/storage";
import { PETROL, variables } from "../../components/palette";
import { day } from "../../format/date";
import { count } from "../../format/number";
import { isLanguage, type Language, languageNames } from "../../i18n/languages";
import { compare, type Finding, load, type Loaded, sumOf, type Verified } from "./load";
import { type Words, wordsOf } from "./words";
import "../../components/base.css";
import "../summary.css";
import "./verify.css";

/** The language asked for, chosen before, or the browser's. */
function firstLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  const kept = recall("localStorage", "language");
  if (isLanguage(asked)) return asked;
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "pl";
}

/** What anybody with the code of a document may know of it, and whether a file they have is that document. */
export function VerifyPage({ code }: { code: string }) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [language, setLanguage] = useState(firstLanguage);
  const [words, setWords] = useState<Words>();
  const [tries, setTries] = useState(0);
  useColours();
  useEffect(() => {
    let left = false;
    void load(code).then((found) => {
      if (!left) setLoaded(found);
    });
    return () => {
      left = true;
    };
  }, [code, tries]);
  useEffect(() => {
    let left = false;
    void wordsOf(language).then((found) => {
      if (left) return;
      document.documentElement.lang = language;
      document.title = found.t("title");
      setWords(found);
    });
    return () => {
      left = true;
    };
  }, [language]);
  if (!words) return <main className="summary" aria-busy />;
  const { t } = words;
  return (
    <div className="summary">
      <header className="summary-head">
        <span className="summary-partner">
          <span aria-hidden className="summary-tile">
            {t("title").charAt(0)}
          </span>
          {t("title")}
        </span>
        <label className="summary-language">
          <Globe aria-hidden size={16} strokeWidth={1.75} />
          <span className="sr-only">{t("language")}</span>
          <select
            value={words.language}
            onChange={({ target }) => {
              const to = target.value as Language;
              remember("localStorage", "language", to);
              setLanguage(to);
            }}
          >
            {Object.entries(languageNames).map(([one, name]) => (
              <option key={one} value={one} lang={one}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      {!loaded ? (
        <main aria-busy>
          <p role="status">{t("loading")}</p>
        </main>
      ) : loaded.is === "shown" ? (
        <Shown document={loaded.document} words={words} />
      ) : (
        <main>
          <h1 className="summary-message">{t(`title_${loaded.is}`)}</h1>
          <p>{t(`body_${loaded.is}`)}</p>
          {loaded.is !== "unknown" && (
            <button type="button" className="summary-button" onClick={() => setTries(tries + 1)}>
              {t("again")}
            </button>
          )}
        </main>
      )}
    </div>
  );
}

/** Dresses the page, light or dark as the system or the person says. */
function useColours() {
  const darkSystem = useMedia("(prefers-color-scheme: dark)");
  const kept = recall("localStorage", "mode");
  const mode = kept === "light" || kept === "dark" ? kept : darkSystem ? "dark" : "light";
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.colorScheme = mode;
    for (const [name, value] of Object.entries(variables(PETROL, mode))) style.setProperty(name, value);
  }, [mode]);
}

function Shown({ document: of, words: { t, language } }: { document: Verified; words: Words }) {
  // Where somebody checks a document says nothing about where it was signed.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const on = (instant: string) => day(instant, language, timeZone);
  const newest = of.files.at(-1);
  const good = of.state === "active" && !of.removed;
  const gone = of.state === "withdrawn" || of.removed;
  const facts: [string, string][] = [
    [t("signedAt"), of.signedAt ? on(of.signedAt) : t("byHand")],
    [t("signers"), of.signers.join(", ")],
    [t("pages"), count(of.pages, language)],
    [
      t("seal"),
      of.form === "written"
        ? t("noSeal")
        : newest?.sealedAt
          ? t("sealedAt", { day: on(newest.sealedAt) })
          : t("notSealed"),
    ],
  ];
  return (
    <main>
      <h1 className="summary-message" lang={of.language}>
        {of.title}
      </h1>
      <p className={good ? "verify-state verify-good" : gone ? "verify-state verify-bad" : "verify-state"}>
        {good ? <Check aria-hidden size={18} strokeWidth={1.75} /> : <Sign kind={gone ? "ban" : "rest"} />}
        <span className="sr-only">{t("state")}</span>
        {of.removed ? t("removed") : t(`state_${of.state}`)}
      </p>
      <dl className="summary-card verify-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {of.form === "simple" && <p className="summary-note">{t("sealMeans")}</p>}
      <CheckFile files={of.files} t={t} />
    </main>
  );
}

// Drawn here: an icon that the application has as well would become a file of its own for everybody.
const signs = { ban: "M5 5l14 14", unclear: "M12 7v6M12 16.5v.5", rest: "M8 12h8" } as const;

const Sign = ({ kind }: { kind: keyof typeof signs }): ReactNode => (
  <svg aria-hidden width={20} height={20} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={1.75}>
    <circle cx={12} cy={12} r={10} />
    <path d={signs[kind]} strokeLinecap="round" />
  </svg>
);

const looks: Record<Finding | "unreadable", "good" | "unclear" | "bad"> = {
  equal: "good",
  unsealed: "good",
  older: "unclear",
  foreign: "bad",
  unreadable: "unclear",
};

/** Compares a file with what was given out, on this device. */
function CheckFile({ files, t }: { files: Verified["files"]; t: Words["t"] }) {
  const [found, setFound] = useState<{ name: string; is: keyof typeof looks | "checking"; sum: string }>();
  const check = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    target.value = ""; // the same file may be chosen again
    if (!file) return;
    setFound({ name: file.name, is: "checking", sum: "" });
    sumOf(file).then(
      (sum) => setFound({ name: file.name, is: compare(sum, files), sum }),
      () => setFound({ name: file.name, is: "unreadable", sum: "" }),
    );
  };
  const look = looks[found && found.is !== "checking" ? found.is : "unreadable"];
  return (
    <section aria-labelledby="check" className="verify-check">
      <h2 id="check">{t("check")}</h2>
      <p>{t("checkBody")}</p>
      <label className="summary-button summary-second verify-file">
        {t("choose")}
        <input type="file" accept=".pdf,.jpg,.jpeg,application/pdf,image/jpeg" onChange={check} />
      </label>
      <div role="status">
        {found?.is === "checking" && <p>{t("checking")}</p>}
        {found && found.is !== "checking" && (
          <div className={`verify-found verify-${look}`}>
            {look === "good" ? (
              <CircleCheck aria-hidden size={20} strokeWidth={1.75} />
            ) : (
              <Sign kind={look === "bad" ? "ban" : "unclear"} />
            )}
            <div>
              <b>{found.name}</b>
              <p>{t(found.is)}</p>
              {found.sum && (
                <small>
                  {t("fingerprint")}: <code>{found.sum}</code>
                </small>
              )}
            </div>
          </div>
        )}
      </div>
    </section>
  );
}
