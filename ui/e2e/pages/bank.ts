import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

/** Downloads what a press hands over and reads it. */
export async function downloaded(page: Page): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Pobierz plik" }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "latin1") };
}

/** What a bank would say of the transfers of a file, or of those to one account: that they left, or that they came back. */
export function bankAnswer(pain: string, way: "DBIT" | "CRDT", only = ""): string {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Warsaw" }).format(new Date());
  const back = way === "CRDT" ? "<RtrInf><AddtlInf>Rachunek zamknięty</AddtlInf></RtrInf>" : "";
  let closing = 10_000_000;
  const entries = [
    ...pain.matchAll(
      /<EndToEndId>([^<]+)<\/EndToEndId>[\s\S]*?<InstdAmt Ccy="PLN">(\d+)\.(\d\d)<[\s\S]*?<CdtrAcct>[\s\S]*?<IBAN>(\w+)</g,
    ),
  ]
    .filter(([, , , , iban = ""]) => iban.endsWith(only))
    .map(([, id, whole, cents]) => {
      closing += (way === "CRDT" ? 1 : -1) * Number(`${whole}${cents}`);
      return `<Ntry><Amt Ccy="PLN">${whole}.${cents}</Amt><CdtDbtInd>${way}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${back}</TxDtls></NtryDtls></Ntry>`;
    });
  const balance = (code: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="PLN">${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, "0")}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${today}</Dt></Dt></Bal>`;
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>PL49114020040000330200112177</IBAN></Id></Acct>${balance("OPBD", 10_000_000)}${balance("CLBD", closing)}${entries.join("")}</Stmt></BkToCstmrStmt></Document>`;
}
