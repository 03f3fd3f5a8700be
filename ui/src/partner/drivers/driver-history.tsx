import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { History, HistoryLine } from "../../components/history";
import { Notice } from "../../components/notice";
import { Section } from "../../components/section";
import { fieldNames } from "./driver-fields";
import { useDriverHistory } from "./queries";
import { useShown } from "./shown";

const events = {
  "drivers.add": "eventAdd",
  "drivers.save": "eventSave",
  "drivers.block": "eventBlock",
  "drivers.unblock": "eventUnblock",
  "drivers.activate": "eventActivate",
  "drivers.deactivate": "eventDeactivate",
  "drivers.activation": "eventActivation",
  "drivers.activation_refused": "eventActivationRefused",
  "drivers.identities": "eventIdentities",
  "drivers.tags": "eventTags",
  "drivers.link": "profiles:eventLink",
  "drivers.unlink": "profiles:eventUnlink",
  "drivers.verify": "profiles:eventVerify",
  "drivers.unverify": "profiles:eventUnverify",
  "drivers.merge": "merge:eventMerge",
  "drivers.merge_away": "merge:eventMergeAway",
  "drivers.unmerge": "merge:eventUnmerge",
  "drivers.unmerge_away": "merge:eventUnmerge",
  "drivers.tell_apart": "merge:eventDismissDuplicate",
  "drivers.propose_again": "merge:eventAgain",
} as const;

const names = {
  ...fieldNames,
  blocked: "blocked",
  active: "active",
  identities: "identities",
  tags: "tags",
  linked: "profiles:linked",
  verified: "profiles:verified",
  mergedWith: "merge:mergedWith",
  mergedInto: "merge:mergedInto",
  notSameAs: "merge:notSameAs",
} as const;

/** Who changed what of a driver, the newest first. */
export function DriverHistory({ id }: { id: string }) {
  const { t } = useTranslation(["drivers", "common", "merge", "profiles"]);
  const { timeZone } = useConfig();
  const history = useDriverHistory(id);
  const shown = useShown();
  return (
    <Section title={t("history")} lead={t("historyLead")}>
      {history.isError && (
        <Notice tone="danger" action={<Button onClick={() => void history.refetch()}>{t("common:retry")}</Button>}>
          {t("historyFailed")}
        </Notice>
      )}
      <History>
        {history.data?.map((event, index) => (
          <HistoryLine
            key={`${event.at} ${index}`}
            what={event.action in events ? t(events[event.action as keyof typeof events]) : t("eventOther")}
            who={event.who}
            at={event.at}
            timeZone={timeZone}
          >
            {event.about && <span>{t("merge:about", { name: event.about })}</span>}
            {event.changes.map(({ field, before, after }) => (
              <span key={field}>
                {field in names ? t(names[field as keyof typeof names]) : field}: {shown(field, before)} →{" "}
                {shown(field, after)}
              </span>
            ))}
          </HistoryLine>
        ))}
      </History>
    </Section>
  );
}
