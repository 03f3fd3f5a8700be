import { expect, type Page } from "@playwright/test";
import { lastWeek } from "./monday";

/** A form with files, instead of JSON. */
interface Form {
  multipart: Record<string, string | { name: string; mimeType: string; buffer: Buffer }>;
}

const isForm = (data: unknown): data is Form => typeof data === "object" && data !== null && "multipart" in data;

export type Call = <Answer>(method: string, path: string, data?: unknown) => Promise<Answer>;

/** Calls the API as whoever is signed in on the page. What a journey is not about is made this way. */
export function calling(page: Page): Call {
  let token = "";
  page.on("request", (request) => {
    if (request.url().includes("/api/")) token = request.headers().authorization ?? token;
  });
  return async <Answer>(method: string, path: string, data?: unknown): Promise<Answer> => {
    const answer = await page.request.fetch(path, {
      method,
      headers: { Authorization: token, "Idempotency-Key": crypto.randomUUID() },
      ...(isForm(data) ? data : data !== undefined && { data }),
    });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    const text = await answer.text();
    return (text ? JSON.parse(text) : undefined) as Answer;
  };
}

/** A settlement schema that pays all of the income out, with what a journey wants otherwise. */
export async function newSchema(call: Call, otherwise: Record<string, unknown>): Promise<number> {
  const { schemaNumber } = await call<{ schemaNumber: number }>("POST", "/api/settlement-schemas", {
    contractType: "EMPLOYMENT",
    weeklyContractCost: 0,
    monthlyContractCost: 0,
    settlementCost: 5000,
    additionalCosts: [],
    dailyFee: { UBER: 0, BOLT: 0, FREENOW: 0 },
    maxFee1: null,
    maxFee2: null,
    maxFee3: null,
    tripSettlementCost: 0,
    tripFee: 0,
    maxTripSettlementCost: null,
    minContractIncome: 0,
    vatMethod: "INSIDE",
    invoiceVat: "REDUCED",
    vatSplit: false,
    deductionRateBp: 5000,
    depreciationRateBp: 0,
    payoutRateBp: 10000,
    payoutOf: "INCOME",
    payoutIncludesCash: true,
    weekStartDay: 1,
    minTransfer: 1000,
    autoNextPeriod: true,
    costRates: [],
    ...otherwise,
  });
  return schemaNumber;
}

/** A driver with a trip on Wednesday of last week. */
export async function driverWithTrip(call: Call, driver: Record<string, unknown>, amount: number): Promise<string> {
  const { id } = await call<{ id: string }>("POST", "/api/drivers", driver);
  const [monday] = lastWeek();
  const wednesday = new Date(Date.parse(`${monday}T00:00:00Z`) + 2 * 86_400_000).toISOString().slice(0, 10);
  await call("POST", "/api/transactions", {
    driverUUID: id,
    kind: "internal",
    amount,
    occurredOn: wednesday,
    payment: "card",
    name: "Kurs",
    reason: "Kurs",
  });
  return id;
}

/** Settles drivers for last week. */
export async function settleLastWeek(call: Call, drivers: readonly string[]) {
  const { periods } = await call<{ periods: { code: string }[] }>("GET", "/api/settlements/periods");
  const run = await call<{ id: string }>("POST", "/api/settlement-runs", { period: periods[1]?.code, drivers });
  await call("POST", `/api/settlement-runs/${run.id}/start`, { share: true });
}
