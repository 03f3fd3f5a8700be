import { Checkbox, Input, Radio, Select } from "antd";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Markdown } from "../../components/markdown";
import { fillText } from "../../components/markdown-placeholders";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { type Language, languageNames } from "../../i18n/languages";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { CheckDialog } from "./check-dialog";
import { useDriverChoices, useTagChoices } from "../../kit/lookups";
import { type Draft, usePreview, useSend } from "./queries";
import { useFieldErrors } from "./field-errors";
import { TextFields } from "./text-fields";
import styles from "./messages.module.css";

type To = "all" | "tags" | "drivers";
interface Written {
  language: Language;
  topic: string;
  content: string;
}

/** Writes to drivers: to whom, what, how and when, with what they will see beside it. */
export default function SendPage() {
  const { t } = useTranslation(["messages", "faults"]);
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const config = useConfig();
  const { partner } = useSession();
  const send = useSend();
  const [to, setTo] = useState<To>(params.get("driver") ? "drivers" : "all");
  const [drivers, setDrivers] = useState<string[]>(params.getAll("driver"));
  const [tags, setTags] = useState<string[]>([]);
  const [channel, setChannel] = useState<Draft["channel"]>(["BOARD", "EMAIL"]);
  const [texts, setTexts] = useState<[Written, ...Written[]]>([
    { language: config.defaultLanguage, topic: "", content: "" },
  ]);
  const [pinned, setPinned] = useState(false);
  const [confirm, setConfirm] = useState(false);
  const [later, setLater] = useState(false);
  const [sendAt, setSendAt] = useState("");
  const [checking, setChecking] = useState(false);
  const [main, ...translations] = texts;
  const draft: Draft = {
    ...main,
    translations,
    channel,
    pinned,
    confirm,
    sendToAll: to === "all",
    ...(to === "drivers" && { driverUUIDs: drivers }),
    ...(to === "tags" && { tags }),
    ...(later && { sendAt }),
  };
  const chosen = to === "all" || (to === "tags" ? tags.length > 0 : drivers.length > 0);
  const written = texts.every(({ content }) => content.trim() !== "");
  const ready = chosen && written && channel.length > 0 && (!later || sendAt !== "");
  const preview = usePreview(useDeferredValue(draft), ready);
  const shown = ready ? preview.data : undefined;
  const wrong = [preview.error, send.error].find((one) => one instanceof Problem);
  const errors = useFieldErrors(wrong);
  const values = { first_name: t("exampleName"), partner: partner?.name ?? "" };
  const change = (at: number, text: Partial<Written>) =>
    setTexts(texts.map((one, n) => (n === at ? { ...one, ...text } : one)) as [Written, ...Written[]]);
  const missing = config.languages.filter((one) => !texts.some(({ language }) => language === one));
  return (
    <>
      <PageHeader title={t("sendTitle")} />
      <form
        className={styles.send}
        onSubmit={(event) => {
          event.preventDefault();
          if (shown) setChecking(true);
        }}
      >
        <div className={styles.form}>
          <fieldset className={styles.part}>
            <legend>{t("to")}</legend>
            <Radio.Group value={to} onChange={({ target }) => setTo(target.value as To)}>
              {(["all", "tags", "drivers"] as const).map((one) => (
                <Radio key={one} value={one}>
                  {t(`to_${one}`)}
                </Radio>
              ))}
            </Radio.Group>
            {to === "tags" && <TagChoice chosen={tags} onChange={setTags} />}
            {to === "drivers" && <DriverChoice chosen={drivers} onChange={setDrivers} />}
          </fieldset>
          <fieldset className={styles.part}>
            <legend>{t("how")}</legend>
            <Checkbox.Group
              value={channel}
              onChange={(chosenOnes) => setChannel(chosenOnes)}
              options={(["BOARD", "EMAIL"] as const).map((one) => ({ value: one, label: t(`channel_${one}`) }))}
            />
          </fieldset>
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
            <Button kind="primary" type="submit" disabled={!shown || shown.recipients === 0}>
              {shown ? t("send", { count: shown.recipients }) : t("sendShort")}
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
              { onSuccess: ({ id }) => void navigate(`/details/${id}`), onError: () => void preview.refetch() },
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
