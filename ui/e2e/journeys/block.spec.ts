import { calling, driverWithTrip } from "../pages/api";
import { clean } from "../pages/clean";
import { Frame } from "../pages/frame";
import { enterWorkbench } from "../pages/workbench";
import { expect, test } from "../saldo";

test("a driver blocked on Monday is not settled, and not paid what was settled before, until unblocked", async ({
  page,
  saldo,
}) => {
  const call = calling(page);
  const frame = new Frame(page);
  await enterWorkbench(page, saldo, "block-monday");
  saldo.grant("block-monday", 100);
  await driverWithTrip(call, { firstName: "Anna", lastName: "Wolna", iban: "PL61109010140000071219812874" }, 100_000);
  const id = await driverWithTrip(call, { firstName: "Jan", lastName: "Zamknięty" }, 50_000);

  const block = async () => {
    await frame.later(`/app/drivers/${id}`);
    await page.getByRole("button", { name: "Zablokuj" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Zablokuj" }).click();
    await expect(page.getByRole("button", { name: "Odblokuj" })).toBeVisible();
  };
  const unblock = async () => {
    await frame.later(`/app/drivers/${id}`);
    await page.getByRole("button", { name: "Odblokuj" }).click();
    await expect(page.getByRole("button", { name: "Zablokuj" })).toBeVisible();
  };

  // the dry run names who stays and why; settling all settles the other one
  await block();
  await frame.later("/app/settlements/pending");
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect(row("Zamknięty")).toContainText("Zablokowany");
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
  const drawer = page.locator(".run-drawer");
  await drawer.getByText(/^Kto zostaje i dlaczego/).click();
  await expect(drawer.getByText("Rozliczysz po odblokowaniu kierowcy.")).toBeVisible();
  await clean(page, "dry run");
  await drawer.getByRole("button", { name: /^Rozlicz 1 \(/ }).click();
  await expect(drawer.getByText(/^Rozliczono 1/).first()).toBeVisible();
  await drawer.getByRole("button", { name: "Gotowe" }).click();
  await expect(row("Wolna")).toBeHidden();
  await expect(row("Zamknięty")).toContainText("Zablokowany");

  // unblocked, everything is back
  await unblock();
  await frame.later("/app/settlements/pending");
  await expect(row("Zamknięty")).not.toContainText("Zablokowany");
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
  await drawer.getByRole("button", { name: /^Rozlicz 1 \(/ }).click();
  await expect(drawer.getByText(/^Rozliczono 1/).first()).toBeVisible();
  await drawer.getByRole("button", { name: "Gotowe" }).click();

  // blocked after settling: left out of the transfers, with the reason
  await block();
  await frame.later("/app/payouts/new");
  const left = page.getByRole("region", { name: "Pominięci" }).getByRole("listitem").filter({ hasText: "Zamknięty" });
  await expect(left).toContainText("Kierowca zablokowany. Zapłacisz po odblokowaniu.");
  await clean(page, "plan");
  await unblock();
  await frame.later("/app/payouts/new");
  await expect(left).not.toContainText("Kierowca zablokowany");
});
