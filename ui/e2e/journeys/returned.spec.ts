import { calling, driverWithTrip, settleLastWeek } from "../pages/api";
import { downloaded, bankAnswer } from "../pages/bank";
import { Frame } from "../pages/frame";
import { ProfilePage } from "../pages/profile-page";
import { enterWorkbench } from "../pages/workbench";
import { expect, test } from "../saldo";

const STAYS = "PL61109010140000071219812874";
const RETURNED = "PL27114020040000300201355387";
const ANEW = "PL83101010230000261395100000";

test("one of two transfers comes back and is paid anew, to another account", async ({ page, saldo }) => {
  const call = calling(page);
  const frame = new Frame(page);
  await enterWorkbench(page, saldo, "returned");
  saldo.grant("returned", 100);
  await frame.later("/app/profile");
  const profile = new ProfilePage(page);
  await profile.field("Konto do przelewów (IBAN)").fill("49114020040000330200112177");
  await profile.field("NIP").fill("5260250274");
  await profile.save();
  await expect(page.getByText(/Zapisano/).first()).toBeVisible();
  const ids = [
    await driverWithTrip(call, { firstName: "Anna", lastName: "Zostaje", iban: STAYS }, 100_000),
    await driverWithTrip(call, { firstName: "Jan", lastName: "Wraca", iban: RETURNED }, 50_000),
  ];
  await settleLastWeek(call, ids);

  const left = (name: string) =>
    page.getByRole("region", { name: "Pominięci" }).getByRole("listitem").filter({ hasText: name });
  const row = (name: string) => page.getByRole("table").getByRole("row").filter({ hasText: name });
  const statement = async (file: string) => {
    await frame.later("/app/payouts/statement");
    await page
      .getByLabel("albo wybierz plik")
      .last()
      .setInputFiles({ name: "wyciag.xml", mimeType: "text/xml", buffer: Buffer.from(file) });
  };

  await frame.later("/app/payouts/new");
  await page.getByLabel("Plik dla banku").selectOption("pain03");
  await page.getByRole("button", { name: /^Utwórz przelewy: 2 \(/ }).click();
  await expect(page.getByRole("heading", { name: "Paczka nr 1" })).toBeVisible();
  const first = (await downloaded(page)).text;
  await statement(bankAnswer(first, "DBIT"));
  await page.getByRole("button", { name: /^Potwierdź: zapłacone 2 / }).click();
  await expect(page.getByText(/Rozliczenia wypłacone: 2\./)).toBeVisible();

  // the bank sends one back: it alone waits to be paid again
  await statement(bankAnswer(first, "CRDT", RETURNED));
  await expect(page.getByRole("region", { name: /^Zwroty/ })).toContainText("Wraca");
  await page.getByRole("button", { name: /^Potwierdź: zapłacone 0 .*zwroty 1/ }).click();
  await expect(page.getByText(/Rozliczenia ze zwrotem: 1;/)).toBeVisible();
  await frame.later("/app/payouts/1");
  await expect(page.getByText("Zwroty: 1 z 2")).toBeVisible();
  await frame.later("/app/settlements/paid");
  await expect(row("Zostaje")).toBeVisible();
  await expect(row("Wraca")).toBeHidden();

  // to the account that the driver names now, after somebody says so
  await frame.later(`/app/drivers/${ids[1]}`);
  await page.getByRole("textbox", { name: "IBAN", exact: true }).fill(ANEW);
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText(/Konto zmienione/).first()).toBeVisible();
  await frame.later("/app/payouts/new");
  await page.getByLabel("Plik dla banku").selectOption("pain03");
  await left("Wraca").getByRole("button", { name: "Zapłać na nowe konto" }).click();
  await page.getByRole("button", { name: /^Utwórz przelewy: 1 \(/ }).click();
  await expect(page.getByRole("heading", { name: "Paczka nr 2" })).toBeVisible();
  const second = (await downloaded(page)).text;
  expect(second).toContain(`<IBAN>${ANEW}</IBAN>`);
  expect(second).not.toContain(STAYS);
  const sum = (file: string) => /<CtrlSum>([\d.]+)<\/CtrlSum>/.exec(file)?.[1] ?? "";
  expect(Number(sum(second))).toBeLessThan(Number(sum(first)));
  await statement(bankAnswer(second, "DBIT"));
  await page.getByRole("button", { name: /^Potwierdź: zapłacone 1 / }).click();
  await expect(page.getByText(/Rozliczenia wypłacone: 1\./)).toBeVisible();
  await frame.later("/app/settlements/paid");
  await expect(row("Zostaje")).toBeVisible();
  await expect(row("Wraca")).toBeVisible();
});
