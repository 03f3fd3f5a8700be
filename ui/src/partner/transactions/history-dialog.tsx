import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { Dialog } from "../../components/dialog";
import { ErrorState } from "../../components/error-state";
import { History, HistoryLine } from "../../components/history";
import { day } from "../../format/date";
import { money } from "../../format/money";
import { useLanguage } from "../../i18n";
import type { English } from "../../i18n/english";
import { type TypeCode, useHistory } from "./queries";

type Key = keyof English["transactions"];
type Action = Key extends infer Text ? (Text extends `did_${infer Name}` ? Name : never) : never;

// Every action that has a text is here, or this does not compile; that every action has one, the server tests.
const actions: Record<Action, true> = {
  add: true,
  save: true,
  remove: true,
  restore: true,
  retype: true,
  set_evidence: true,
};
const ACTIONS = Object.keys(actions) as Action[];

/** Who changed a transaction, when, from what to what and why. */
export default function HistoryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("transactions");
  const { timeZone } = useConfig();
  const history = useHistory(id);
  return (
    <Dialog title={t("history")} onClose={onClose}>
      {history.isError && (
        <ErrorState
          title={t("historyFailed")}
          undone={t("unchanged")}
          problem={history.error}
          onRetry={() => void history.refetch()}
        />
      )}
      {history.data?.length === 0 && <p>{t("historyNone")}</p>}
      <History>
        {history.data?.map(({ at, who, action, reason, changes }) => {
          const did = ACTIONS.find((name) => action === `transactions.${name}`);
          const telling = did === "save" || did === "retype" || did === "set_evidence";
          return (
            <HistoryLine
              key={at + action}
              what={did ? t(`did_${did}`) : action}
              who={who || t("program")}
              at={at}
              timeZone={timeZone}
            >
              {reason && <span>{reason}</span>}
              {telling && changes.map((change) => <Change key={change.field} {...change} />)}
            </HistoryLine>
          );
        })}
      </History>
    </Dialog>
  );
}

function Change({ field, before, after }: { field: string; before: string; after: string }) {
  const { t } = useTranslation("transactions");
  const language = useLanguage();
  const labels: Record<string, string> = {
    type: t("type"),
    amount: t("amount"),
    occurredOn: t("date"),
    payment: t("payment"),
    name: t("name"),
    description: t("description"),
    reason: t("reason"),
    evidence: t("evidence"),
  };
  const written = (value: string) => {
    if (value === "") return t("none");
    if (field === "amount") return money(BigInt(value), language);
    if (field === "occurredOn") return day(`${value}T12:00:00Z`, language, "UTC");
    if (field === "type") return t(`type_${value as TypeCode}`);
    if (field === "payment") return value === "cash" ? t("cash") : t("card");
    return value;
  };
  return (
    <span>
      {labels[field] ?? field}
      {": "}
      {written(before)}
      {" → "}
      {written(after)}
    </span>
  );
}
