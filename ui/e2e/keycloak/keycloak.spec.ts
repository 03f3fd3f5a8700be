import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import accounts from "../../../locales/pl/accounts.json" with { type: "json" };
import frame from "../../../locales/pl/frame.json" with { type: "json" };
import signIn from "../../../locales/pl/sign-in.json" with { type: "json" };
import { linkIn, SignIn } from "../pages/sign-in";
import { MailServer } from "./mail-server";

const BINARY = resolve(import.meta.dirname, "../../../bin/saldo");
const PASSWORD = "cztery konie w galopie";
const NEXT = "piąty koń stoi w stajni";

const required = (name: string) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run make test-keycloak`);
  return value;
};

const url = required("KEYCLOAK_TEST_PUBLIC");
const data = mkdtempSync(join(tmpdir(), "saldo-keycloak-"));
const env = {
  ...process.env,
  SALDO_DATA: data,
  SALDO_ADDR: url.replace("http://", ""),
  SALDO_PUBLIC_URL: url,
  SALDO_LOG_LEVEL: "warn",
  SALDO_IDP_UPSTREAM: required("KEYCLOAK_TEST_URL"),
  SALDO_IDP_ADMIN_CLIENT_SECRET: required("KEYCLOAK_TEST_SECRET"),
};
let server: ChildProcess;
let mails: MailServer;

test.beforeAll(async ({ request }) => {
  mails = new MailServer(required("KEYCLOAK_TEST_SMTP"));
  execFileSync(BINARY, ["key"], { env });
  server = spawn(BINARY, ["serve"], { env, stdio: "inherit" });
  await expect.poll(async () => (await request.get(`${url}/readyz`).catch(() => undefined))?.status()).toBe(200);
});

test.afterAll(async () => {
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGTERM");
  await ended;
  mails.close();
  rmSync(data, { recursive: true, force: true });
});

test("a partner's person is let in by Keycloak, changes the password there and leaves", async ({ page }) => {
  const email = "ewa@kluczowa.example";
  // not the synchronous form: the mail server of this process answers meanwhile
  await promisify(execFile)(BINARY, ["add-partner", "kluczowa", "Flota Kluczowa", "Ewa Nowak", email], { env });
  const pages = new SignIn(page);
  await page.goto(linkIn(await mails.to(email)));
  await page.locator("#kc-info-message a").click(); // Keycloak names what is to be done first
  await page.locator("#password-new").fill(PASSWORD);
  await page.locator("#password-confirm").fill(PASSWORD);
  await page.locator("#kc-passwd-update-form [type=submit]").first().click();

  await page.goto(`${url}/app/tags?q=deep`);
  await pages.submit({ email, password: PASSWORD });
  await expect(page).toHaveURL(/\/app\/tags\?q=deep$/);
  const account = page.getByRole("button", { name: /^Konto: Ewa Nowak/ });
  await expect(account).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain("eyJ");
  await page.reload();
  await expect(account).toBeVisible();

  await account.click();
  await page.getByRole("menuitem", { name: frame.changePassword }).click();
  await pages.changePassword(PASSWORD, NEXT);
  await expect(page.getByText(frame.passwordChanged)).toBeVisible();

  await account.click();
  await page.getByRole("menuitem", { name: frame.signOut }).click();
  await expect(page.locator("#kc-login")).toBeVisible();
  await pages.submit({ email, password: PASSWORD });
  await expect(page.locator("#kc-login")).toBeVisible();
  await pages.submit({ email, password: NEXT });
  await expect(account).toBeVisible();
});

test("a driver registers at Keycloak and completes the profile", async ({ page }) => {
  await page.goto(`${url}/app/sign-in`);
  await page.getByRole("button", { name: signIn.register }).click();
  await new SignIn(page).register("Oleh", "Babiak", { email: "oleh@kluczowa.example", password: PASSWORD });
  await expect(page).toHaveURL(/\/app\/add-driver-account$/);
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await expect(field(accounts.email)).toHaveValue("oleh@kluczowa.example");
  await field(accounts.phone).fill("601 234 567");
  await page.getByRole("combobox", { name: accounts.cities }).fill("Łódź");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: accounts.addSubmit }).click();
  await expect(page).toHaveURL(/\/app\/driver\//);
});
