import type { Locator } from "@playwright/test";
import { clean as cleanHere, cleanInALook, fits, LANGUAGES, violationsOf, WHOLE } from "../pages/clean";
import { IN_FULL, combined, SOAK } from "../pages/combined";
import { Frame } from "../pages/frame";
import { SignIn } from "../pages/sign-in";
import { TagsPage } from "../pages/tags-page";
import { expect, test } from "../saldo";

// Each makes what it needs, so the workers share them.
test.describe.configure({ mode: "parallel" });

const job = {
  kind: "mail",
  about: "",
  name: "",
  failed: 0,
  done: 0,
  total: 0,
  error: "",
  createdAt: "2026-11-15T12:00:00Z",
  finishedAt: null,
};
const jobs = [
  { ...job, id: "1", state: "running", done: 40, total: 100 },
  { ...job, id: "2", state: "failed", error: "the server refused (recipient)", finishedAt: "2026-11-15T12:01:00Z" },
  { ...job, id: "3", state: "waiting" },
];

test("axe finds nothing on any screen", IN_FULL, async ({ page, saldo }) => {
  const clean = (what: string, seen?: Locator, within?: string) => cleanInALook(page, what, seen, within);
  // The journeys on the way in, below, see these in every language.
  const again = (what: string) => (SOAK ? clean(what) : fits(page, what));
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });

  await page.goto("/app/sign-in");
  await expect(page.getByRole("button", { name: "Zaloguj się" })).toBeVisible();
  await clean("sign-in");
  await page.getByRole("button", { name: "Zaloguj się" }).click();
  await expect(page.locator("#kc-login")).toBeVisible();
  await again("login");
  await new SignIn(page).submit({ email: "nobody@example.com", password: "wrong" });
  await expect(page.getByRole("alert")).toBeVisible();
  await again("login refused");
  await page.locator("#kc-registration").click();
  await again("registration");
  await new SignIn(page).register("A", "B", { email: "a@b.example", password: "short" });
  await expect(page.locator("#password-wrong")).toBeVisible();
  await again("registration refused");
  await page.goto("/auth/realms/saldo/login-actions/reset-credentials");
  await again("forgotten password");
  await page.goto("/auth/realms/saldo/login-actions/action-token?key=none");
  await clean("dead link");
  await page.goto("/app/404");
  await clean("404 signed out");

  const frame = new Frame(page);
  const tags = new TagsPage(page);
  await frame.resume(saldo.people.anna, "/app/tags");
  await expect(tags.row("Warszawa")).toBeVisible();
  await clean("tags with the greeting", undefined, WHOLE);
  await frame.open("/app/");
  await expect(page.getByRole("list", { name: "Praca nad tym tygodniem" }).getByRole("link")).toHaveCount(7);
  await clean("home");
  await frame.open("/app/tags");
  await expect(tags.row("Warszawa")).toBeVisible();
  await frame.open("/app/tags?q=nothing-like-it");
  await expect(page.getByRole("button", { name: "Wyczyść wyszukiwanie" })).toBeVisible();
  await clean("no match");
  await frame.open("/app/tags");
  await tags.open();
  await clean("drawer", tags.drawer());
  await tags.name().fill("Warszawa");
  await tags.submit();
  await expect(tags.drawer().getByText("Etykieta o tej nazwie już istnieje.")).toBeVisible();
  await clean("drawer with a fault", tags.drawer());
  await page.keyboard.press("Escape");
  await clean("question about unsaved input", page.getByRole("button", { name: "Odrzuć" }));
  await page.getByRole("button", { name: "Odrzuć" }).click();
  await frame.bell().click();
  await clean("bell", page.getByText("Nic teraz nie działa w tle"), WHOLE);
  await page.keyboard.press("Escape");
  await page.route("**/api/jobs", (route) => route.fulfill({ json: { jobs } }));
  await page.reload();
  await frame.bell().click();
  await clean("bell with jobs", page.getByText("the server refused (recipient)"), WHOLE);
  await page.keyboard.press("Escape");
  // On a phone the account is part of the menu.
  for (const [colorScheme, width] of combined(["light", "dark"] as const, [1440, 390])) {
    const look = async (what: string) => expect(await violationsOf(page, WHOLE), `${what}, ${width}`).toEqual([]);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 1000 });
    if (width === 390) {
      await page.getByRole("button", { name: "Otwórz menu" }).click();
      await look("menu drawer");
    }
    await frame.account().click();
    await expect(page.getByRole("menuitem").first()).toBeVisible();
    await look("account menu");
    await page.keyboard.press("Escape");
  }
  await page.setViewportSize({ width: 1440, height: 1000 });
  await frame.open("/app/404");
  await clean("404", heading("Nie ma takiej strony"));
  await frame.open("/app/forbidden");
  await clean("403", heading("Brak dostępu"));
  await page.route("**/api/tags", (route) => route.abort());
  await page.goto("/app/tags");
  await clean("error", page.getByText("Nie udało się wczytać etykiet"));
  await page.unrouteAll();
  await frame.resume(saldo.people.marek, "/app/tags");
  await expect(page.getByText("Nie ma jeszcze etykiet")).toBeVisible();
  await clean("empty, another colour", undefined, WHOLE);
  const partner = saldo.addPartner("axe");
  await page.goto(partner.link);
  await clean("first password");
  await new SignIn(page).setPassword(partner.link, "cztery konie w galopie");
  await clean("password set");
  await frame.resume({ email: partner.email, password: "cztery konie w galopie" });
  await expect(page.getByRole("dialog").getByRole("checkbox")).toBeVisible();
  await clean("terms");
  await page.getByRole("dialog").getByRole("checkbox").check();
  await clean("terms declared");
  await page.goto("/mailbox/");
  await clean("mailbox");
});

