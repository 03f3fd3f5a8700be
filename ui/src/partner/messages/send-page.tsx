import { Checkbox, Input, Radio, Select } from "antd";
import { useDeferredValue, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate, useSearchParams } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Markdown } from "../../components/markdown";
import { fillText } from "../../components/markdown-placeholders";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { daySpan } from "../../format/date";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { type Language, languageNames } from "../../i18n/languages";
import { usePeriods } from "../../kit/periods";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { Channels } from "./channels";
import { CheckDialog } from "./check-dialog";
import { useKeepDraft, useKeptDraft } from "./kept-draft";
import { useDriverChoices, useTagChoices } from "../../kit/lookups";
import { type Draft, overCap, usePreview, useSend } from "./queries";
import { useFieldErrors } from "./field-errors";
import { TextFields } from "./text-fields";
import styles from "./messages.module.css";

type To = "all" | "tags" | "drivers" | "list";
type List = NonNullable<Draft["list"]>;
interface Written {
  language: Language;
  topic: string;
  content: string;
}

/** What is being written, as it is kept while a session ends. */
interface Kept {
  to: To;
  drivers: string[];
  tags: string[];
  list: List | undefined;
  channel: Draft["channel"];
  texts: [Written, ...Written[]];
  period: string;
  plainLetters: boolean;
  pinned: boolean;
  confirm: boolean;
  sendAt: string;
}

// The views of the drivers list, as its address names them.
const views: Record<string, List> = {
  active: { state: "active" },
  inactive: { state: "inactive" },
  iban: { missing: "iban" },
  taxId: { missing: "tax_id" },
  schema: { missing: "schema" },
};

/** The drivers of a list, by its address. */
const listOf = (params: URLSearchParams): List | undefined =>
  params.has("list")
    ? {
        ...views[params.get("show") ?? ""],
        query: params.get("q") ?? "",
        tag: params.get("tag") ?? "",
        income: params.get("income") === "true",
      }
    : undefined;

