import { ArrowLeft, ArrowRightLeft } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { MergeForm } from "./merge-form";
import { usePreview } from "./merge-queries";
import { useDriver, useDrivers } from "./queries";
import "./drivers.css";
import "./merge.css";

/** Two entries of one person side by side: who stays, what moves, and the totals after. */
export default function MergePage() {
  const { t } = useTranslation(["merge", "common"]);
  const { id = "" } = useParams();
  const [params] = useSearchParams();
  const other = params.get("with") ?? "";
  const preview = usePreview(id, other);
  const navigate = useNavigate();
  const of = preview.data;
  return (
    <>
      <nav className="driver-back">
        <Link to={`/drivers/${id}`}>
          <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
          {t("back")}
        </Link>
      </nav>
      <PageHeader
        title={t("title")}
        actions={
          of && (
            <Button
              icon={<ArrowRightLeft aria-hidden size={16} strokeWidth={1.75} />}
              onClick={() => void navigate(`/drivers/${other}/merge?with=${id}`, { replace: true })}
            >
              {t("swap")}
            </Button>
          )
        }
      />
      {other === "" ? (
        <Picker id={id} />
      ) : preview.isError ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={preview.error}
          onRetry={() => void preview.refetch()}
        />
      ) : of ? (
        <MergeForm key={`${id} ${other}`} preview={of} />
      ) : (
        <div className="driver-wait" role="status" aria-label={t("common:loading")}>
          {[1, 2, 3, 4].map((line) => (
            <span key={line} className="bar" />
          ))}
        </div>
      )}
    </>
  );
}

/** Finds the other entry of the same person, beginning with those who have the same last name. */
function Picker({ id }: { id: string }) {
  const { t } = useTranslation(["merge", "drivers"]);
  const driver = useDriver(id).data;
  const [typed, setTyped] = useState<string>();
  const query = typed ?? driver?.lastName ?? "";
  const found = useDrivers({ size: 20, sort: "name", page: 1, ...(query.trim() && { q: query.trim().slice(0, 100) }) });
  const others = found.data?.drivers.filter((one) => one.id !== id);
  return (
    <div className="merge-pick">
      {driver && <h2>{t("pickTitle", { name: `${driver.firstName} ${driver.lastName}` })}</h2>}
      <p>{t("pickLead")}</p>
      <SearchField label={t("drivers:search")} value={query} onChange={setTyped} />
      {others?.length === 0 && <p role="status">{t("pickNone")}</p>}
      <ul>
        {others?.map((one) => (
          <li key={one.id}>
            <span>
              <b>
                {one.lastName} {one.firstName}
              </b>
              <small>{[one.email, one.phone].filter(Boolean).join(" · ")}</small>
            </span>
            <Link
              to={`/drivers/${id}/merge?with=${one.id}`}
              aria-label={t("pick", { name: `${one.firstName} ${one.lastName}` })}
            >
              {t("compare")}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