// Two languages, each with one theme and width, or every language with all of them in a longer run; identity.spec.ts goes these ways in
// Polish and English.
const onTheWayIn = SOAK
  ? combined(LANGUAGES, combined(["light", "dark"] as const, [390, 1440], "all"))
  : ([
      ["de", ["light", 390]],
      ["uk", ["dark", 1440]],
    ] as const);

for (const language of new Set(onTheWayIn.map(([its]) => its)))
  test(`axe finds nothing on the way in, ${language}`, async ({ page, saldo }) => {
    const pages = new SignIn(page);
    const look = async (what: string) => {
      await expect(page.locator("html"), what).toHaveAttribute("lang", language);
      for (const [, [colorScheme, width]] of onTheWayIn.filter(([its]) => its === language)) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 2600 });
        await cleanHere(page, `${what}, ${colorScheme}, ${width}`);
      }
    };

    await page.goto(`/app/?lang=${language}&partner=wrzos`);
    await expect(page.locator("#kc-login")).toBeVisible();
    await look("login");
    await pages.submit({ email: "nobody@example.com", password: "wrong" });
    await expect(page.getByRole("alert")).toBeVisible();
    await look("login refused");
    await page.locator("#kc-registration").click();
    await look("registration");
    await pages.register("A", "B", { email: "a@b.example", password: "short" });
    await expect(page.locator("#password-wrong")).toBeVisible();
    await look("registration refused");
    await page.goto(`/app/?lang=${language}`);
    await page.locator("a[href*=reset-credentials]").click();
    await expect(page.locator("#kc-reset-password-form")).toBeVisible();
    await look("forgotten password");
    await page.locator("#username").fill(`nobody-${language}@example.com`);
    await page.locator("#kc-reset-password-form button").click();
    await expect(page.locator("#kc-reset-password-form")).toBeHidden();
    await look("look into your mail");

    // The session has ended somewhere else: the server knows nobody any more.
    await pages.behind(saldo.people.oleh);
    await page.route("**/api/**", (route) =>
      new URL(route.request().url()).pathname === "/api/config"
        ? route.fallback()
        : route.fulfill({ status: 401, json: { code: "identity.unauthenticated", status: 401 } }),
    );
    await page.goto("/app/driver/profile");
    await expect(page).toHaveURL(/\/app\/sign-in$/);
    await expect(page.getByRole("main").getByRole("status").or(page.getByRole("alert"))).toBeVisible();
    await look("session ended");
  });

