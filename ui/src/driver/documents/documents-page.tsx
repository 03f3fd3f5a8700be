import { ChevronRight, Hourglass, IdCard } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { type DocumentType, type Place, STANDINGS, useDocuments } from "../../driver-documents/calls";
import { useTypeName } from "../../driver-documents/names";
import { DocumentState } from "../../driver-documents/state";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useSession } from "../../session/session";
import { useShown } from "../../waiting/outbox";
import type { DocumentEntry } from "../../waiting/sender";
import styles from "./documents.module.css";

/** A driver's documents; who is not accepted by the fleet yet reads that. */
export default function DocumentsPage() {
  const { t } = useTranslation("explain");
  return useSession().driver?.linked ? (
    <Documents />
  ) : (
    <FirstUse icon={Hourglass} title={t("notLinkedTitle")} body={t("notLinkedBody")} />
  );
}

/** A place with the type that it is of. */
interface Typed extends Place {
  type: DocumentType;
}

/** What a driver has to do about it: it is asked for and not there, over, or refused. */
const isToDo = ({ state, type }: Typed) =>
  state === "expired" || state === "rejected" || (state === "missing" && type.required);

/** Later in the list: what is less urgent, and what need not be there at all. */
const rank = (one: Typed) =>
  one.state === "missing" && !one.type.required ? STANDINGS.length : STANDINGS.indexOf(one.state);

/** What is missing first, then the rest. */
function Documents() {
  const { t } = useTranslation(["driverDocuments", "accounts"]);
  const found = useDocuments("");
  if (found.isError && !found.data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <div className={styles.page} aria-busy="true" />;
  const { types, places } = found.data;
  const all = places
    .flatMap((place): Typed[] => {
      const type = types.find(({ id }) => id === place.typeId);
      return type ? [{ ...place, type }] : [];
    })
    .sort((a, b) => rank(a) - rank(b));
  const toDo = all.filter(isToDo).length;
  const checked = all.some(({ state, type }) => state === "waiting" && type.required);
  return (
    <div className={styles.page}>
      <h1 className="sr-only">{t("accounts:documentsTitle")}</h1>
      {all.length === 0 ? (
        <FirstUse icon={IdCard} title={t("noneTitle")} body={t("noneBody")} />
      ) : (
        <>
          {toDo > 0 ? (
            <Notice tone="warning">{t("toDo", { count: toDo })}</Notice>
          ) : (
            <Notice tone="info">{t(checked ? "allSent" : "allDone")}</Notice>
          )}
          <ul className={styles.list}>
            {all.map((one) => (
              <li key={`${one.typeId} ${one.vehicle}`}>
                <Row of={one} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Row({ of }: { of: Typed }) {
  const { t } = useTranslation("driverDocuments");
  const language = useLanguage();
  const nameOf = useTypeName();
  const { typeId, vehicle, state, type, current, refused } = of;
  const validTo = current?.validTo;
  const kept = useShown().waiting.some(
    ({ kind, entry }) =>
      kind === "document" &&
      (entry as DocumentEntry).type === typeId &&
      (vehicle === "" || (entry as DocumentEntry).vehicle === vehicle),
  );
  const search = vehicle ? `?vehicle=${encodeURIComponent(vehicle)}` : "";
  return (
    <Link className={styles.row} to={`/driver/driver-documents/${typeId}${search}`}>
      <span>
        <b>{nameOf(type, vehicle)}</b>
        <DocumentState of={state} required={type.required} />
        {kept && <small>{t("onPhone")}</small>}
        {state === "rejected" && refused?.note && <small>{refused.note}</small>}
        {validTo && <small>{t("validUntil", { day: daySpan(validTo, validTo, language) })}</small>}
      </span>
      <ChevronRight aria-hidden size={20} strokeWidth={1.75} />
    </Link>
  );
}
