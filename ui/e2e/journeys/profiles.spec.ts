import accounts from "../../../locales/pl/accounts.json" with { type: "json" };
import { clean, cleanAgain } from "../pages/clean";
import { ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { linkIn, SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

const PASSWORD = "cztery konie w galopie";
for (const { device, ...viewport } of ways(
  { device: "phone", width: 390, height: 844 },
  { device: "desktop", width: 1440, height: 1000 },
))
  test(`a driver chooses the partner, who links, confirms, unlinks and blocks them, ${device}`, async ({
    page,
    saldo,
    browser,
  }) => {
    await page.setViewportSize(viewport);
    const surname = `Zielińska-${device}`;
    const email = `zofia-${device}@example.com`;
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });

    // the partner has written the driver down, by phone and without an address
    await new Frame(page).resume(saldo.people.anna, "/app/drivers?add=driver");
    const drawer = page.getByRole("dialog", { name: "Nowy kierowca" });
    await drawer.getByRole("textbox", { name: "Imię" }).fill("Zofia");
    await drawer.getByRole("textbox", { name: "Nazwisko" }).fill(surname);
    const number = device === "desktop" ? "611 000 001" : "611 000 002";
    await drawer.getByRole("textbox", { name: "Telefon" }).fill(number);
    await drawer.getByRole("button", { name: "Dodaj kierowcę" }).click();
    await expect(drawer).toBeHidden();

    // the driver registers by themselves and chooses the partner
    const own = await browser.newContext({ baseURL: saldo.url, viewport, locale: "pl-PL" });
    const driver = await own.newPage();
    await driver.goto("/app/");
    await driver.locator("#kc-registration").click();
    await new SignIn(driver).register("Zofia", surname, { email, password: PASSWORD });
    await expect(driver.locator(".address")).toHaveText(email);
    await driver.goto(linkIn(await saldo.mailTo(email)));
    await driver.locator("#password").fill(PASSWORD);
    await driver.locator("#kc-verify-form [type=submit]").click();
    await expect(driver).toHaveURL(/\/app\/add-driver-account$/);
    await driver.getByRole("textbox", { name: accounts.phone, exact: true }).fill(number);
    await driver.getByRole("combobox", { name: accounts.cities }).fill("Łódź");
    await driver.keyboard.press("Enter");
    await driver.getByRole("button", { name: accounts.addSubmit }).click();
    await expect(driver).toHaveURL(/\/app\/driver\/(partners-list|partner-profile)$/);
    await new Frame(driver).later("/app/driver/partners-list");
    await driver.getByRole("button", { name: accounts.chooseNamed.replace("{{name}}", "Drogowiec Flota") }).click();
    await driver.getByRole("checkbox", { name: /Drogowiec Flota/ }).check();
    await driver.getByRole("button", { name: accounts.chooseSubmit }).click();
    await expect(driver.getByText(accounts.partnerWaiting)).toBeVisible();

    // many at once link only by a confirmed address: this one is left to decide by hand
    await new Frame(page).later("/app/drivers-profiles?tab=new");
    await expect(row(surname)).toContainText("ten sam telefon, to samo imię i nazwisko");
    await clean(page, "new profiles", { tall: true });
    await page.getByRole("checkbox", { name: `Zaznacz: ${surname} Zofia` }).check();
    await page.getByRole("button", { name: "Połącz (1)" }).click();
    const result = page.getByRole("region", { name: "Wynik" });
    await expect(result).toContainText("Połączono: 0. Nie połączono: 1.");
    await expect(result).toContainText("nikt nie ma tego samego e-maila");
    await clean(page, "result", { tall: true });
    await result.getByRole("button", { name: /Zdecyduj ręcznie/ }).click();

    // side by side: what the partner wrote stays, but for what it takes
    const link = page.getByRole("dialog", { name: `Połącz: ${surname} Zofia` });
    await expect(link.getByRole("radio", { name: /ten sam telefon/ })).toBeChecked();
    await expect(link.getByRole("row").filter({ hasText: email })).toContainText("brak");
    await clean(page, "link", { tall: true });
    await link.getByRole("checkbox", { name: "Przejmij od kierowcy: E-mail" }).check();
    await link.getByRole("button", { name: `Połącz z: ${surname} Zofia` }).click();
    await expect(link).toBeHidden();
    await expect(row(surname)).toBeHidden();
    await driver.reload();
    await expect(driver.getByText(accounts.partnerLinked)).toBeVisible();

    // the driver's page: confirm, then unlink
    await new Frame(page).later(`/app/drivers-profiles?q=${surname}`);
    await expect(row(surname)).toContainText("Połączony");
    await cleanAgain(page, "by e-mail", { tall: true });
    await row(surname)
      .getByRole("link", { name: `${surname} Zofia` })
      .click();
    await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue(email);
    await page.getByRole("button", { name: "Potwierdź profil" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Potwierdź profil" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.getByText("Profil potwierdzony").first()).toBeVisible();
    await cleanAgain(page, "driver", { tall: true });
    await page.getByRole("button", { name: "Odłącz" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Odłącz" }).click();
    await expect(page.getByText("Niepołączony")).toBeVisible();
    await driver.reload();
    await expect(driver.getByText(accounts.partnerWaiting)).toBeVisible();
    await expect(page.getByRole("link", { name: `Połącz: ${surname} Zofia…` })).toBeVisible();

    // blocked with many, taken back, and blocked again
    await new Frame(page).later(`/app/drivers-profiles?tab=new&q=${surname}`);
    await page.getByRole("checkbox", { name: /Zaznacz wszystkich na stronie/ }).check();
    await page.getByRole("button", { name: "Zablokuj (1)" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Zablokuj (1)" }).click();
    await expect(result).toContainText("Zablokowano: 1. Nie zablokowano: 0.");
    await expect(page.getByText("Nikt nie pasuje")).toBeVisible();
    await result.getByRole("button", { name: "Cofnij (1)" }).click();
    await expect(row(surname)).toBeVisible();
    await page.getByRole("checkbox", { name: `Zaznacz: ${surname} Zofia` }).check();
    await page.getByRole("button", { name: "Zablokuj (1)" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Zablokuj (1)" }).click();
    await page.getByRole("button", { name: /^Zablokowani/ }).click();
    await expect(row(surname)).toContainText("Profil");
    await clean(page, "blocked", { tall: true });
    await page.getByRole("button", { name: `Odblokuj: ${surname} Zofia` }).click();
    await expect(result).toContainText("Odblokowano: 1.");
    await own.close();
  });
