import { CircleCheck, CircleSlash, FileChartColumn, OctagonAlert, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Menu, MenuItem } from "../../components/menu";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { PartsNav } from "./parts-nav";
import { type Definition, type Entry, useAdd, useDefinitions, useRemove, useSave } from "./queries";
import styles from "./reports.module.css";

/** What of a definition is saved again. */
const entryOf = ({ code, audience, enabled, version, definition }: Definition): Entry => ({
  code,
  audience,
  enabled,
  version,
  definition,
});

/** All reports of the partner, and those that can be switched on. */
export default function ListPage() {
  const { t } = useTranslation(["reports", "faults"]);
  const language = useLanguage();
  const mayWrite = useSession().may("settlements.write");
  const found = useDefinitions(language);
  const [removing, setRemoving] = useState<Definition>();
  const save = useSave();
  return (
    <>
      <PageHeader
        title={t("title")}
        meta={<PartsNav />}
        actions={
          mayWrite && (
            <Link className="button button-default button-middle" to="/reports/edit">
              <Plus aria-hidden size={16} strokeWidth={1.75} />
              <span>{t("add")}</span>
            </Link>
          )
        }
      />
      {save.error && (
        <div className={styles.inset}>
          <Notice tone="danger">{t(`faults:${save.error.code}`, { replace: save.error.params })}</Notice>
        </div>
      )}
      {found.isError && !found.data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : !found.data ? (
        <div className={styles.wait} role="status" aria-label={t("loading")} />
      ) : (
        <div className={styles.page}>
          {found.data.items.length === 0 ? (
            <FirstUse icon={FileChartColumn} title={t("noneTitle")} body={t(mayWrite ? "noneBody" : "noneRead")} />
          ) : (
            <ul className={styles.list} aria-label={t("title")}>
              {found.data.items.map((one) => (
                <Row
                  key={one.id}
                  of={one}
                  mayWrite={mayWrite}
                  busy={save.isPending && save.variables.id === one.id}
                  onSwitch={() => save.mutate({ id: one.id, entry: { ...entryOf(one), enabled: !one.enabled } })}
                  onRemove={() => setRemoving(one)}
                />
              ))}
            </ul>
          )}
          {mayWrite && <Ready known={found.data.items} ready={found.data.ready} />}
        </div>
      )}
      {removing && <RemoveDialog of={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

interface RowProps {
  of: Definition;
  mayWrite: boolean;
  busy: boolean;
  onSwitch: () => void;
  onRemove: () => void;
}

function Row({ of, mayWrite, busy, onSwitch, onRemove }: RowProps) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const navigate = useNavigate();
  const runs = of.enabled && of.place === "" && of.audience === "partner";
  return (
    <li>
      <div className={styles.what}>
        {runs ? <Link to={`/report/${of.code}`}>{of.title}</Link> : <b>{of.title}</b>}
        <small>
          {[
            t(of.audience === "driver" ? "forDrivers" : "forPartner"),
            of.own
              ? of.changedAt && t("changed", { at: day(of.changedAt, language, timeZone), who: of.changedBy })
              : t("ofOperator"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </small>
      </div>
      {of.place !== "" ? (
        <StatusTag tone="danger" icon={OctagonAlert} word={t("broken", { place: of.place })} />
      ) : of.enabled ? (
        <StatusTag tone="success" icon={CircleCheck} word={t("isOn")} />
      ) : (
        <StatusTag tone="outline" icon={CircleSlash} word={t("isOff")} />
      )}
      {mayWrite && (
        <Menu
          label={t("acts", { title: of.title })}
          placement="below"
          align="end"
          triggerClass="button button-default button-middle"
          trigger={busy ? t("saving") : t("change")}
        >
          {of.own ? (
            <>
              <MenuItem onSelect={() => void navigate(`/reports/edit/${of.id}`)}>{t("edit")}</MenuItem>
              <MenuItem onSelect={onSwitch}>{t(of.enabled ? "switchOff" : "switchOn")}</MenuItem>
              <MenuItem onSelect={() => void navigate(`/reports/edit?copy=${of.id}`)}>{t("copy")}</MenuItem>
              <MenuItem onSelect={onRemove}>{t("remove")}</MenuItem>
            </>
          ) : (
            <MenuItem onSelect={() => void navigate(`/reports/edit?copy=${of.id}`)}>{t("copy")}</MenuItem>
          )}
        </Menu>
      )}
    </li>
  );
}

/** Reports that come with the program and are not there yet. */
function Ready({ known, ready }: { known: readonly Definition[]; ready: readonly Definition[] }) {
  const { t } = useTranslation(["reports", "faults"]);
  const add = useAdd();
  const done = useDoneToast();
  const left = ready.filter(({ code }) => known.every((one) => one.code !== code));
  if (left.length === 0) return null;
  return (
    <section aria-labelledby="reports-ready" className={styles.ready}>
      <h2 id="reports-ready">{t("readyTitle")}</h2>
      <p>{t("readyBody")}</p>
      {add.error && <Notice tone="danger">{t(`faults:${add.error.code}`, { replace: add.error.params })}</Notice>}
      <ul>
        {left.map((one) => (
          <li key={one.code}>
            <span>
              <b>{one.title}</b>
              <small>{t(one.audience === "driver" ? "forDrivers" : "forPartner")}</small>
            </span>
            <Button
              aria-label={t("switchOnOne", { title: one.title })}
              loading={add.isPending && add.variables.code === one.code}
              onClick={() =>
                add.mutate(
                  { ...entryOf(one), enabled: true, version: 0 },
                  { onSuccess: () => done(t("added", { title: one.title })) },
                )
              }
            >
              {t("switchOn")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RemoveDialog({ of, onClose }: { of: Definition; onClose: () => void }) {
  const { t } = useTranslation(["reports", "faults", "common"]);
  const remove = useRemove();
  const done = useDoneToast();
  const confirm = () =>
    void remove.mutateAsync(of).then(
      () => {
        done(t("removed", { title: of.title }));
        onClose();
      },
      () => undefined, // stands in the dialog
    );
  return (
    <Dialog title={t("removeTitle", { title: of.title })} onClose={onClose}>
      <div className={styles.dialog}>
        {remove.error && (
          <Notice tone="danger">{t(`faults:${remove.error.code}`, { replace: remove.error.params })}</Notice>
        )}
        <p>{t("removeBody")}</p>
        <div className={styles.foot}>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button danger kind="primary" loading={remove.isPending} onClick={confirm}>
            {t("remove")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