/** Writes to drivers: to whom, what, how and when, with what they will see beside it. */
export default function SendPage() {
  const { t } = useTranslation(["messages", "faults", "common"]);
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const config = useConfig();
  const { partner, user } = useSession();
  const send = useSend();
  const keptAs = `draft.${user.id}.message`;
  const kept = useKeptDraft(keptAs) as Kept | undefined;
  const [list] = useState(() => kept?.list ?? listOf(params));
  const [to, setTo] = useState<To>(kept?.to ?? (list ? "list" : params.has("driver") ? "drivers" : "all"));
  const [drivers, setDrivers] = useState<string[]>(kept?.drivers ?? params.getAll("driver"));
  const [tags, setTags] = useState<string[]>(kept?.tags ?? []);
  const [channel, setChannel] = useState<Draft["channel"]>(kept?.channel ?? ["BOARD", "EMAIL"]);
  const [texts, setTexts] = useState<[Written, ...Written[]]>(
    kept?.texts ?? [{ language: config.defaultLanguage, topic: "", content: "" }],
  );
  const [period, setPeriod] = useState(kept?.period ?? "");
  const [plainLetters, setPlainLetters] = useState(kept?.plainLetters ?? false);
  const [pinned, setPinned] = useState(kept?.pinned ?? false);
  const [confirm, setConfirm] = useState(kept?.confirm ?? false);
  const [later, setLater] = useState(Boolean(kept?.sendAt));
  const [sendAt, setSendAt] = useState(kept?.sendAt ?? "");
  const sent = useRef(false);
  const [checking, setChecking] = useState(false);
  const [main, ...translations] = texts;
  const draft: Draft = {
    ...main,
    translations,
    channel,
    pinned,
    confirm,
    plainLetters,
    sendToAll: to === "all",
    ...(to === "drivers" && { driverUUIDs: drivers }),
    ...(to === "tags" && { tags }),
    ...(to === "list" && list && { list }),
    ...(period && { period }),
    ...(later && { sendAt }),
  };
  const unsaved = texts.some(({ topic, content }) => topic.trim() !== "" || content.trim() !== "");
  useKeepDraft(
    keptAs,
    "/send",
    unsaved
      ? ({
          to,
          drivers,
          tags,
          list,
          channel,
          texts,
          period,
          plainLetters,
          pinned,
          confirm,
          sendAt: later ? sendAt : "",
        } satisfies Kept)
      : undefined,
  );
  const chosen = to === "all" || to === "list" || (to === "tags" ? tags.length > 0 : drivers.length > 0);
  const written = texts.every(({ content }) => content.trim() !== "");
  const ready = chosen && written && channel.length > 0 && (!later || sendAt !== "");
  const preview = usePreview(useDeferredValue(draft), ready);
  const shown = ready ? preview.data : undefined;
  const wrong = [preview.error, send.error].find((one) => one instanceof Problem);
  const errors = useFieldErrors(wrong);
  const figures = useFigures(period, main.language);
  const values = { ...figures, first_name: t("exampleName"), partner: partner?.name ?? "" };
  const change = (at: number, text: Partial<Written>) =>
    setTexts(texts.map((one, n) => (n === at ? { ...one, ...text } : one)) as [Written, ...Written[]]);
  const missing = config.languages.filter((one) => !texts.some(({ language }) => language === one));
  return (
    <>
      <PageHeader title={t("sendTitle")} />
      <UnsavedQuestion unsaved={() => unsaved && !sent.current} />
      <form
        className={styles.send}
        onSubmit={(event) => {
          event.preventDefault();
          if (shown) setChecking(true);
        }}
      >
        <div className={styles.form}>
          {kept && !send.error && <Notice tone="info">{t("common:draftRestored")}</Notice>}
          <fieldset className={styles.part}>
            <legend>{t("to")}</legend>
            <Radio.Group value={to} onChange={({ target }) => setTo(target.value as To)}>
              {(["all", "tags", "drivers", ...(list ? (["list"] as const) : [])] as const).map((one) => (
                <Radio key={one} value={one}>
                  {t(`to_${one}`)}
                </Radio>
              ))}
            </Radio.Group>
            {to === "tags" && <TagChoice chosen={tags} onChange={setTags} />}
            {to === "drivers" && <DriverChoice chosen={drivers} onChange={setDrivers} />}
          </fieldset>
          <Channels
            chosen={channel}
            onChange={setChannel}
            plain={plainLetters}
            onPlain={setPlainLetters}
            sms={shown?.sms}
          />
          <label className={styles.field}>
            {t("figures")}
            <PeriodChoice chosen={period} onChange={setPeriod} />
            <small>{t("figuresHint")}</small>
          </label>
          {texts.map((text, at) => (
            <TextFields
              key={text.language}
              text={text}
              errors={errors}
              translation={at > 0}
              languages={at === 0 ? [text.language, ...missing] : [text.language]}
              onChange={(changed) => change(at, changed)}
              {...(at > 0 && {
                onRemove: () => setTexts(texts.filter((_, n) => n !== at) as [Written, ...Written[]]),
              })}
            />
          ))}
          {missing.length > 0 && (
            <div className={styles.acts}>
              {missing.map((language) => (
                <Button
                  key={language}
                  size="small"
                  onClick={() => setTexts([...texts, { language, topic: "", content: "" }])}
                >
                  {t("addLanguage")}: {languageNames[language]}
                </Button>
              ))}
            </div>
          )}
          <fieldset className={styles.part}>
            <legend>{t("when")}</legend>
            <Radio.Group value={later} onChange={({ target }) => setLater(target.value === true)}>
              <Radio value={false}>{t("now")}</Radio>
              <Radio value={true}>{t("later")}</Radio>
            </Radio.Group>
            {later && (
              <label className={styles.field}>
                {t("sendAt")}
                <Input
                  type="datetime-local"
                  value={sendAt}
                  status={errors.has("sendAt") ? "error" : ""}
                  onChange={({ target }) => setSendAt(target.value.slice(0, 16))}
                />
                {errors.has("sendAt") && <small role="alert">{errors.get("sendAt")}</small>}
              </label>
            )}
            {channel.includes("BOARD") && (
              <>
                <Checkbox checked={pinned} onChange={({ target }) => setPinned(target.checked)}>
                  {t("pin")}
                </Checkbox>
                <Checkbox checked={confirm} onChange={({ target }) => setConfirm(target.checked)}>
                  {t("confirm")}
                </Checkbox>
              </>
            )}
          </fieldset>
          {wrong && (
            <Notice tone="danger">
              {t(`faults:${wrong.code}`, { replace: wrong.params })} {send.error && t("unsent")}
            </Notice>
          )}
          <div className={styles.acts}>
            <Button kind="primary" type="submit" disabled={!shown || overCap(shown)}>
              {shown?.recipients ? t("send", { count: shown.recipients }) : t("sendShort")}
            </Button>
          </div>
        </div>
        <aside className={styles.preview} aria-label={t("preview")}>
          <h2>{t("preview")}</h2>
          {texts.some(({ content }) => content.trim()) ? (
            texts.map(({ language, topic, content }) => (
              <article key={language} className={styles.note} lang={language}>
                {texts.length > 1 && <p className={styles.quiet}>{languageNames[language]}</p>}
                {topic && <h3>{fillText(topic, values)}</h3>}
                <Markdown text={content} values={values} />
              </article>
            ))
          ) : (
            <p className={styles.quiet}>{t("previewEmpty")}</p>
          )}
        </aside>
      </form>
      {checking && shown && (
        <CheckDialog
          preview={shown}
          many={to === "all" || shown.recipients > AT_ONCE}
          sending={send.isPending}
          problem={send.error}
          onSend={() =>
            send.mutate(
              { ...draft, expects: shown.recipients },
              {
                onSuccess: ({ id }) => {
                  sent.current = true;
                  void navigate(`/details/${id}`);
                },
                onError: () => void preview.refetch(),
              },
            )
          }
          onClose={() => setChecking(false)}
        />
      )}
    </>
  );
}

