import type { Page } from "@playwright/test";
import { violationsOf } from "../pages/clean";
import { Frame } from "../pages/frame";
import { SignIn } from "../pages/sign-in";
import { TagsPage } from "../pages/tags-page";
import { expect, test } from "../saldo";

// Each makes what it needs, so the workers share them.
test.describe.configure({ mode: "parallel" });

async function violations(page: Page): Promise<string[]> {
  const found = await violationsOf(page);
  return found.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 160)}`));
}

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

// Each theme and each width once: colours do not depend on the width, sizes not on the theme.
const looks = [
  { scheme: "light", device: "desktop", viewport: { width: 1440, height: 1000 } },
  { scheme: "dark", device: "phone", viewport: { width: 390, height: 844 } },
] as const;

for (const { scheme, device, viewport } of looks)
  test(`axe finds nothing on any screen, ${scheme}, ${device}`, async ({ page, saldo }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(viewport);
    const clean = async (what: string) => expect(await violations(page), what).toEqual([]);

    await page.goto("/app/sign-in");
    await expect(page.getByRole("button", { name: "Zaloguj się" })).toBeVisible();
    await clean("sign-in");
    await page.getByRole("button", { name: "Zaloguj się" }).click();
    await expect(page.locator("#kc-login")).toBeVisible();
    await clean("login");
    await new SignIn(page).submit({ email: "nobody@example.com", password: "wrong" });
    await expect(page.getByRole("alert")).toBeVisible();
    await clean("login refused");
    await page.locator("#kc-registration").click();
    await clean("registration");
    await new SignIn(page).register("A", "B", { email: "a@b.example", password: "short" });
    await expect(page.locator("#password-wrong")).toBeVisible();
    await clean("registration refused");
    await page.goto("/auth/realms/saldo/login-actions/reset-credentials");
    await clean("forgotten password");
    await page.goto("/auth/realms/saldo/login-actions/action-token?key=none");
    await clean("dead link");
    await page.goto("/app/404");
    await clean("404 signed out");

    const frame = new Frame(page);
    const tags = new TagsPage(page);
    await frame.enter(saldo.people.anna, "/app/tags");
    await expect(tags.row("Warszawa")).toBeVisible();
    await clean("tags with the greeting");
    await page.goto("/app/");
    await expect(page.getByRole("list", { name: "Praca nad tym tygodniem" }).getByRole("link")).toHaveCount(7);
    await clean("home");
    await page.goto("/app/tags");
    await expect(tags.row("Warszawa")).toBeVisible();
    await page.goto("/app/tags?q=nothing-like-it");
    await expect(page.getByRole("button", { name: "Wyczyść wyszukiwanie" })).toBeVisible();
    await clean("no match");
    await page.goto("/app/tags");
    await tags.open();
    await clean("drawer");
    await tags.name().fill("Warszawa");
    await tags.submit();
    await expect(tags.drawer().getByText("Etykieta o tej nazwie już istnieje.")).toBeVisible();
    await clean("drawer with a fault");
    await page.keyboard.press("Escape");
    await clean("question about unsaved input");
    await page.getByRole("button", { name: "Odrzuć" }).click();
    await frame.bell().click();
    await expect(page.getByText("Nic teraz nie działa w tle")).toBeVisible();
    await clean("bell");
    await page.keyboard.press("Escape");
    await page.route("**/api/jobs", (route) => route.fulfill({ json: { jobs } }));
    await page.reload();
    await frame.bell().click();
    await expect(page.getByText("the server refused (recipient)")).toBeVisible();
    await clean("bell with jobs");
    await page.keyboard.press("Escape");
    if (device === "phone") {
      await page.getByRole("button", { name: "Otwórz menu" }).click();
      await clean("menu drawer");
    }
    await frame.account().click();
    await clean("account menu");
    await page.goto("/app/404");
    await clean("404");
    await page.goto("/app/forbidden");
    await clean("403");
    await page.route("**/api/tags", (route) => route.abort());
    await page.goto("/app/tags");
    await clean("loading");
    await expect(page.getByText("Nie udało się wczytać etykiet")).toBeVisible();
    await clean("error");
    await page.unrouteAll();
    await frame.enter(saldo.people.marek, "/app/tags");
    await expect(page.getByText("Nie ma jeszcze etykiet")).toBeVisible();
    await clean("empty, another colour");
    const partner = saldo.addPartner(`axe-${scheme}-${device}`);
    await page.goto(partner.link);
    await clean("first password");
    await new SignIn(page).setPassword(partner.link, "cztery konie w galopie");
    await clean("password set");
    await frame.enter({ email: partner.email, password: "cztery konie w galopie" });
    await expect(page.getByRole("dialog").getByRole("checkbox")).toBeVisible();
    await clean("terms");
    await page.getByRole("dialog").getByRole("checkbox").check();
    await clean("terms declared");
    await page.goto("/mailbox/");
    await clean("mailbox");
  });

for (const { scheme, device, viewport } of looks)
  test(`axe finds nothing on the screens of the fleet, ${scheme}, ${device}`, async ({ page, saldo }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(viewport);
    const clean = async (what: string) => {
      expect(await violations(page), what).toEqual([]);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), what)
        .toBeLessThanOrEqual(viewport.width);
    };
    const name = `Axe-${scheme}-${device}`;
    await new Frame(page).enter(saldo.people.anna, "/app/drivers?add=driver");
    const drawer = page.getByRole("dialog", { name: "Nowy kierowca" });
    await drawer.getByRole("textbox", { name: "Imię" }).fill("Oleh");
    await drawer.getByRole("textbox", { name: "Nazwisko" }).fill(name);
    await drawer.getByRole("button", { name: "Dodaj kierowcę" }).click();
    await expect(drawer).toBeHidden();
    await page.goto(`/app/drivers?q=${name}`);
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Brak IBAN");
    await clean("drivers");
    await page.getByRole("link", { name: `${name} Oleh` }).click();
    await expect(page.getByText("Dodanie")).toBeVisible();
    await clean("driver");
    await page.getByRole("link", { name: "Transakcje" }).click();
    await expect(page.getByRole("button", { name: "Dodaj transakcję" }).first()).toBeVisible();
    await clean("no transactions");
    await page.getByRole("button", { name: "Dodaj transakcję" }).first().click();
    const entry = page.getByRole("dialog", { name: "Nowa transakcja" });
    await entry.getByRole("textbox", { name: "Kwota" }).fill("12");
    await entry.getByRole("textbox", { name: "Nazwa" }).fill("Mandat");
    await entry.getByRole("textbox", { name: "Powód" }).fill("Fotoradar");
    await clean("entry");
    await entry.getByRole("button", { name: "Dodaj transakcję" }).click();
    await expect(page.getByText("Mandat").first()).toBeVisible();
    await clean("transactions");
    await page.goto("/app/settlements");
    await expect(page.getByRole("heading", { name: "Jeszcze nie ma czego rozliczyć" })).toBeVisible();
    await clean("nothing pending");
    await page.getByRole("button", { name: "Późniejszy okres" }).click();
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Dług, nie rozliczymy");
    await page.getByRole("button", { name: /^Z uwagami/ }).click();
    await clean("a debt");
    await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
    await expect(page.getByText("Nikogo z tej listy nie da się rozliczyć.")).toBeVisible();
    await clean("dry run");
    for (const state of ["settled", "paid"]) {
      await page.goto(`/app/settlements/${state}`);
      await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
      await clean(state);
    }
    await page.goto("/app/schemas");
    await expect(page.getByRole("button", { name: "Dodaj schemat" })).toBeVisible();
    await clean("schemas");
    await page.goto("/app/schemas?schema=1");
    await expect(page.getByRole("heading", { name: "Historia" })).toBeVisible();
    await clean("schema");
    await page.goto("/app/drivers/possible-duplicates");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await clean("duplicates");
    for (const tab of ["email", "new", "blocked"]) {
      await page.goto(`/app/drivers-profiles?tab=${tab}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await clean(`profiles, ${tab}`);
    }
  });

test("axe would report a target that is too small", async ({ page, saldo }) => {
  await new Frame(page).enter(saldo.people.anna, "/app/tags");
  await page.evaluate(() => {
    for (const text of ["a", "b"]) {
      const small = document.createElement("button");
      small.textContent = text;
      small.style.cssText = "width:20px;height:20px;padding:0;margin:0;min-height:0;min-width:0;display:inline-block";
      document.querySelector("main")?.append(small);
    }
  });
  expect((await violations(page)).some((found) => found.startsWith("target-size"))).toBe(true);
});
