import { useState } from "react";
import { useSearchParams } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Field } from "../../components/field";
import { FreshFirst } from "../../components/fresh-first";
import { Refusal } from "../../components/refusal";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import { KSeFForm } from "./ksef-form";
import {
  type Connection,
  type Service,
  useConnect,
  useConnections,
  useDeliverSince,
  useGoogle,
  useRemoveConnection,
} from "./queries";

interface Asked {
  service: Service;
  onClose: () => void;
}

function useOne(service: Service) {
  return useConnections().data?.services.find(({ kind }) => kind === service);
}

/** Takes where a service is and the account there; it is tried before it is kept. */
export default function ConnectionDialog({ service, onClose }: Asked) {
  const { t } = useTranslation("connections");
  const connection = useOne(service);
  const name = t(`kind.${service}`);
  return (
    <Dialog title={name} onClose={onClose}>
      <FreshFirst back={`/profile?ask=connect-${service}`}>
        {connection &&
          (service === "ksef" ? (
            <KSeFForm connection={connection} onClose={onClose} />
          ) : (
            <Form connection={connection} onClose={onClose} />
          ))}
      </FreshFirst>
    </Dialog>
  );
}

const DELIVERIES = ["statements", "invoices", "reports", "packs"] as const;

function Form({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { t } = useTranslation(["connections", "common", "fields"]);
  const { kind, settings, version } = connection;
  const connect = useConnect();
  const done = useDoneToast();
  const google = kind === "drive.google";
  // What Google led back with: it is good once, and for whoever went there.
  const granted = useSearchParams()[0].get("google") ?? "";
  const consent = useGoogle();
  const [values, setValues] = useState({
    address: settings.address ?? "",
    account: settings.account,
    fleetNumber: settings.fleetNumber ?? "",
    region: settings.region ?? "",
    folder: settings.folder ?? "",
    password: google ? granted : "",
  });
  const [confirm, setConfirm] = useState(settings.confirm ?? false);
  const [deliver, setDeliver] = useState<readonly (typeof DELIVERIES)[number][]>(
    version === 0 ? DELIVERIES : (settings.deliver ?? []),
  );
  const drive = kind.startsWith("drive.");
  const mailbox = kind === "fuel.mailbox";
  const wrong = (name: string) => {
    const field = connect.error?.fields.find((one) => one.name === name || one.name === `settings.${name}`);
    return field && t(`fields:${field.code}`, { replace: field.params ?? {} });
  };
  const text = (name: keyof typeof values, label: string, hint?: string) => (
    <Field label={label} error={wrong(name)} hint={hint}>
      {(control) => (
        <input
          {...control}
          type={name === "password" ? "password" : name === "address" && drive ? "url" : "text"}
          autoComplete={name === "password" ? "new-password" : "off"}
          maxLength={name === "address" ? 1000 : 200}
          value={values[name]}
          onChange={({ target }) => setValues((before) => ({ ...before, [name]: target.value }))}
        />
      )}
    </Field>
  );
  const kept = version > 0 ? t("passwordKept") : undefined;
  return (
    <form
      className="people-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const { address, account, fleetNumber, region, folder, password } = values;
        connect.mutate(
          {
            kind,
            body: {
              version,
              settings: {
                account: account.trim(),
                ...(drive ? { deliver: [...deliver] } : { confirm }),
                ...(kind === "fuel.orlen" && { fleetNumber: fleetNumber.trim() }),
                ...(kind !== "fuel.orlen" && !google && { address: address.trim() }),
                ...(mailbox && folder.trim() && { folder: folder.trim() }),
                ...(kind === "drive.s3" && region.trim() && { region: region.trim() }),
              },
              ...(password && { password }),
            },
          },
          {
            onSuccess: () => {
              done(t("saved", { service: t(`kind.${kind}`) }));
              onClose();
            },
          },
        );
      }}
    >
      {connect.error && <Refusal problem={connect.error} undone={t("unsaved")} back={`/profile?ask=connect-${kind}`} />}
      {consent.error && <Refusal problem={consent.error} undone={t("unsaved")} />}
      {kind === "fuel.orlen" && text("fleetNumber", t("fleetNumber"))}
      {google && <p>{t(granted ? "googleBack" : "googleHint")}</p>}
      {google && (
        <Button loading={consent.isPending} onClick={() => consent.mutate()}>
          {t("googleOpen")}
        </Button>
      )}
      {drive && !google && text("address", t("address"), t(kind === "drive.s3" ? "addressHintS3" : "addressHintDav"))}
      {mailbox && text("address", t("server"), t("serverHint"))}
      {!google && text("account", t(kind === "drive.s3" ? "key" : "account"))}
      {!google &&
        text(
          "password",
          t(kind === "drive.s3" ? "secret" : "password"),
          kept ?? (kind === "drive.webdav" || mailbox ? t("passwordHint") : undefined),
        )}
      {mailbox && text("folder", t("folder"), t("folderHint"))}
      {kind === "drive.s3" && text("region", t("region"), t("regionHint"))}
      {!drive && (
        <div className="deliver">
          <label>
            <input type="checkbox" checked={confirm} onChange={({ target }) => setConfirm(target.checked)} />
            {t("confirm")}
          </label>
          <p>{t("confirmHint")}</p>
        </div>
      )}
      {drive && (
        <fieldset className="deliver">
          <legend>{t("deliver")}</legend>
          {DELIVERIES.map((one) => (
            <label key={one}>
              <input
                type="checkbox"
                checked={deliver.includes(one)}
                onChange={({ target }) =>
                  setDeliver((before) => DELIVERIES.filter((it) => (it === one ? target.checked : before.includes(it))))
                }
              />
              {t(`deliver_${one}`)}
            </label>
          ))}
        </fieldset>
      )}
      <div className="people-foot">
        <Button onClick={onClose} disabled={connect.isPending}>
          {t("common:cancel")}
        </Button>
        <Button kind="primary" type="submit" disabled={google && version === 0 && !granted} loading={connect.isPending}>
          {t(connection.available ? "save" : "saveOnly")}
        </Button>
      </div>
    </form>
  );
}

