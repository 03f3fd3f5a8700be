import { FileArchive, FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { AgreementDialog } from "./agreement-dialog";
import { CertificateDialog } from "./certificate-dialog";
import { useDocumentColumns } from "./columns";
import { type Filter, SIZE, useAgreements, useArchive, useRegister } from "./queries";
import "./documents.css";

const KINDS = ["bill", "invoice", "correction"] as const;
const DRAFTS = ["draft", "approval", "approved", "declined"] as const;
const STATES = [...DRAFTS, "issued", "waiting", "accepted", "refused", "corrected", "cancelled"] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filter in the address, and how it is changed. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const read = (name: string) => params.get(name) ?? "";
  const kind = KINDS.find((one) => one === read("kind"));
  const state = STATES.find((one) => one === read("state"));
  const filter: Filter = {
    ...(DAY.test(read("from")) && { from: read("from") }),
    ...(DAY.test(read("to")) && { to: read("to") }),
    ...(kind && { kind }),
    ...(state && { state }),
    ...(read("driver") && { driver: read("driver") }),
  };
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (name !== "page") next.delete("page");
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: true });
  };
  return { filter, set, page: Math.max(1, Number(read("page")) || 1), clear: () => setParams({}) };
}

/** Every bill, invoice and correction that was issued. */
export default function DocumentsPage() {
  const { t } = useTranslation(["documents", "faults"]);
  const { filter, set, page, clear } = useFilter();
  const register = useRegister(filter, page);
  const archive = useArchive();
  const [problem, setProblem] = useState<Problem>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const columns = useDocumentColumns({
    chosen,
    toggle: (id) =>
      setChosen(chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id])),
    onDriver: (id) => set("driver", id),
  });
  const found = register.data;
  const filtered = Object.keys(filter).length > 0;
  const zip = async () => {
    setProblem(undefined);
    try {
      await archive.mutateAsync(chosen.size > 0 ? { ids: [...chosen] } : filter);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  return (
    <>
      <PageHeader
        title={t("title")}
        actions={
          <>
            <Approval driver={filter.driver ?? ""} />
            <Link className="button button-default button-middle" to="/documents/accountant">
              {t("pack")}
            </Link>
            {found && found.total > 0 && !DRAFTS.some((one) => one === filter.state) && (
              <Button
                kind="primary"
                icon={<FileArchive aria-hidden size={16} strokeWidth={1.75} />}
                loading={archive.isPending}
                onClick={() => void zip()}
              >
                {chosen.size > 0 ? t("zipChosen", { number: chosen.size }) : t("zipAll")}
              </Button>
            )}
          </>
        }
      />
      <Filters filter={filter} set={set} />
      {found && found.uncertified > 0 && <Uncertified number={found.uncertified} />}
      {found && found.awaiting > 0 && !filter.state && (
        <Notice
          tone="info"
          action={
            <Button size="small" onClick={() => set("state", "approval")}>
              {t("seeAwaiting")}
            </Button>
          }
        >
          {t("awaiting", { number: found.awaiting })}
        </Notice>
      )}
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
      {register.isError && !found ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={register.error}
          onRetry={() => void register.refetch()}
        />
      ) : found?.total === 0 ? (
        filtered ? (
          <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clear")} onClear={clear} />
        ) : (
          <FirstUse icon={FileText} title={t("noneTitle")} body={t("noneBody")} />
        )
      ) : (
        <>
          {found && <Sums found={found} />}
          <ListTable
            caption={t("caption")}
            columns={columns}
            rows={found?.items}
            rowKey={({ id }) => id}
            sort={{ by: "issuedOn", descending: true }}
            onSort={() => undefined}
            reloading={register.isPlaceholderData}
          />
        </>
      )}
      {found && found.total > SIZE && (
        <nav className="documents-pages" aria-label={t("pages")}>
          <Button disabled={page === 1} onClick={() => set("page", String(page - 1))}>
            {t("newer")}
          </Button>
          <Button disabled={page * SIZE >= found.total} onClick={() => set("page", String(page + 1))}>
            {t("older")}
          </Button>
        </nav>
      )}
    </>
  );
}

/** Says that offline invoices lack their second code, and takes the certificate that signs it. */
function Uncertified({ number }: { number: number }) {
  const { t } = useTranslation("documents");
  const mayWrite = useSession().may("partner.write");
  const [params, setParams] = useSearchParams();
  const add = mayWrite && (
    <Button size="small" onClick={() => setParams({ certificate: "open" })}>
      {t("certificateAdd")}
    </Button>
  );
  return (
    <>
      <Notice tone="warning" action={add}>
        {t("uncertified", { number })}
      </Notice>
      {params.has("certificate") && <CertificateDialog onClose={() => setParams({}, { replace: true })} />}
    </>
  );
}

/** How drivers approve: of all, or of the one whose documents are shown. */
function Approval({ driver }: { driver: string }) {
  const { t } = useTranslation("documents");
  const agreements = useAgreements().data;
  const mayWrite = useSession().may("settlements.write");
  const [open, setOpen] = useState(false);
  if (!agreements || !mayWrite) return null;
  const own = agreements.drivers.find(({ driverId }) => driverId === driver);
  const now = driver ? (own ?? { approval: "" as const }) : agreements.fleet;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{driver ? t("agreementDriver") : t("agreement")}</Button>
      {open && <AgreementDialog driver={driver} now={now} onClose={() => setOpen(false)} />}
    </>
  );
}

function Filters({ filter, set }: { filter: Filter; set: (name: string, value: string) => void }) {
  const { t } = useTranslation("documents");
  return (
    <form className="documents-filters" aria-label={t("filters")} onSubmit={(event) => event.preventDefault()}>
      <label>
        {t("from")}
        <input type="date" value={filter.from ?? ""} onChange={({ target }) => set("from", target.value)} />
      </label>
      <label>
        {t("to")}
        <input type="date" value={filter.to ?? ""} onChange={({ target }) => set("to", target.value)} />
      </label>
      <label>
        {t("kind")}
        <select value={filter.kind ?? ""} onChange={({ target }) => set("kind", target.value)}>
          <option value="">{t("all")}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kind_${kind}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("state")}
        <select value={filter.state ?? ""} onChange={({ target }) => set("state", target.value)}>
          <option value="">{t("all")}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {t(`state_${state}`)}
            </option>
          ))}
        </select>
      </label>
      {filter.driver && <Button onClick={() => set("driver", "")}>{t("allDrivers")}</Button>}
    </form>
  );
}

function Sums({ found }: { found: NonNullable<ReturnType<typeof useRegister>["data"]> }) {
  const { t } = useTranslation("documents");
  const language = useLanguage();
  const { full } = useAmounts();
  return (
    <dl className="documents-totals" aria-label={t("totals")}>
      <div>
        <dt>{t("countAll")}</dt>
        <dd>{count(found.total, language)}</dd>
      </div>
      {(["net", "vat", "gross"] as const).map((key) => (
        <div key={key}>
          <dt>{t(key)}</dt>
          <dd>{full(found[key])}</dd>
        </div>
      ))}
    </dl>
  );
}
