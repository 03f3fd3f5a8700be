import { Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Field, Tick } from "../../components/field";
import { Notice } from "../../components/notice";
import { type DocumentType, type TypeForm, useSaveType, useTypes } from "../../driver-documents/calls";
import { useTypeName } from "../../driver-documents/names";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { type Language, languageNames } from "../../i18n/languages";
import { useSession } from "../../session/session";
import styles from "./documents.module.css";

/** What drivers are asked for. */
export default function Types() {
  const { t } = useTranslation("driverDocuments");
  const found = useTypes();
  const nameOf = useTypeName();
  const mayWrite = useSession().may("documents.decide");
  const [editing, setEditing] = useState<DocumentType | "new">();
  if (found.isError && !found.data)
    return (
      <ErrorState
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  return (
    <div className={styles.body}>
      <p className={styles.quiet}>{t("typesLead")}</p>
      {mayWrite && (
        <div className={styles.acts}>
          <Button icon={<Plus aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setEditing("new")}>
            {t("addType")}
          </Button>
        </div>
      )}
      <ul className={styles.types} aria-busy={!found.data}>
        {found.data?.types.map((type) => (
          <li key={type.id} data-off={!type.active || undefined}>
            <span className={styles.two}>
              <b>{nameOf(type)}</b>
              <TypeSaid type={type} />
            </span>
            {mayWrite && (
              <Button
                aria-label={t("changeType", { name: nameOf(type) })}
                icon={<Pencil aria-hidden size={16} strokeWidth={1.75} />}
                onClick={() => setEditing(type)}
              />
            )}
          </li>
        ))}
      </ul>
      {editing && <TypeDialog type={editing === "new" ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </div>
  );
}

/** What is asked of a type, in a line. */
function TypeSaid({ type }: { type: DocumentType }) {
  const { t } = useTranslation("driverDocuments");
  const language = useLanguage();
  const days = type.remindDays.map((one) => count(one, language)).join(", ");
  const said = type.active
    ? [
        t(type.required ? "isRequired" : "isOptional"),
        t(type.subject === "vehicle" ? "ofVehicle" : "ofDriver"),
        t(type.sides === 2 ? "twoSides" : "oneSide"),
        ...(type.expires ? [t("reminds", { days })] : []),
        ...(type.warns ? [t("warnsSaid")] : []),
      ]
    : [t("notUsed")];
  return <small>{said.join(" · ")}</small>;
}

const NEW: TypeForm = {
  names: {},
  subject: "driver",
  sides: 1,
  required: false,
  expires: true,
  warns: false,
  remindDays: [30, 14, 7, 1],
  active: true,
};

function TypeDialog({ type, onClose }: { type: DocumentType | undefined; onClose: () => void }) {
  const { t } = useTranslation(["driverDocuments", "common", "faults"]);
  const nameOf = useTypeName();
  const done = useDoneToast();
  const write = useSaveType();
  const [form, setForm] = useState<TypeForm>(type ?? NEW);
  const [days, setDays] = useState(form.remindDays.join(", "));
  const set = (part: Partial<TypeForm>) => setForm((now) => ({ ...now, ...part }));
  const numbers = days.split(/[\s,;]+/).filter(Boolean);
  const wrongDays = form.expires && !numbers.every((one) => /^\d{1,3}$/.test(one) && Number(one) > 0);
  const named = type?.ready === true || Object.values(form.names ?? {}).some((name) => name.trim() !== "");
  return (
    <Dialog title={type ? nameOf(type) : t("addType")} onClose={onClose}>
      <form
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          const { names = {}, subject, sides, required, expires, warns, active } = form;
          const body: TypeForm = {
            ...(!type?.ready && { names }),
            subject,
            sides,
            required,
            expires,
            warns,
            active,
            remindDays: expires ? numbers.map(Number) : [],
            ...(type && { version: type.version }),
          };
          write.mutate(
            { id: type?.id ?? "", body },
            {
              onSuccess: () => {
                done(t("typeSaved"));
                onClose();
              },
            },
          );
        }}
      >
        {!type?.ready &&
          (Object.keys(languageNames) as Language[]).map((language) => (
            <Field key={language} label={t("nameIn", { language: languageNames[language] })}>
              {(control) => (
                <input
                  {...control}
                  lang={language}
                  maxLength={80}
                  value={form.names?.[language] ?? ""}
                  onChange={({ target }) => set({ names: { ...form.names, [language]: target.value } })}
                />
              )}
            </Field>
          ))}
        {!type?.ready && (
          <Field label={t("subject")}>
            {(control) => (
              <select
                {...control}
                value={form.subject}
                onChange={({ target }) => set({ subject: target.value === "vehicle" ? "vehicle" : "driver" })}
              >
                <option value="driver">{t("ofDriver")}</option>
                <option value="vehicle">{t("ofVehicle")}</option>
              </select>
            )}
          </Field>
        )}
        <Field label={t("sides")}>
          {(control) => (
            <select {...control} value={form.sides} onChange={({ target }) => set({ sides: Number(target.value) })}>
              <option value={1}>{t("oneSide")}</option>
              <option value={2}>{t("twoSides")}</option>
            </select>
          )}
        </Field>
        <Tick checked={form.required} onChange={(required) => set({ required })}>
          {t("requiredTick")}
        </Tick>
        <Tick checked={form.expires} onChange={(expires) => set({ expires })}>
          {t("expiresTick")}
        </Tick>
        {form.expires && (
          <Field label={t("remindDays")} hint={t("remindHint")} error={wrongDays ? t("remindWrong") : undefined}>
            {(control) => (
              <input {...control} inputMode="numeric" value={days} onChange={({ target }) => setDays(target.value)} />
            )}
          </Field>
        )}
        <Tick checked={form.warns} onChange={(warns) => set({ warns })}>
          {t("warnsTick")}
        </Tick>
        <Tick checked={form.active} onChange={(active) => set({ active })}>
          {t("activeTick")}
        </Tick>
        {write.error && (
          <Notice tone="danger">{t(`faults:${write.error.code}`, { replace: write.error.params })}</Notice>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" loading={write.isPending} disabled={!named || wrongDays}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
