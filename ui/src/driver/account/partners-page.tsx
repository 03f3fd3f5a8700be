import { Building2 } from "lucide-react";
import { useDeferredValue, useEffect, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { useLanguage } from "../../i18n";
import type { Language } from "../../i18n/languages";
import { forgetInvitation } from "../../session/invitation";
import { ChooseDialog } from "./choose-dialog";
import { InvitePartner } from "./invite-partner";
import { type PartnerChoice, usePartnerChoices } from "./queries";
import { Waiting } from "./waiting";
import "./accounts.css";

export default function PartnersPage() {
  const { t } = useTranslation("accounts");
  const [params, setParams] = useSearchParams();
  const query = params.get("q") ?? "";
  const setQuery = (q: string) => setParams(q ? { q } : {}, { replace: true, flushSync: true });
  const [asked, setAsked] = useState<PartnerChoice>();
  const language = useLanguage();
  const partners = usePartnerChoices(useDeferredValue(query.trim()), language);
  const invited = useInvited(params.get("choose"), language);
  const chosen = asked ?? invited;
  return (
    <>
      <PageHeader title={t("partnersTitle")} />
      <div className="account-page">
        <p className="account-lead">{t("partnersLead")}</p>
        <SearchField label={t("partnersSearch")} value={query} onChange={setQuery} />
        {partners.data ? (
          <PartnerList partners={partners.data} query={query} onChoose={setAsked} onClear={() => setQuery("")} />
        ) : partners.error ? (
          <ErrorState
            title={t("partnersFailed")}
            undone={t("nothingChanged")}
            problem={partners.error}
            onRetry={() => void partners.refetch()}
          />
        ) : (
          <Waiting />
        )}
        <InvitePartner />
      </div>
      {chosen && (
        <ChooseDialog
          partner={chosen}
          onClose={() => {
            setAsked(undefined);
            setQuery(query);
          }}
        />
      )}
    </>
  );
}

/** The partner through whose link the driver came, unless it is theirs already. They are asked once. */
function useInvited(code: string | null, language: Language) {
  const { partner: own } = useSession();
  const { data, isPlaceholderData } = usePartnerChoices(code ?? "", language);
  const known = code !== null && data !== undefined && !isPlaceholderData;
  useEffect(() => {
    if (known) forgetInvitation();
  }, [known]);
  return known && code !== own?.code ? data.find((partner) => partner.code === code) : undefined;
}

function PartnerList(props: {
  partners: PartnerChoice[];
  query: string;
  onChoose: (partner: PartnerChoice) => void;
  onClear: () => void;
}) {
  const { t } = useTranslation(["accounts", "common"]);
  const { partner: own } = useSession();
  if (props.partners.length === 0 && props.query)
    return (
      <NoMatch
        title={t("partnersNoMatch", { query: props.query })}
        body={t("partnersNoMatchBody")}
        clear={t("common:clear")}
        onClear={props.onClear}
      />
    );
  if (props.partners.length === 0)
    return <FirstUse icon={Building2} title={t("partnersNone")} body={t("partnersNoMatchBody")} />;
  return (
    <ul className="partners" aria-label={t("partnersTitle")}>
      {props.partners.map((partner) => (
        <li key={partner.uuid}>
          <div className="partners-name">
            <b>{partner.name}</b>
            {partner.cities.length > 0 && <span>{partner.cities.join(", ")}</span>}
          </div>
          {partner.uuid === own?.id ? (
            <span className="partners-own">{t("chosen")}</span>
          ) : (
            <Button
              size="large"
              aria-label={t("chooseNamed", { name: partner.name })}
              onClick={() => props.onChoose(partner)}
            >
              {t("choose")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