/** Disconnecting forgets the password; what was delivered stays. */
export function Disconnect({ service, onClose }: Asked) {
  const { t } = useTranslation(["connections", "common"]);
  const remove = useRemoveConnection();
  const done = useDoneToast();
  const name = t(`kind.${service}`);
  return (
    <Dialog title={name} onClose={onClose}>
      <div className="people-form">
        <p>
          {service === "ksef"
            ? t("ksefRemove")
            : t(service.startsWith("fuel.") ? "removeQuestionFuel" : "removeQuestion", { service: name })}
        </p>
        {remove.error && <Refusal problem={remove.error} undone={t("stillThere")} />}
        <div className="people-foot">
          <Button onClick={onClose} disabled={remove.isPending}>
            {t("common:cancel")}
          </Button>
          <Button
            kind="primary"
            danger
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(service, {
                onSuccess: () => {
                  done(t("removed", { service: name }));
                  onClose();
                },
              })
            }
          >
            {t("remove")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Documents from before the connection go to the drive too. */
export function DeliverSince({ service, onClose }: Asked) {
  const { t } = useTranslation(["connections", "common", "fields"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const connection = useOne(service);
  const send = useDeliverSince();
  const done = useDoneToast();
  const [from, setFrom] = useState("");
  return (
    <Dialog title={t("sinceTitle")} onClose={onClose}>
      <form
        className="people-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate(
            { kind: service, from },
            {
              onSuccess: () => {
                done(t("sinceDone"));
                onClose();
              },
            },
          );
        }}
      >
        {send.error && <Refusal problem={send.error} undone={t("unsaved")} />}
        <Field
          label={t("sinceDay")}
          hint={
            connection?.deliverFrom &&
            t("sinceHint", { day: day(`${connection.deliverFrom}T12:00:00Z`, language, timeZone) })
          }
        >
          {(control) => (
            <input {...control} type="date" required value={from} onChange={({ target }) => setFrom(target.value)} />
          )}
        </Field>
        <div className="people-foot">
          <Button onClick={onClose} disabled={send.isPending}>
            {t("common:cancel")}
          </Button>
          <Button kind="primary" type="submit" disabled={!from} loading={send.isPending}>
            {t("sinceNow")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
