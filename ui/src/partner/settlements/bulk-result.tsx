import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import type { Bulk } from "./bulk";

/** How far it is, then what was done and what was refused, each with its reason, until somebody puts it away. */
export function BulkResult({ bulk: { progress, result, forget } }: { bulk: Bulk }) {
  const { t } = useTranslation(["settlements", "faults", "common"]);
  if (progress)
    return (
      <div className="settlements-notice">
        <Notice tone="info">{t("progress", { done: progress.done, all: progress.all })}</Notice>
      </div>
    );
  if (!result) return null;
  const { act, done, refused, left, problem } = result;
  return (
    <div className="settlements-notice">
      <Notice
        tone={problem ? "danger" : refused.length > 0 ? "warning" : "info"}
        action={<Button onClick={forget}>{t("common:close")}</Button>}
      >
        {t(`did_${act}`, { number: done })} {refused.length > 0 && t("refusedSome", { number: refused.length })}
        {problem && (
          <p>
            {t(`faults:${problem.code}`, { replace: problem.params })} {t("leftOver", { number: left })}
          </p>
        )}
        {refused.length > 0 && (
          <ul>
            {refused.map(({ row, outcome: { id, fault, params } }) => (
              <li key={id}>
                {t("numbered", { number: row.number, name: `${row.lastName} ${row.firstName}` })}{" "}
                {fault && t(`faults:${fault}`, { replace: params ?? {} })} <Other row={row} params={params} />
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

/** The way to the settlement that must be dealt with first. */
export function Other(props: { row: { driverId: string }; params: Record<string, string> | undefined }) {
  const { t } = useTranslation("settlements");
  const id = props.params?.settlement;
  if (!id) return null;
  return <Link to={`/transactions/summary/${props.row.driverId}/${id}`}>{t("showOther")}</Link>;
}
