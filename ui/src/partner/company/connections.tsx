import { CircleCheck, CircleDashed, CirclePause, CloudOff, type LucideIcon, Plug } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Refusal } from "../../components/refusal";
import { Section } from "../../components/section";
import { StatusTag } from "../../components/status-tag";
import { daySpan, weekdayMoment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import type { Question } from "./people-questions";
import { type Connection, useConnections, useFetchNow, useTestConnection } from "./queries";

const STATES = {
  "": { tone: "neutral", icon: Plug },
  untested: { tone: "neutral", icon: CircleDashed },
  working: { tone: "success", icon: CircleCheck },
  failing: { tone: "warning", icon: CloudOff },
  stopped: { tone: "danger", icon: CirclePause },
} as const satisfies Record<Connection["state"], { tone: string; icon: LucideIcon }>;

// So many days before a certificate ends the next one is asked for, and there is nothing to announce any more.
const RENEWED = 60;

const DENIED: Partial<Record<Connection["kind"], "whyGoogle" | "whyKSeF">> = {
  "drive.google": "whyGoogle",
  ksef: "whyKSeF",
};

const GIGABYTE = 1_000_000_000;

/** How the partner is connected to services of others, and how that fares. */
export function Connections({ mayWrite, onAsk }: { mayWrite: boolean; onAsk: (question: Question) => void }) {
  const { t } = useTranslation(["connections", "common"]);
  const { data, error, refetch } = useConnections();
  return (
    <Section title={t("title")} lead={t("lead")} anchor="services">
      {error && !data && (
        <Refusal
          problem={error}
          undone={t("loadFailed")}
          action={<Button onClick={() => void refetch()}>{t("common:retry")}</Button>}
        />
      )}
      {!data && !error && <span className="bar" role="status" aria-label={t("common:loading")} />}
      <ul className="connections">
        {data?.services.map((one) => (
          <li key={one.kind}>
            <One connection={one} mayWrite={mayWrite} onAsk={onAsk} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface OneProps {
  connection: Connection;
  mayWrite: boolean;
  onAsk: (question: Question) => void;
}

function One({ connection, mayWrite, onAsk }: OneProps) {
  const { t } = useTranslation("connections");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const test = useTestConnection();
  const fetch = useFetchNow();
  const done = useDoneToast();
  const { kind, state, reason, lastOkAt, nextAt, free } = connection;
  const service = t(`kind.${kind}`);
  const there = connection.version > 0;
  const when = (instant: string) => weekdayMoment(instant, language, timeZone);
  // Invoices, which wait for KSeF also before it is connected.
  const sent = kind === "ksef" && [
    connection.delivered > 0 && t("ksefAccepted", { delivered: connection.delivered }),
    connection.waiting > 0 && t("ksefOnTheWay", { waiting: connection.waiting }),
    connection.givenUp > 0 && t("ksefHeld", { givenUp: connection.givenUp }),
    connection.refused > 0 && t("ksefLate", { refused: connection.refused }),
  ];
  const facts = [
    connection.serial && t("ksefFacts", { subject: connection.settings.account, serial: connection.serial }),
    reason && t((reason === "denied" ? DENIED[kind] : undefined) ?? `why.${reason}`),
    connection.serial && t("ksefDays", { days: connection.days ?? 0 }),
    connection.renewsOn &&
      (connection.days ?? 0) > RENEWED &&
      t("ksefRenews", { day: daySpan(connection.renewsOn, connection.renewsOn, language) }),
    connection.renewalRefusedAt &&
      t("ksefNotRenewed", { moment: when(connection.renewalRefusedAt), code: connection.renewalCode ?? "–" }),
    connection.environment && t("ksefEnvironment", { environment: connection.environment }),
    lastOkAt && t("lastOk", { moment: when(lastOkAt) }),
    nextAt && t("nextTry", { moment: when(nextAt) }),
    connection.rows > 0 && t("rows", { rows: connection.rows, fresh: connection.newRows }),
    ...(sent || [
      connection.refused > 0 && t("refused", { refused: connection.refused }),
      connection.delivered > 0 && t("delivered", { delivered: connection.delivered }),
      connection.waiting > 0 && t("waiting", { waiting: connection.waiting }),
      connection.givenUp > 0 && t("givenUp", { givenUp: connection.givenUp }),
    ]),
    typeof free === "number" && t("free", { gigabytes: Math.floor(free / GIGABYTE) }),
  ].filter(Boolean);
  return (
    <div className="connection">
      <div>
        <strong>{service}</strong>{" "}
        <StatusTag {...STATES[state]} word={state === "" ? t("notConnected") : t(`state.${state}`)} />
      </div>
      <p>
        {there
          ? [
              connection.settings.address ??
                connection.settings.fleetNumber ??
                (connection.serial ? "" : connection.settings.account),
              ...facts,
            ]
              .filter(Boolean)
              .join("\n")
          : [t(`hint.${kind}`), ...(sent || [])].filter(Boolean).join(" ")}
      </p>
      {there && !connection.available && <p>{t("unavailable")}</p>}
      {test.error && <Refusal problem={test.error} undone={t("untestedAction")} />}
      {fetch.error && <Refusal problem={fetch.error} undone={t("fetchFailed")} />}
      {mayWrite && (
        <div className="people-actions">
          <Button onClick={() => onAsk({ kind: "connect", service: kind })}>{t(there ? "change" : "connect")}</Button>
          {there && connection.available && (
            <Button
              loading={test.isPending}
              onClick={() =>
                test.mutate(kind, {
                  onSuccess: (after) => done(t(after.state === "working" ? "tested" : "testFailed", { service })),
                })
              }
            >
              {t("test")}
            </Button>
          )}
          {there && connection.available && state !== "stopped" && kind.startsWith("fuel.") && (
            <Button
              loading={fetch.isPending || connection.fetching}
              onClick={() => fetch.mutate(kind, { onSuccess: () => done(t("fetched", { service })) })}
            >
              {t(connection.fetching ? "fetching" : "fetch")}
            </Button>
          )}
          {there && kind.startsWith("drive.") && (
            <Button onClick={() => onAsk({ kind: "deliverSince", service: kind })}>{t("since")}</Button>
          )}
          {there && <Button onClick={() => onAsk({ kind: "disconnect", service: kind })}>{t("remove")}</Button>}
        </div>
      )}
    </div>
  );
}
