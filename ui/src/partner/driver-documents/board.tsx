import { BellRing, CalendarCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import type { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ExportMenu } from "../../components/export-menu";
import { Notice } from "../../components/notice";
import { type Due, exportDue, useDue, useRemind } from "../../driver-documents/calls";
import { useTypeName } from "../../driver-documents/names";
import { day, daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import styles from "./documents.module.css";

const GROUPS = ["expired", "7", "14", "30", "missing"] as const;

const keyOf = ({ driverUUID, cell }: Due) => `${driverUUID} ${cell.typeId} ${cell.vehicle}`;

/** How many reminders go at once. */
const MOST = 500;

/** What has run out, does so soon or is missing, the most urgent first; drivers are reminded together. */
export default function Board() {
  const { t } = useTranslation(["driverDocuments", "faults"]);
  const language = useLanguage();
  const found = useDue();
  const remind = useRemind();
  const nameOf = useTypeName();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<Problem>();
  const { items = [], types = [], counts = {} } = found.data ?? {};
  if (found.isError && !found.data)
    return (
      <ErrorState
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (found.data && items.length === 0)
    return <FirstUse icon={CalendarCheck} title={t("boardNoneTitle")} body={t("boardNoneBody")} />;
  const toggle = (keys: readonly string[], on: boolean) =>
    setChosen((now) => new Set(on ? [...now, ...keys] : [...now].filter((key) => !keys.includes(key))));
  const asked = items.filter((one) => chosen.has(keyOf(one))).slice(0, MOST);
  const send = () =>
    remind.mutate(
      asked.map(({ driverUUID, cell }) => ({ driverUUID, typeId: cell.typeId, vehicle: cell.vehicle })),
      { onSuccess: () => setChosen(new Set()) },
    );
  const refused = problem ?? remind.error;
  return (
    <div className={styles.body}>
      <div className={styles.acts}>
        <Button
          kind="primary"
          icon={<BellRing aria-hidden size={16} strokeWidth={1.75} />}
          loading={remind.isPending}
          disabled={asked.length === 0}
          onClick={send}
        >
          {t("remind", { number: asked.length })}
        </Button>
        <ExportMenu
          texts={{ export: t("export"), exporting: t("exporting"), csv: t("exportCsv"), xlsx: t("exportXlsx") }}
          triggerClass="button button-default button-middle"
          make={(format) => exportDue(format, language)}
          onProblem={setProblem}
        />
      </div>
      {remind.data && <p role="status">{t("reminded", { number: remind.data.reminded })}</p>}
      {refused && <Notice tone="danger">{t(`faults:${refused.code}`, { replace: refused.params })}</Notice>}
      <div className={styles.board} aria-busy={!found.data}>
        {GROUPS.map((group) => {
          const name = t(`group_${group}`);
          const here = items.filter((one) => one.group === group);
          const able = here.filter(({ linked }) => linked).map(keyOf);
          return (
            <section key={group} aria-label={name}>
              <header>
                <h2>{t("groupCount", { group: name, number: counts[group] ?? 0 })}</h2>
                {able.length > 0 && (
                  <label>
                    <input
                      type="checkbox"
                      checked={able.every((key) => chosen.has(key))}
                      onChange={({ target }) => toggle(able, target.checked)}
                    />
                    {t("chooseAll")}
                  </label>
                )}
              </header>
              {here.length === 0 && <p className={styles.quiet}>{t("groupNone")}</p>}
              <ul>
                {here.map((one) => (
                  <Card
                    key={keyOf(one)}
                    of={one}
                    name={nameOf(
                      types.find(({ id }) => id === one.cell.typeId),
                      one.cell.vehicle,
                    )}
                    checked={chosen.has(keyOf(one))}
                    onToggle={(on) => toggle([keyOf(one)], on)}
                  />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </div>
  );
}

interface CardProps {
  of: Due;
  name: string;
  checked: boolean;
  onToggle: (on: boolean) => void;
}

function Card({ of, name, checked, onToggle }: CardProps) {
  const { t } = useTranslation("driverDocuments");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { driverUUID, firstName, lastName, linked, cell, remindedAt } = of;
  const driver = `${lastName} ${firstName}`;
  return (
    <li>
      {linked && (
        <input
          type="checkbox"
          aria-label={t("chooseOne", { name: driver, document: name })}
          checked={checked}
          onChange={({ target }) => onToggle(target.checked)}
        />
      )}
      <span className={styles.two}>
        <Link to={`/driver-documents/driver/${driverUUID}`}>{driver}</Link>
        <span>{name}</span>
        {cell.validTo && <small>{t("validUntil", { day: daySpan(cell.validTo, cell.validTo, language) })}</small>}
        <small>
          {!linked
            ? t("noAccount")
            : remindedAt
              ? t("lastReminded", { day: day(remindedAt, language, timeZone) })
              : t("neverReminded")}
        </small>
      </span>
    </li>
  );
}
