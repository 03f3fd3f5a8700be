import { Frame } from "../pages/frame";
import { TagsPage } from "../pages/tags-page";
import { expect, test } from "../saldo";

test("the sign-in code leaves the address bar and history, and the deep link is kept", async ({ page, saldo }) => {
  await page.goto("/app/tags?q=Warsz");
  await expect(page).toHaveURL(/\/app\/sign-in$/);
  await page.goto(saldo.links.anna);
  await expect(page).toHaveURL(/\/app\/tags\?q=Warsz$/);
  expect(page.url()).not.toContain("code=");
  await expect(new TagsPage(page).search()).toHaveValue("Warsz");
});

test("a wrong code is refused with a text and the form keeps it", async ({ page }) => {
  await page.goto("/app/sign-in");
  await page.getByRole("textbox", { name: "Kod logowania" }).fill("ABCD EFGH");
  await page.getByRole("button", { name: "Zaloguj się" }).click();
  await expect(page.getByText(/Logowanie się nie powiodło/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Kod logowania" })).toHaveValue("ABCD EFGH");
});

test("the greeting tells the remaining settlements and the header keeps them", async ({ page, saldo }) => {
  await new Frame(page).enter(saldo.links.anna);
  await expect(page.getByText("W licencji pozostało 840 rozliczeń.")).toBeVisible();
  await expect(page.getByText("W licencji pozostało 840 rozliczeń.")).toBeHidden({ timeout: 8000 });
  await expect(page.getByText(/Pozostało\s+840\s+rozliczeń/).first()).toBeVisible();
});

test("a driver is shown no screen of partners", async ({ page, saldo }) => {
  await page.goto(saldo.linkFor("oleh@drogowiec.example"));
  await expect(page).toHaveURL(/\/app\/driver\/partner-profile$/);
  await page.goto("/app/tags");
  await expect(page).toHaveURL(/\/app\/forbidden$/);
  await expect(page.getByRole("heading", { name: "Brak dostępu" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Etykiety" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Wstecz" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Strona główna" })).toBeVisible();
});

test("an unknown path goes to 404 and home from there", async ({ page, saldo }) => {
  await new Frame(page).enter(saldo.links.anna);
  await page.goto("/app/no/such/page");
  await expect(page).toHaveURL(/\/app\/404$/);
  await page.getByRole("button", { name: "Strona główna" }).click();
  await expect(page).toHaveURL(/\/app\/tags$/);
});

test("every language can be chosen, is remembered and sets the page's language", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.enter(saldo.links.anna);
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
  await frame.enter(saldo.links.anna);
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
  await frame.enter(saldo.links.marek);
  await expect(frame.account()).toHaveAccessibleName(/Wrzos Mobility/);
  const button = page.getByRole("button", { name: "Dodaj etykietę" }).first();
  await expect(button).toHaveCSS("background-color", "rgb(122, 77, 222)");
});

test("on a phone the menu is a drawer and nothing scrolls sideways", async ({ page, saldo }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await new Frame(page).enter(saldo.links.anna);
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
  await new Frame(page).enter(saldo.links.anna);
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
  await page.goto(saldo.links.anna);
  await expect(tags.drawer()).toBeVisible();
  await expect(tags.name()).toHaveValue("W połowie");
});

test("signing out forgets everything of the person", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.enter(saldo.links.anna);
  await frame.account().click();
  await page
    .getByRole("menuitem", { name: "Wyloguj się" })
    .or(page.getByRole("button", { name: "Wyloguj się" }))
    .first()
    .click();
  await expect(page).toHaveURL(/\/app\/sign-in$/);
  await page.goto("/app/tags");
  await expect(page).toHaveURL(/\/app\/sign-in$/);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("eyJ");
});

test("the bell shows that nothing runs, and no script breaks the policy", async ({ page, saldo }) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const frame = new Frame(page);
  await frame.enter(saldo.links.anna);
  await frame.bell().click();
  await expect(page.getByText("Nic teraz nie działa w tle")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(frame.bell()).toBeFocused();
  expect(complaints).toEqual([]);
});
