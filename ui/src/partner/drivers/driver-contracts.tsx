import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { answer, api } from "../../api/client";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { Section } from "../../components/section";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";

const CONTRACTS = "/api/partner-documents/signed";

/** What a driver has signed, the newest first, and the way to each. */
export default function DriverContracts({ id }: { id: string }) {
  const { t } = useTranslation(["contractList", "common"]);
  const language = useLanguage();
  const found = useQuery({
    queryKey: [CONTRACTS, "of", id],
    queryFn: ({ signal }) => answer(api.GET(CONTRACTS, { signal, params: { query: { driverUuid: id } } })),
    select: ({ contracts }) => contracts,
  });
  return (
    <Section title={t("driverSection")} lead={t("driverSectionLead")}>
      {found.isError && (
        <Notice tone="danger" action={<Button onClick={() => void found.refetch()}>{t("common:retry")}</Button>}>
          {t("loadFailed")}
        </Notice>
      )}
      {found.data?.length === 0 && <p>{t("driverHasNone")}</p>}
      <ul className="driver-contracts" aria-busy={!found.data && !found.isError}>
        {found.data?.map(({ contractId, number, from, kinds, state }) => (
          <li key={contractId}>
            <Link to={`/contracts/${id}/${contractId}`}>{number || daySpan(from, from, language)}</Link>
            <span>{kinds.map((kind) => t(`kind_${kind as "employment"}`)).join(", ")}</span>
            <b>{t(`state_${state}`)}</b>
          </li>
        ))}
      </ul>
    </Section>
  );
}
