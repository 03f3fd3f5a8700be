import { expect, type Page } from "@playwright/test";
import type { Saldo } from "../saldo";
import { type Call, calling } from "./api";
import { clean } from "./clean";
import { counted } from "./counted";
import { texts } from "./texts";
import { card, enterWorkbench } from "./workbench";

/** What a partner reads of itself and does not write. */
const NOT_OURS = ["code", "settlementLimit", "settlementUsage", "uuid", "logo", "remaining", "demo"];

interface Country {
  language: string;
  bolt: string;
  uber: string;
  taxId: string;
  account: string;
  driversAccount: string;
}

export const POLAND: Country = {
  language: "pl",
  bolt: "bolt-earnings-pl.csv",
  uber: "uber-payments_driver-pl.csv",
  taxId: "5260250274",
  account: "PL49114020040000330200112177",
  driversAccount: "PL61109010140000071219812874",
};

export const GERMANY: Country = {
  language: "de",
  bolt: "bolt-earnings-de.csv",
  uber: "uber-payments_driver-de.csv",
  taxId: "DE136695976",
  account: "DE89370400440532013000",
  driversAccount: "DE75512108001245126199",
};

/** Writes a bank account down for a driver, as the driver does on a phone. */
async function giveAccount(call: Call, id: string, iban: string) {
  const { version, firstName, lastName, email, phone } = await call<Record<string, string | number>>(
    "GET",
    `/api/drivers/${id}`,
  );
  await call("PUT", `/api/drivers/${id}`, { version, firstName, lastName, email, phone, iban });
}

/** A partner of its own that knows nobody yet, on its first screen. */
async function ready(page: Page, call: Call, saldo: Saldo, code: string, country: Country) {
  await enterWorkbench(page, saldo, code, texts(country.language));
  saldo.grant(code, 100);
  const own = await call<Record<string, unknown>>("GET", "/api/partners");
  const kept = Object.entries(own).filter(([name]) => !NOT_OURS.includes(name));
  const { taxId, account } = country;
  await call("PUT", "/api/partners", { ...Object.fromEntries(kept), taxId, account });
  await page.goto("/app/");
}

/** Two files with people nobody knows, settled, sent, one of them revoked, paid. Returns how many steps it took. */
export async function wholeMonday(
  page: Page,
  saldo: Saldo,
  code: string,
  country: Country,
  by: "pointer" | "keyboard",
): Promise<number> {
  const text = texts(country.language);
  const call = calling(page);
  await ready(page, call, saldo, code, country);
  const person = counted(page, by);
  const button = (key: string) => page.getByRole("button", { name: text(key) });
  const dialog = page.getByRole("dialog");

  // Files
  const steps = page.getByRole("list", { name: text("home:steps") });
  await person.press(steps.getByRole("link").first());
  await person.files(button("imports:choose"), [country.bolt, country.uber]);
  await person.press(card(page, country.uber).getByRole("button", { name: "Uber", exact: true }));
  const files = page.getByRole("region", { name: /^2 / });
  await person.press(files.getByRole("button", { name: text("imports:confirm") }));
  await expect(card(page, country.uber).getByText(text("imports:done"))).toBeVisible();
  await expect(card(page, country.bolt).getByText(text("imports:done"))).toBeVisible();

  // People
  await person.press(page.getByRole("link", { name: text("imports:toUnmatched") }).first());
  await person.press(button("imports:manyCreate"));
  await expect(page.getByText(text("imports:manyDone_create"))).toBeVisible();

  // Settling
  await person.press(button("home:go_settle"));
  await person.press(button("settlements:settleAll"));
  await person.press(dialog.getByRole("button", { name: text("settlements:settleMany") }));
  await person.press(dialog.getByRole("button", { name: text("settlements:sendNext") }));

  // Sending
  const sending = page.getByRole("dialog", { name: text("sending:title") });
  await person.press(sending.getByRole("button", { name: text("sending:sendNow") }));
  await expect(sending).toBeHidden();
  await clean(page, "the settled list");

  // One is revoked
  await person.press(button("settlements:actionsOf").first());
  await person.press(page.getByRole("menuitem", { name: text("settlements:act_revoke") }));
  const revoke = page.getByRole("dialog", { name: text("settlements:revokeOne") });
  await person.fill(revoke.getByRole("textbox"), "Zły plik");
  await person.press(revoke.getByRole("button", { name: text("settlements:revokeMany") }));
  await expect(page.getByText(text("settlements:did_revoke"))).toBeVisible();

  // Paying: one has given an account since, the others have none yet.
  const { items } = await call<{ items: { driverId: string }[] }>("GET", "/api/settlements?state=settled");
  await giveAccount(call, items[0]?.driverId ?? "", country.driversAccount);
  await person.press(button("settlements:transfersNext"));
  await person.press(button("payouts:payAnyway"));
  await person.press(button("payouts:makeOne"));
  await expect(page.getByRole("heading", { level: 1, name: text("payouts:batch") })).toBeVisible();
  const download = page.waitForEvent("download");
  await person.press(button("payouts:download"));
  await expect(page.getByText((await download).suggestedFilename())).toBeVisible();
  await person.press(button("payouts:payAll"));
  await person.press(dialog.getByRole("button", { name: text("payouts:payNow") }));
  await expect(dialog).toBeHidden();

  await page.goto("/app/");
  await expect(steps.getByRole("link")).toHaveCount(7);
  await clean(page, "home");
  return person.steps;
}
