import { useConfig } from "../session/config";
import { weekday, weekdayMoment } from "../format/date";
import type { Explained, Settled } from "./queries";
import type { Step } from "./steps";
import { useWords } from "./words";

/** Where the money of a settlement is, for the partner. */
export function useMoneySteps(settlement: Explained): Step[] {
  const { t, language } = useWords(settlement);
  const { timeZone } = useConfig();
  const { settled } = settlement;
  const at = (instant: string) => weekdayMoment(instant, language, timeZone);
  const shared = settled?.sharedAt;
  return [
    { name: t("step_imported"), state: "done" },
    { name: t("step_calculated"), state: "done" },
    settled
      ? { name: t("step_settled"), state: "done", when: at(settled.settledAt) }
      : { name: t("step_settled"), state: "now", when: t("waitsForYou") },
    shared
      ? { name: t("step_shared"), state: "done", when: at(shared) }
      : { name: t("step_shared"), state: "later", ...(settled && { when: t("notShared") }) },
    ...(settled?.paidOn
      ? [{ name: t("step_paid"), state: "done" as const, when: weekday(settled.paidOn, language) }]
      : [
          { name: t("step_batch"), state: "later" as const },
          { name: t("step_paid"), state: "later" as const },
        ]),
  ];
}

/** The same in the four stages that a driver is shown. */
export function useOwnSteps(settlement: Explained & { settled: Settled }): Step[] {
  const { t, language } = useWords(settlement);
  const { timeZone } = useConfig();
  const { settledAt, sharedAt, paidOn } = settlement.settled;
  const at = (instant: string) => weekdayMoment(instant, language, timeZone);
  return [
    { name: t("own_calculated"), state: "done", when: at(settledAt) },
    { name: t("own_settled"), state: paidOn ? "done" : "now", ...(sharedAt && { when: at(sharedAt) }) },
    ...(paidOn
      ? [{ name: t("own_paid"), state: "done" as const, when: weekday(paidOn, language) }]
      : [
          { name: t("own_batch"), state: "later" as const },
          { name: t("own_paid"), state: "later" as const },
        ]),
  ];
}
