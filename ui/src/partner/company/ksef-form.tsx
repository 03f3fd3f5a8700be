import { Paperclip } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Field } from "../../components/field";
import { Refusal } from "../../components/refusal";
import { type Connection, useConnect } from "./queries";

// A file that is longer is none of these: what is sent of it is refused.
const MOST_BYTES = 15_000;

async function base64(file: File) {
  return btoa(String.fromCharCode(...new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())));
}

/** Takes a certificate of KSeF with its key. */
export function KSeFForm({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { t } = useTranslation(["connections", "common"]);
  const connect = useConnect();
  const done = useDoneToast();
  const [certificate, setCertificate] = useState<File>();
  const [key, setKey] = useState<File>();
  const [password, setPassword] = useState("");
  const send = async (one: File, other: File) => {
    const body = {
      version: connection.version,
      settings: { account: "" },
      certificate: await base64(one),
      key: await base64(other),
      ...(password && { password }),
    };
    connect.mutate(
      { kind: "ksef", body },
      {
        onSuccess: () => {
          done(t("saved", { service: t("kind.ksef") }));
          onClose();
        },
      },
    );
  };
  return (
    <form
      className="people-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (certificate && key) void send(certificate, key);
      }}
    >
      <p>{t("ksefLead")}</p>
      {connect.error && <Refusal problem={connect.error} undone={t("unsaved")} back="/profile?ask=connect-ksef" />}
      <Choice
        label={t("ksefCertificate")}
        hint={t("ksefCertificateHint")}
        accept=".crt,.cer,.pem,.der"
        chosen={certificate}
        onChoose={setCertificate}
      />
      <Choice label={t("ksefKey")} hint={t("ksefKeyHint")} accept=".key,.pem,.der" chosen={key} onChoose={setKey} />
      <Field label={t("ksefPassword")} hint={t("ksefPasswordHint")}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="off"
            maxLength={200}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      <div className="people-foot">
        <Button onClick={onClose} disabled={connect.isPending}>
          {t("common:cancel")}
        </Button>
        <Button kind="primary" type="submit" disabled={!certificate || !key} loading={connect.isPending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  hint: string;
  accept: string;
  chosen: File | undefined;
  onChoose: (file: File | undefined) => void;
}

/** One file, whose name stands on the button once it is chosen. */
function Choice({ label, hint, accept, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation("connections");
  const input = useRef<HTMLInputElement>(null);
  const what = chosen?.name ?? t("ksefChoose");
  return (
    <div className="ksef-file">
      <strong>{label}</strong>
      <input
        ref={input}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
      <Button
        icon={<Paperclip aria-hidden size={16} strokeWidth={1.75} />}
        aria-label={`${label}: ${what}`}
        onClick={() => input.current?.click()}
      >
        {what}
      </Button>
      <p className="field-hint">{hint}</p>
    </div>
  );
}
