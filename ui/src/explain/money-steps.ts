import type { Key as TextKey } from "../i18n/translation";
import { useTranslation } from "../i18n/translation";
import { weekday, weekdayMoment } from "../format/date";
import { useLanguage } from "../i18n";
import { useConfig } from "../session/config";
import { useProviderNames } from "./queries";
import type { Step } from "./steps";
import { awaited, type Timeline, type TimelineStep } from "./timeline";

type Key = TextKey<"explain">;
type OwnStop = Extract<Key, `ownStop_${string}`>;
type Usual = Extract<Key, `usual_${string}`>;

/** What steps and their reasons are called. */
export function useStepWords() {
  const { t } = useTranslation("explain");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const providerName = useProviderNames();
  const when = ({ at, on }: TimelineStep) =>
    at ? weekdayMoment(at, language, timeZone) : on ? weekday(on, language) : "";
  const words = ({ bankSays, provider }: TimelineStep) => ({ words: bankSays, provider: providerName(provider) });
  /** Why it stops, as the partner or its driver reads it. A bank that gave no reason has said nothing. */
  const why = (step: TimelineStep, own = false): string => {
    if (!step.reason || (step.reason === "bank_returned" && !step.bankSays)) return "";
    return own ? t(`ownStop_${step.reason}` as OwnStop, words(step)) : t(`stop_${step.reason}`, words(step));
  };
  /** The day on which the bank was told to pay, or the weekday on which the partner usually does. */
  const expected = ({ usualDay }: Timeline, step: TimelineStep): string => {
    if (!step.expectedOn) return "";
    if (step.payOn === step.expectedOn) return t("orderedFor", { day: weekday(step.payOn, language) });
    return usualDay > 0 ? t(`usual_${usualDay}` as Usual) : "";
  };
  return { t, when, why, expected };
}

/** A step without what is empty. */
const shown = ({ when, note, ...step }: Required<Omit<Step, "tone">> & Pick<Step, "tone">): Step => ({
  ...step,
  ...(when && { when }),
  ...(note && { note }),
});

/** Where the money of a settlement is, for the partner. */
export function useMoneySteps(timeline: Timeline): Step[] {
  const { t, when, why, expected } = useStepWords();
  const next = awaited(timeline);
  const list = timeline.steps.map((step): Step => {
    const state = step.done ? "done" : step === next ? "now" : "later";
    return shown({
      name: t(`step_${step.code}`),
      state,
      when: step.done ? when(step) : expected(timeline, step),
      note: why(step),
      ...(step.code === "returned" && { tone: "danger" as const }),
    });
  });
  const later = (code: "shared" | "batched" | "paid"): Step => ({ name: t(`step_${code}`), state: "later" });
  if (next?.code === "settled") return [...list, later("shared"), later("batched"), later("paid")];
  const paid = list.at(-1);
  if (next?.code !== "paid" || next.batch > 0 || !paid) return list;
  // Nobody has told a bank yet: that is what is to be done now, and the money comes after it.
  const { note, ...last } = paid;
  return [
    ...list.slice(0, -1),
    { name: t("step_batched"), state: "now", ...(note && { note }) },
    { ...last, state: "later" },
  ];
}

/** The same in the four stages that a driver is shown; what came back stands between them. */
export function useOwnSteps(timeline: Timeline): Step[] {
  const { t, when, why, expected } = useStepWords();
  const last = (code: TimelineStep["code"]) => timeline.steps.findLast((step) => step.code === code && step.done);
  const next = awaited(timeline);
  const calculated = last("calculated") ?? last("settled");
  const settled = last("shared") ?? last("settled");
  const batched = last("batched");
  const returned = last("returned");
  const paid = last("paid");
  const back = returned && !paid && timeline.steps.indexOf(returned) > timeline.steps.indexOf(batched ?? returned);
  const reached = paid ? "" : back ? "returned" : batched ? "batched" : "settled";
  const state = (stage: string) => (stage === reached ? "now" : "done");
  const steps: Step[] = [];
  if (calculated) steps.push({ name: t("own_calculated"), state: "done", when: when(calculated) });
  if (settled) steps.push({ name: t("own_settled"), state: state("settled"), when: when(settled) });
  if (batched) steps.push({ name: t("own_batch"), state: state("batched"), when: when(batched) });
  else if (!paid) steps.push({ name: t("own_batch"), state: "later" });
  if (back)
    steps.push(
      shown({ name: t("own_returned"), state: "now", when: when(returned), note: why(returned, true), tone: "danger" }),
    );
  steps.push(
    paid
      ? { name: t("own_paid"), state: "done", when: when(paid) }
      : shown({
          name: t("own_paid"),
          state: "later",
          when: next ? expected(timeline, next) : "",
          note: next ? why(next, true) : "",
        }),
  );
  return steps;
}
