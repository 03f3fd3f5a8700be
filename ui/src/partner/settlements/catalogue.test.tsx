import { screen } from "@testing-library/react";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { show } from "../../i18n";
import deCommon from "../../../../locales/de/common.json";
import de from "../../../../locales/de/faults.json";
import deWords from "../../../../locales/de/settlements.json";
import enCommon from "../../../../locales/en/common.json";
import en from "../../../../locales/en/faults.json";
import enWords from "../../../../locales/en/settlements.json";
import plCommon from "../../../../locales/pl/common.json";
import pl from "../../../../locales/pl/faults.json";
import plWords from "../../../../locales/pl/settlements.json";
import ruCommon from "../../../../locales/ru/common.json";
import ru from "../../../../locales/ru/faults.json";
import ruWords from "../../../../locales/ru/settlements.json";
import ukCommon from "../../../../locales/uk/common.json";
import uk from "../../../../locales/uk/faults.json";
import ukWords from "../../../../locales/uk/settlements.json";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Pending } from "./queries";
import type { Settled } from "./settled-queries";

// Every way in which settling is refused or fails, said by the screens in all five languages.

const languages = [
  { language: "pl", faults: pl, words: plWords },
  { language: "en", faults: en, words: enWords },
  { language: "de", faults: de, words: deWords },
  { language: "uk", faults: uk, words: ukWords },
  { language: "ru", faults: ru, words: ruWords },
] as const;

/** What a settlement of a bulk action can be refused with. */
const refusals = [
  "settlements.not_found",
  "settlements.paid",
  "settlements.not_paid",
  "settlements.revoked",
  "settlements.absorbed",
  "settlements.carried",
  "settlements.nothing_to_carry",
] as const;

const params = { number: "49", period: "2026-W45" };
const filled = (text: string) => text.replaceAll("{{number}}", params.number).replaceAll("{{period}}", params.period);

const settled = (n: number): Settled => ({
  id: `s${n}`,
  number: n,
  driverId: `d${n}`,
  firstName: "Jan",
  lastName: `Nowak${n}`,
  period: "2026-W45",
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  weeks: 1,
  supplementary: false,
  state: "settled",
  absorbedInto: "",
  absorbedPeriod: "",
  apps: [],
  revenue: 100,
  cashCollected: 0,
  due: 100,
  payout: 100,
  next: 0,
  notCarriedCount: 0,
  settledAt: "2026-11-09T08:00:00Z",
  settledBy: "Anna Mazurek",
  sharedAt: null,
  paidOn: "",
  revokedAt: null,
  revokedBy: "",
  revokeReason: "",
  batch: 0,
  bill: null,
  hindrance: "",
});

const pending: Pending = {
  ...settled(1),
  lastName: "Nowak",
  schemaNumber: 1,
  schemaName: "B2B",
  before: 0,
  cash: 0,
  fees: 0,
  costs: 0,
  previous: 0,
  lastPayout: null,
  refusal: "",
  warnings: [],
};
const totals = {
  drivers: 1,
  settleable: 1,
  warned: 0,
  revenue: 100,
  cash: 0,
  fees: 0,
  costs: 0,
  previous: 0,
  due: 100,
  payout: 100,
  providers: [],
};
const common = {
  pl: plCommon.retry,
  en: enCommon.retry,
  de: deCommon.retry,
  uk: ukCommon.retry,
  ru: ruCommon.retry,
};

const server = () =>
  serve({
    "GET /api/session": () =>
      json({
        ...partner,
        permissions: [...partner.permissions, "settlements.read" as const, "settlements.write" as const],
      }),
    "GET /api/settlements/periods": () =>
      json({ periods: [{ code: "2026-W45", firstOn: "2026-11-02", lastOn: "2026-11-08" }] }),
    "GET /api/settlements": () =>
      json({
        items: refusals.map((_, n) => settled(n + 1)),
        totals: { count: 7, revenue: 0, cashCollected: 0, due: 0, payout: 0, notCarriedCount: 0 },
      }),
    "GET /api/settlements/pending": () => refusal(500, { code: "internal" }),
    "POST /api/settlements/share": () =>
      json({ outcomes: refusals.map((fault, n) => ({ id: `s${n + 1}`, fault, params })), done: 0 }),
  });

beforeEach(signedIn);
afterAll(() => show("pl"));

describe.each(languages)("in $language", ({ language, faults, words }) => {
  it("every refusal of a bulk action is named", async () => {
    server();
    await show(language);
    const { user } = renderApp("/settlements/settled");
    await screen.findByRole("link", { name: "Nowak1 Jan" });
    for (const box of screen.getAllByRole("checkbox", { name: /Nowak/ })) await user.click(box);
    await user.click(await screen.findByRole("button", { name: words.moreActs }));
    await user.click(screen.getByRole("menuitem", { name: words.act_share }));
    for (const code of refusals)
      expect(await screen.findByText((text) => text.includes(filled(faults[code])))).toBeInTheDocument();
  });

  it("what cannot be loaded says so, and a dry run that is refused says why", async () => {
    const failing = server();
    await show(language);
    const { user } = renderApp("/settlements/pending");
    expect(await screen.findByText(words.loadFailed)).toBeInTheDocument();
    failing.answers["GET /api/settlements/pending"] = () => json({ items: [pending], totals, all: 1 });
    await user.click(screen.getByRole("button", { name: common[language] }));
    await screen.findByRole("link", { name: "Nowak Jan" });
    for (const code of ["settlements.nothing", "settlements.negative", "licences.used_up"] as const) {
      failing.answers["POST /api/settlement-runs"] = () => refusal(409, { code });
      await user.click(screen.getByRole("button", { name: words.settleAll }));
      expect(await screen.findByText((text) => text.includes(faults[code]))).toBeInTheDocument();
    }
  });
});
