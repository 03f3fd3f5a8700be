import { type APIResponse, expect, type Page } from "@playwright/test";
import type { Person } from "../saldo";

/** The pages of the identity provider, by the ids that Keycloak gives its fields. */
export class SignIn {
  constructor(readonly page: Page) {}

  async submit(person: Person): Promise<void> {
    await this.page.locator("#username").fill(person.email);
    await this.page.locator("#password").fill(person.password);
    await this.page.locator("#kc-login").click();
  }

  /** Signs in as `submit` does, by the same two requests, without drawing the pages. What it leaves are the cookies. */
  async behind(person: Person): Promise<void> {
    const here = await this.page.request.head("/app/icon.svg");
    const ask = new URLSearchParams({
      client_id: "spa",
      redirect_uri: new URL("/app/", here.url()).toString(),
      response_type: "code",
      scope: "openid",
      state: "s",
      nonce: "n",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const form = await this.page.request.get(`/auth/realms/saldo/protocol/openid-connect/auth?${ask.toString()}`);
    const answer = await this.post(form, { username: person.email, password: person.password });
    expect(answer.headers().location, await answer.text()).toContain("code=");
  }

  /** Sets a first password as `setPassword` does, without drawing the page. */
  async setPasswordBehind(link: string, password: string): Promise<void> {
    const form = await this.page.request.get(link);
    const fields = { "password-new": password, "password-confirm": password };
    const answer = await this.post(form, fields);
    expect(answer.status(), await answer.text()).toBeLessThan(400);
    expect(await answer.text()).not.toContain("password-new");
  }

  private async post(page: APIResponse, form: Record<string, string>) {
    const html = await page.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    expect(action, html).toBeTruthy();
    return this.page.request.post(new URL(action ?? "", page.url()).toString(), { form, maxRedirects: 0 });
  }

  /** Sets a first or a new password through a mailed or printed link. */
  async setPassword(link: string, password: string): Promise<void> {
    await this.page.goto(link);
    await this.page.locator("#password-new").fill(password);
    await this.page.locator("#password-confirm").fill(password);
    await this.page.locator("#kc-passwd-update-form [type=submit]").first().click();
    await expect(this.page.locator("#password-new")).toBeHidden();
  }

  async register(first: string, last: string, person: Person): Promise<void> {
    await this.page.locator("#firstName").fill(first);
    await this.page.locator("#lastName").fill(last);
    await this.page.locator("#email").fill(person.email);
    await this.page.locator("#password").fill(person.password);
    await this.page.locator("#password-confirm").fill(person.password);
    await this.page.locator("#kc-register-form [type=submit]").click();
  }

  /** Changes the password of whoever has just signed in. */
  async changePassword(from: string, to: string): Promise<void> {
    const current = this.page.locator("#password");
    if (await current.isVisible()) await current.fill(from);
    await this.page.locator("#password-new").fill(to);
    await this.page.locator("#password-confirm").fill(to);
    await this.page.locator("#kc-passwd-update-form [type=submit]").first().click();
  }
}

/** The link in a mail: a long one is folded over lines as =3D and soft breaks. */
export function linkIn(mail: string): string {
  const plain = mail.replace(/=\r?\n/g, "").replace(/=3D/g, "=");
  const link = /https?:\/\/\S+action-token\S+/.exec(plain)?.[0];
  if (!link) throw new Error(`no link in: ${mail}`);
  return link;
}