/** So many are told at once; more wait a while in which the message can be cancelled. */
const AT_ONCE = 50;

/** What {period} and {payout} look like for a week; nothing where none is chosen. */
function useFigures(period: string, language: Language) {
  const { currency } = useConfig();
  const week = usePeriods().data?.find(({ code }) => code === period);
  return (
    week && {
      period: daySpan(week.firstOn, week.lastOn, language),
      payout: `${money(123_456n, language)} ${currencySign(currency, language).trim()}`,
    }
  );
}

function PeriodChoice({ chosen, onChange }: { chosen: string; onChange: (period: string) => void }) {
  const { t } = useTranslation("messages");
  const language = useLanguage();
  const weeks = usePeriods().data ?? [];
  return (
    <Select
      value={chosen}
      onChange={onChange}
      options={[
        { value: "", label: t("noFigures") },
        ...weeks.map(({ code, firstOn, lastOn }) => ({ value: code, label: daySpan(firstOn, lastOn, language) })),
      ]}
    />
  );
}

function TagChoice({ chosen, onChange }: { chosen: string[]; onChange: (tags: string[]) => void }) {
  const { t } = useTranslation("messages");
  const tags = useTagChoices();
  return (
    <Select
      mode="multiple"
      aria-label={t("chooseTags")}
      placeholder={t("chooseTags")}
      value={chosen}
      onChange={onChange}
      showSearch={{ optionFilterProp: "label" }}
      loading={tags.isPending}
      options={tags.data ?? []}
    />
  );
}

function DriverChoice({ chosen, onChange }: { chosen: string[]; onChange: (drivers: string[]) => void }) {
  const { t } = useTranslation("messages");
  const [search, setSearch] = useState("");
  const found = useDriverChoices(useDeferredValue(search.trim().slice(0, 100)));
  return (
    <Select
      mode="multiple"
      aria-label={t("chooseDrivers")}
      placeholder={t("chooseDrivers")}
      value={chosen}
      onChange={onChange}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      loading={found.isPending}
      options={
        found.data?.map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` })) ?? []
      }
    />
  );
}
