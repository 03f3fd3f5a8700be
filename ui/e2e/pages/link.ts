import type { Page } from "@playwright/test";
import { expect, type Saldo } from "../saldo";

/** A slow line: 400 kbit/s, 400 ms. */
const BYTES_A_SECOND = 50_000;
const ROUND_TRIP_S = 0.4;
/** What a server sends before the first answer that it arrives; twice as much in each round trip after it. */
const FIRST_WINDOW = 14_000;

/**
 * How long the page that is open would take on a slow line until it can be drawn: the document and what it waits for, as bytes and round
 * trips. It is the cause of what `bench/slow-line.mjs` measures.
 */
export async function drawnOnSlowLine(page: Page): Promise<{ bytes: number; seconds: number }> {
  const { documentBytes, blocking } = await page.evaluate(() => {
    const [document] = performance.getEntriesByType("navigation") as PerformanceResourceTiming[];
    const resources = performance.getEntriesByType("resource") as (PerformanceResourceTiming & {
      renderBlockingStatus: string;
    })[];
    return {
      documentBytes: document?.transferSize ?? 0,
      blocking: resources.filter((one) => one.renderBlockingStatus === "blocking").map((one) => one.transferSize),
    };
  });
  expect(documentBytes).toBeGreaterThan(1000); // it came over the line, not out of a cache
  const bytes = blocking.reduce((sum, one) => sum + one, documentBytes);
  // connecting, encryption, the document; one more for what the document waits for
  const trips = 3 + Math.ceil(Math.log2(Math.max(1, documentBytes / FIRST_WINDOW))) + (blocking.length > 0 ? 1 : 0);
  return { bytes, seconds: bytes / BYTES_A_SECOND + trips * ROUND_TRIP_S };
}

/** The link of the bill that an address was mailed. */
export async function linkTo(saldo: Saldo, address: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const mail = (await saldo.mailTo(address)).replace(/=\r?\n/g, "");
    link = /driver-summary\/[\w-]{43}/.exec(mail)?.[0];
    expect(link).toBeDefined();
  }).toPass({ timeout: 120_000 });
  return `/app/${link ?? ""}`;
}
