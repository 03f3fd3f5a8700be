import { useState } from "react";
import { recall, remember } from "../../browser/storage";
import { today } from "../../format/date";
import { useConfig } from "../../session/config";
import { weekCode, weeksBefore } from "./weeks";

const WEEKS = 13;
const DAY_MS = 86_400_000;
const KEPT = "imports.week";

/** A week that files can be for. */
export interface Week {
  code: string;
  firstOn: string;
  lastOn: string;
}

/** The week for rows that say no date: the last that has ended, until somebody chooses another one. */
export function useWeek() {
  const day = today(useConfig().timeZone);
  // The week that goes on can be chosen too.
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 7 * DAY_MS).toISOString().slice(0, 10);
  const weeks = weeksBefore(next, WEEKS).map(
    ([firstOn, lastOn]): Week => ({ code: weekCode(firstOn), firstOn, lastOn }),
  );
  const usual = weeks[1]?.code ?? "";
  // A choice holds for the week in which it was made.
  const [code, setCode] = useState(() => {
    const [chosen, at] = (recall("sessionStorage", KEPT) ?? "").split(" ");
    return at === usual && weeks.some((one) => one.code === chosen) ? (chosen ?? usual) : usual;
  });
  return {
    weeks,
    week: weeks.find((one) => one.code === code),
    choose: (chosen: string) => {
      remember("sessionStorage", KEPT, `${chosen} ${usual}`);
      setCode(chosen);
    },
  };
}
