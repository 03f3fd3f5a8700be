import { calling } from "../pages/api";
import { clean } from "../pages/clean";
import { Frame } from "../pages/frame";
import { SignIn } from "../pages/sign-in";
import { TagsPage } from "../pages/tags-page";
import { expect, test } from "../saldo";

test("signing in leads to the deep link and leaves nothing of it in the address", async ({ page, saldo }) => {
  await new Frame(page).enter(saldo.people.anna, "/app/tags?q=Warsz");
  await expect(page).toHaveURL(/\/app\/tags\?q=Warsz$/);
  expect(page.url()).not.toContain("code=");
  await expect(new TagsPage(page).search()).toHaveValue("Warsz");
  await page.reload();
  await expect(new TagsPage(page).row("Warszawa")).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain("eyJ");
});

test("the greeting tells the remaining settlements and the header keeps them", async ({ page, saldo }) => {
  await new Frame(page).enter(saldo.people.anna, "/app/tags");
  await expect(page.getByText(/W licencji pozostał[oy]? \d+ rozlicze/)).toBeVisible();
  await expect(page.getByText(/W licencji pozostał[oy]? \d+ rozlicze/)).toBeHidden();
  await expect(page.getByText(/Pozostał[oy]?\s+\d+\s+rozlicze/).first()).toBeVisible();
});

test("a driver is shown no screen of partners", async ({ page, saldo }) => {
  await page.goto("/app/");
  await new SignIn(page).submit(saldo.people.oleh);
  await expect(page).toHaveURL(/\/app\/driver\/settlements$/);
  await page.goto("/app/tags");
  await expect(page).toHaveURL(/\/app\/forbidden$/);
  await expect(page.getByRole("heading", { name: "Brak dostępu" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Etykiety" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Wstecz" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Strona główna" })).toBeVisible();
});

test("an unknown path goes to 404 and home from there", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/tags");
  await page.goto("/app/no/such/page");
  await expect(page).toHaveURL(/\/app\/404$/);
  await page.getByRole("button", { name: "Strona główna" }).click();
  await expect(page).toHaveURL(/\/app\/?$/);
  await expect(page.getByRole("heading", { level: 1, name: "Pulpit" })).toBeVisible();
});

test("every language can be chosen, is remembered and sets the page's language", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/tags");
  await expect(page.locator("html")).toHaveAttribute("lang", "pl");
  for (const [language, title] of [
    ["en", "Tags"],
    ["de", "Etiketten"],
    ["uk", "Мітки"],
    ["ru", "Метки"],
  ] as const) {
    await page.goto(`/app/tags?lang=${language}`);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  }
  await page.goto("/app/tags");
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
  await page.goto("/app/tags?lang=fr");
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
});

test("dark and light are chosen in the account menu and remembered", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/tags");
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await background()).toBe("rgb(246, 247, 248)");
  await frame.account().click();
  await page
    .getByRole("menuitemradio", { name: "Ciemny" })
    .or(page.getByRole("radio", { name: "Ciemny" }))
    .first()
    .click();
  await expect.poll(background).toBe("rgb(13, 16, 19)");
  await page.reload();
  await expect.poll(background).toBe("rgb(13, 16, 19)");
});

test("each partner sees its own colour and name", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.marek, "/app/tags");
  await expect(frame.account()).toHaveAccessibleName(/Wrzos Mobility/);
  const button = page.getByRole("button", { name: "Dodaj etykietę" }).first();
  await expect(button).toHaveCSS("background-color", "rgb(122, 77, 222)");
});

test("on a phone the menu is a drawer and nothing scrolls sideways", async ({ page, saldo }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await new Frame(page).resume(saldo.people.anna, "/app/tags");
  await expect(new TagsPage(page).row("Warszawa")).toBeVisible();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.getByRole("button", { name: "Otwórz menu" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Etykiety" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("a session that ends comes back to the same screen and form", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/tags");
  const tags = new TagsPage(page);
  await tags.open();
  await tags.name().fill("W połowie");
  await page.route("**/api/tags", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 401,
          contentType: "application/problem+json",
          body: JSON.stringify({
            type: "about:blank",
            title: "Unauthorized",
            status: 401,
            code: "identity.token_refused",
            requestId: "x",
          }),
        })
      : route.continue(),
  );
  await tags.submit();
  await expect(page.getByText(/Sesja wygasła/)).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Zaloguj się" }).click();
  await expect(tags.drawer()).toBeVisible();
  await expect(tags.name()).toHaveValue("W połowie");
});

test("signing out forgets everything of the person", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/send");
  await page.getByLabel("Treść").fill("Czego nikt inny nie przeczyta");
  const kept = () => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
  await expect.poll(kept).toContain("Czego nikt inny");
  await frame.account().click();
  await page
    .getByRole("menuitem", { name: "Wyloguj się" })
    .or(page.getByRole("button", { name: "Wyloguj się" }))
    .first()
    .click();
  await expect(page.locator("#kc-login")).toBeVisible();
  await page.goto("/app/tags");
  await expect(page.locator("#kc-login")).toBeVisible();
  expect(await kept()).not.toContain("eyJ");
  expect(await kept()).not.toContain("Czego nikt inny");
});

test("the bell shows that nothing runs, and no script breaks the policy", async ({ page, saldo }) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    // the identity provider's client asks in hidden frames of our own origin, which is what this is about
    if (message.text().includes("can escape its sandboxing")) return;
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const frame = new Frame(page);
  await frame.resume(saldo.people.marek, "/app/tags");
  await frame.bell().click();
  await expect(page.getByText("Nic teraz nie działa w tle")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(frame.bell()).toBeFocused();
  expect(complaints).toEqual([]);
});

test("the slash key opens the search, which finds a driver and gives the focus back", async ({ page, saldo }) => {
  const call = calling(page);
  await new Frame(page).resume(saldo.people.anna, "/app/profile");
  await expect(page.getByRole("button", { name: "Szukaj" })).toBeVisible();
  await call("POST", "/api/drivers", { firstName: "Zenon", lastName: "Wyszukany" });
  await page.keyboard.press("/");
  const search = page.getByRole("dialog", { name: "Szukaj" });
  await expect(search.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("wyszuk");
  await expect(search.getByRole("region", { name: "Kierowcy" }).getByRole("link")).toHaveCount(1);
  await clean(page, "the search");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Szukaj" })).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("wyszuk");
  await expect(search.getByRole("link", { name: /Wyszukany/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/app\/drivers\/[0-9a-f-]+$/);
});
