import { Camera, Upload as UploadIcon } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { Field, Tick } from "../components/field";
import { Notice } from "../components/notice";
import { letGo, ON_PHONES, pick, type Picked } from "../invoices/picked";
import { SHARP_FROM } from "../invoices/sharpness";
import { type DocumentType, type Sent, type Shown, type uploadDocument, useUpload } from "./calls";
import styles from "./documents.module.css";

const SIDES = ["front", "back"] as const;
export type Side = (typeof SIDES)[number];

export interface UploadFormProps {
  type: DocumentType;
  /** Whose, where a partner uploads; empty: one's own. */
  driver: string;
  vehicle: string;
  /** What was sent before: its number is proposed again. */
  before: (Pick<Shown, "number"> & Partial<Pick<Sent, "validTo" | "noEnd">>) | undefined;
  /** Of what waits on a phone and is put right. */
  id?: string;
  files?: Partial<Record<Side, File>>;
  send: string;
  /** Another way to send it; whether it is with the server now. */
  upload?: (document: Parameters<typeof uploadDocument>[0]) => Promise<boolean>;
  onSent: (now: boolean) => void;
}

/** A document to send: its sides by camera or as files, made small on the device, and what stands on it. */
export function UploadForm({
  type,
  driver,
  vehicle: known,
  before,
  id,
  files,
  send,
  upload: by,
  onSent,
}: UploadFormProps) {
  const { t } = useTranslation(["driverDocuments", "faults", "fields"]);
  const upload = useUpload(by);
  const sides = SIDES.slice(0, type.sides);
  const [chosen, setChosen] = useState<Partial<Record<Side, Picked>>>({});
  const [number, setNumber] = useState(before?.number ?? "");
  const [validTo, setValidTo] = useState(id ? (before?.validTo ?? "") : "");
  const [noEnd, setNoEnd] = useState(before?.noEnd === true);
  const [vehicle, setVehicle] = useState(known);
  const [key, setKey] = useState(() => id ?? crypto.randomUUID());
  const [asked, setAsked] = useState(false);
  const latest = useRef(chosen);
  useEffect(
    () => () => {
      for (const one of Object.values(latest.current)) letGo(one);
    },
    [],
  );
  const put = (side: Side, picked: Picked) => {
    const old = latest.current[side];
    if (old) letGo(old);
    latest.current = { ...latest.current, [side]: picked };
    setChosen(latest.current);
    if (!by) setKey(crypto.randomUUID()); // another picture is another document
  };
  const begin = useEffectEvent(async () => {
    for (const side of SIDES) {
      const file = files?.[side];
      const made = file && (await pick(file));
      if (made && typeof made !== "string" && !latest.current[side]) put(side, made);
    }
  });
  useEffect(() => void begin(), []);
  // A PDF holds both sides.
  const whole = chosen.front && !chosen.front.picture;
  const wanted = whole ? sides.slice(0, 1) : sides;
  const lacks = {
    front: !chosen.front,
    back: wanted.includes("back") && !chosen.back,
    validTo: type.expires && !noEnd && validTo === "",
    vehicle: type.subject === "vehicle" && vehicle.trim() === "",
  };
  const problem = upload.error ?? undefined;
  const refused = (name: string) => {
    const found = problem?.fields.find((one) => one.name === name);
    return found && t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
  const labelOf = (side: Side) => (sides.length === 1 ? t("picture") : t(`side_${side}`));
  const submit = async () => {
    setAsked(true);
    const { front, back } = chosen;
    if (!front || Object.values(lacks).some(Boolean)) return;
    const sent = { driver, type: type.id, vehicle, number: number.trim(), validTo: noEnd ? "" : validTo, noEnd, key };
    const now = await upload
      .mutateAsync({ ...sent, front: front.file, back: whole ? undefined : back?.file })
      .catch(() => undefined);
    if (now !== undefined) onSent(now);
  };
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!upload.isPending) void submit();
      }}
    >
      {wanted.map((side) => (
        <SideField
          key={side}
          label={labelOf(side)}
          picked={chosen[side]}
          missing={asked && lacks[side]}
          onPicked={(picked) => put(side, picked)}
        />
      ))}
      {type.subject === "vehicle" && (
        <Field label={t("vehicle")} error={asked && lacks.vehicle ? t("fillIn") : refused("vehicle")} required>
          {(control) => (
            <input
              {...control}
              maxLength={40}
              autoCapitalize="characters"
              autoComplete="off"
              readOnly={known !== ""}
              value={vehicle}
              onChange={({ target }) => setVehicle(target.value)}
            />
          )}
        </Field>
      )}
      {type.expires && (
        <>
          {!noEnd && (
            <Field label={t("validTo")} error={asked && lacks.validTo ? t("fillIn") : refused("validTo")} required>
              {(control) => (
                <input {...control} type="date" value={validTo} onChange={({ target }) => setValidTo(target.value)} />
              )}
            </Field>
          )}
          <Tick checked={noEnd} onChange={setNoEnd}>
            {t("noEnd")}
          </Tick>
        </>
      )}
      <Field label={t("number")} hint={t("numberHint")} error={refused("number")}>
        {(control) => (
          <input
            {...control}
            maxLength={100}
            autoComplete="off"
            value={number}
            onChange={({ target }) => setNumber(target.value)}
          />
        )}
      </Field>
      {problem && (
        <Notice tone="danger">
          {by && problem.status === 0
            ? t("notKept")
            : `${t("notSent")} ${t(`faults:${problem.code}`, { replace: problem.params })}`}
        </Notice>
      )}
      <Button kind="primary" type="submit" size="large" block loading={upload.isPending}>
        {send}
      </Button>
    </form>
  );
}

interface SideFieldProps {
  label: string;
  picked: Picked | undefined;
  missing: boolean;
  onPicked: (picked: Picked) => void;
}

/** One side: what was chosen of it, and the ways to choose. */
function SideField({ label, picked, missing, onPicked }: SideFieldProps) {
  const { t } = useTranslation("driverDocuments");
  const [state, setState] = useState<"" | "busy" | "tooLarge" | "unreadable">("");
  const choose = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    input.value = ""; // the same file may be chosen again
    if (!file) return;
    setState("busy");
    const made = await pick(file);
    if (typeof made === "string") setState(made);
    else {
      setState("");
      onPicked(made);
    }
  };
  const icon = { "aria-hidden": true, size: 20, strokeWidth: 1.75 } as const;
  const blurred = picked?.sharp !== undefined && picked.sharp < SHARP_FROM;
  return (
    <fieldset className={styles.side}>
      <legend>{label}</legend>
      {picked?.picture && <img src={picked.picture} alt={label} />}
      {picked && !picked.picture && <p>{picked.file.name}</p>}
      {state === "busy" && <p role="status">{t("preparing")}</p>}
      {blurred && <Notice tone="warning">{t("blurred")}</Notice>}
      {(state === "tooLarge" || state === "unreadable") && <Notice tone="danger">{t(`file_${state}`)}</Notice>}
      {missing && <p className={styles.missing}>{t("sideMissing")}</p>}
      <div className={styles.choose}>
        <label>
          <Camera {...icon} />
          {t(picked ? "photoAgain" : "photo")}
          <span className="sr-only">, {label}</span>
          <input
            type="file"
            accept="image/jpeg,image/png"
            capture="environment"
            onChange={({ target }) => void choose(target)}
          />
        </label>
        <label>
          <UploadIcon {...icon} />
          {t("file")}
          <span className="sr-only">, {label}</span>
          <input type="file" accept={ON_PHONES} onChange={({ target }) => void choose(target)} />
        </label>
      </div>
    </fieldset>
  );
}
