import { expect, type Page } from "@playwright/test";
import type { Saldo } from "../saldo";
import { Frame } from "./frame";
import { SignIn } from "./sign-in";
import { texts } from "./texts";

/** The workbench of a partner of its own, so that journeys share no imports. */
export async function enterWorkbench(page: Page, saldo: Saldo, code: string, text = texts("pl")) {
  const partner = saldo.addPartner(code);
  const password = "cztery konie w galopie";
  await new SignIn(page).setPasswordBehind(partner.link, password);
  await new Frame(page).resume({ email: partner.email, password }, "/app/upload");
  const terms = page.getByRole("dialog");
  await terms.getByRole("checkbox").check();
  await terms.getByRole("button", { name: text("terms:accept") }).click();
  await expect(terms).toBeHidden();
  await expect(page.getByText(text("imports:emptyTitle"))).toBeVisible();
}

/** Uber and Uber Eats hand out the same report: whose it is must be said once. */
export const answerUber = (page: Page, file: string) =>
  card(page, file).getByRole("button", { name: "Uber", exact: true }).click();

/** Opens the row of a file to its details. */
export const open = (page: Page, file: string) =>
  card(page, file).getByRole("button", { name: file, exact: true }).click();

/** The row of a file on the workbench. */
export const card = (page: Page, file: string) => page.getByRole("listitem", { name: file });