test("axe finds nothing on the screens of the fleet", IN_FULL, async ({ page, saldo }) => {
  const clean = (what: string, seen?: Locator) => cleanInALook(page, what, seen);
  const again = (what: string) => (SOAK ? clean(what) : fits(page, what)); // as axe.spec.ts sees them too
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  const name = "Axe";
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/drivers?add=driver");
  const drawer = page.getByRole("dialog", { name: "Nowy kierowca" });
  await drawer.getByRole("textbox", { name: "Imię" }).fill("Oleh");
  await drawer.getByRole("textbox", { name: "Nazwisko" }).fill(name);
  await drawer.getByRole("button", { name: "Dodaj kierowcę" }).click();
  await expect(drawer).toBeHidden();
  await frame.open(`/app/drivers?q=${name}`);
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Brak IBAN");
  await again("drivers");
  await page.getByRole("link", { name: `${name} Oleh` }).click();
  await expect(page.getByText("Dodanie")).toBeVisible();
  await again("driver");
  await page.getByRole("link", { name: "Transakcje" }).click();
  await expect(page.getByRole("button", { name: "Dodaj transakcję" }).first()).toBeVisible();
  await clean("no transactions");
  await page.getByRole("button", { name: "Dodaj transakcję" }).first().click();
  const entry = page.getByRole("dialog", { name: "Nowa transakcja" });
  await entry.getByRole("textbox", { name: "Kwota" }).fill("12");
  await entry.getByRole("textbox", { name: "Nazwa" }).fill("Mandat");
  await entry.getByRole("textbox", { name: "Powód" }).fill("Fotoradar");
  await clean("entry", entry);
  await entry.getByRole("button", { name: "Dodaj transakcję" }).click();
  await expect(page.getByText("Mandat").first()).toBeVisible();
  await again("transactions");
  await frame.open("/app/settlements");
  await expect(page.getByRole("heading", { name: "Jeszcze nie ma czego rozliczyć" })).toBeVisible();
  await clean("nothing pending");
  await page.getByRole("button", { name: "Późniejszy okres" }).click();
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Dług, nie rozliczymy");
  await page.getByRole("button", { name: /^Z uwagami/ }).click();
  await clean("a debt");
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
  await clean("dry run", page.getByText("Nikogo z tej listy nie da się rozliczyć."));
  for (const state of ["settled", "paid"]) {
    await frame.open(`/app/settlements/${state}`);
    await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
    await clean(state);
  }
  await frame.open("/app/schemas");
  await expect(page.getByRole("button", { name: "Dodaj schemat" })).toBeVisible();
  await again("schemas");
  await frame.open("/app/schemas?schema=1");
  await expect(page.getByRole("heading", { name: "Historia" })).toBeVisible();
  await clean("schema");
  await frame.open("/app/drivers/possible-duplicates");
  await clean("duplicates", heading("Możliwe duplikaty"));
  for (const tab of ["email", "new", "blocked"]) {
    await frame.open(`/app/drivers-profiles?tab=${tab}`);
    await clean(`profiles, ${tab}`, heading("Profile kierowców"));
  }
});

test("axe would report a target that is too small", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/tags");
  await page.evaluate(() => {
    for (const text of ["a", "b"]) {
      const small = document.createElement("button");
      small.textContent = text;
      small.style.cssText = "width:20px;height:20px;padding:0;margin:0;min-height:0;min-width:0;display:inline-block";
      document.querySelector("main")?.append(small);
    }
  });
  expect((await violationsOf(page)).some((found) => found.startsWith("target-size"))).toBe(true);
});
