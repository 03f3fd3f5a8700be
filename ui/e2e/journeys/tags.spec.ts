import { Frame } from "../pages/frame";
import { TagsPage } from "../pages/tags-page";
import { expect, test } from "../saldo";

test("a clerk adds, finds, removes and brings back a tag", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/tags");
  const tags = new TagsPage(page);
  await tags.add("Żoliborz nocą");

  await tags.open();
  await tags.name().fill("żoliborz  NOCĄ");
  await tags.submit();
  await expect(tags.drawer().getByText("Etykieta o tej nazwie już istnieje.")).toBeVisible();
  await expect(tags.name()).toHaveValue("żoliborz  NOCĄ");
  await expect(tags.name()).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Odrzuć" }).click();
  await expect(tags.drawer()).toBeHidden();
  await expect(page.getByRole("button", { name: "Dodaj etykietę" })).toBeFocused();

  await page.keyboard.press("/");
  await expect(tags.search()).toBeFocused();
  await page.keyboard.type("żoli");
  await expect(page).toHaveURL(/q=%C5%BColi|q=żoli/);
  await expect(tags.row("Żoliborz nocą")).toBeVisible();
  await expect(tags.row("Warszawa")).toBeHidden();
  await page.reload();
  await expect(tags.search()).toHaveValue("żoli");
  await expect(tags.row("Warszawa")).toBeHidden();

  await tags.search().fill("nie ma takiej");
  await page.getByRole("button", { name: "Wyczyść wyszukiwanie" }).click();
  await expect(tags.row("Warszawa")).toBeVisible();

  await tags.remove("Żoliborz nocą");
  await page.getByRole("button", { name: "Cofnij" }).click();
  await expect(tags.row("Żoliborz nocą")).toBeVisible();
  await tags.remove("Żoliborz nocą");
  await page.reload();
  await expect(tags.row("Warszawa")).toBeVisible();
  await expect(tags.row("Żoliborz nocą")).toBeHidden();
});

test("a partner without tags is told what to do, and does it by keyboard alone", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.marek, "/app/tags");
  const tags = new TagsPage(page);
  await expect(page.getByText("Nie ma jeszcze etykiet")).toBeVisible();
  const add = page.getByRole("button", { name: "Dodaj etykietę" });
  for (let presses = 0; presses < 30 && !(await add.evaluate((e) => e === document.activeElement)); presses++)
    await page.keyboard.press("Tab");
  await expect(add).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(tags.name()).toBeFocused();
  await page.keyboard.type("Wrzosowisko");
  await page.keyboard.press("Enter");
  await expect(tags.row("Wrzosowisko")).toBeVisible();
  await page.getByRole("button", { name: "Usuń etykietę „Wrzosowisko”" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nie ma jeszcze etykiet")).toBeVisible();
});

test("another partner's tags are not to be seen", async ({ page, saldo, request }) => {
  await new Frame(page).resume(saldo.people.marek, "/app/tags");
  await expect(page.getByText("Elektryczne")).toBeHidden();
  const call = page.waitForRequest("**/api/tags");
  await page.reload();
  const token = (await call).headers().authorization ?? "";
  expect(token).toContain("Bearer ey");
  const list = (await (await request.get("/api/tags", { headers: { Authorization: token } })).json()) as {
    tags: { name: string }[];
  };
  expect(list.tags.map((tag) => tag.name)).not.toContain("Elektryczne");
});

test("a failed list says what happened, what was not done, and can be tried again", async ({ page, saldo }) => {
  await page.route("**/api/tags", (route) => route.abort());
  await new Frame(page).resume(saldo.people.anna, "/app/tags");
  await expect(page.getByText("Nie udało się wczytać etykiet")).toBeVisible();
  await expect(page.getByText(/Nic nie zostało zmienione/)).toBeVisible();
  await page.unroute("**/api/tags");
  await page.getByRole("button", { name: "Spróbuj ponownie" }).click();
  await expect(new TagsPage(page).row("Warszawa")).toBeVisible();
});

test("an answer lost on the way back does not double a tag", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/tags");
  const tags = new TagsPage(page);
  const keys: (string | undefined)[] = [];
  // the server does it, the browser never hears of it, and then the line is dead for a while
  await page.route("**/api/tags", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 3) return route.continue();
    if (keys.length === 1) await route.fetch();
    return route.abort();
  });
  await tags.open();
  await tags.name().fill("Raz jeden");
  await tags.submit();
  await expect(tags.drawer().getByText(/Brak połączenia z serwerem/)).toBeVisible();
  await tags.submit();
  await expect(tags.drawer()).toBeHidden();
  expect(new Set(keys).size).toBe(1);
  await expect(tags.row("Raz jeden")).toHaveCount(1);
  await page.unrouteAll();
  await tags.remove("Raz jeden");
});
