import Keycloak from "keycloak-js";
import { recall, remember } from "../browser/storage";
import { i18n } from "../i18n";
import type { Config } from "./config";

/** What signing in needs of the identity provider's client. */
export type Provider = Pick<
  Keycloak,
  "token" | "tokenParsed" | "timeSkew" | "subject" | "updateToken" | "login" | "register" | "logout" | "clearToken"
>;

/** How a page load began. */
export interface Arrival {
  /** Whether the provider said that signing in failed. */
  failed: boolean;
  /** How the change of a password ended, when that is where the person comes from. */
  password: "success" | "cancelled" | "error" | undefined;
}

const APP = `${location.origin}/app/`;
const SOON_SECONDS = 30;

/** The path to return to after signing in. */
const RETURN = "return";

// Tokens live here and nowhere else: a reload asks the provider, which knows the browser.
let provider: Provider | undefined;

// What the provider was found by; undefined where nobody has arrived.
let known: Config | undefined;

/** Takes the provider's client into use. */
export function adopt(client: Provider | undefined): void {
  provider = client;
}

/** Finds out, without showing anything, whether the person is signed in. */
export async function arrive(config: Config): Promise<Arrival> {
  known = config;
  const keycloak = new Keycloak({
    url: new URL(config.authUrl, location.origin).href,
    realm: config.realm,
    clientId: config.clientId,
  });
  const arrival: Arrival = { failed: false, password: undefined };
  keycloak.onActionUpdate = (status) => {
    arrival.password = status;
  };
  try {
    await keycloak.init({
      onLoad: "check-sso",
      pkceMethod: "S256",
      checkLoginIframe: false,
      silentCheckSsoRedirectUri: `${APP}silent-check-sso.html`,
      silentCheckSsoFallback: false,
      redirectUri: APP,
    });
  } catch {
    arrival.failed = true;
  }
  adopt(keycloak);
  return arrival;
}

/** Whether somebody is signed in. */
export const signedIn = () => provider?.token !== undefined;

/** Who is signed in, as the provider names them. */
export const subject = () => provider?.subject;

// The server takes five minutes; one of them is left for filling in the form.
const LATELY_SECONDS = 4 * 60;

/** Whether the person signed in so lately that the server takes what needs it. Where the token does not say, the server decides. */
export function signedInLately(): boolean {
  const at = provider?.tokenParsed?.auth_time;
  // The skew is how far this clock is ahead of the provider's.
  return at === undefined || Date.now() / 1000 - (provider?.timeSkew ?? 0) - at < LATELY_SECONDS;
}

let renewal: Promise<void> | undefined;

// A tab that slept longer than its tokens last asks whether the browser is still known, as a reload would. Somebody else who
// signed in meanwhile is not let onto this person's screen.
async function renew(who: string | undefined): Promise<void> {
  if (!known || who === undefined) return;
  await arrive(known);
  if (provider?.subject !== who) forget();
}

/** A token that is good for a while, or none when the session has ended. */
export async function token(): Promise<string | undefined> {
  if (!provider?.token) return undefined;
  const who = provider.subject;
  try {
    await provider.updateToken(SOON_SECONDS);
  } catch {
    // Without a connection the old token may still do; without a session the server says so.
    if (!provider.token) {
      renewal ??= renew(who).finally(() => {
        renewal = undefined;
      });
      await renewal;
    }
  }
  return provider.token;
}

/** Remembers where to come back to; takeReturn gives it once. */
function keepReturn(path: string): void {
  remember("sessionStorage", RETURN, path);
}

/** Where the person wanted to go before they had to sign in. */
export function takeReturn(): string | null {
  const path = recall("sessionStorage", RETURN);
  remember("sessionStorage", RETURN, null);
  return path;
}

/** Leaves for the provider's sign-in page and comes back to a path. */
export async function signIn(path: string | undefined): Promise<void> {
  if (path) keepReturn(path);
  await provider?.login({ redirectUri: APP, locale: i18n.language });
}

/** Signs in once more, because something important needs a fresh proof of who it is. */
export async function signInAgain(path: string): Promise<void> {
  keepReturn(path);
  await provider?.login({ redirectUri: APP, locale: i18n.language, maxAge: 0 });
}

/** Leaves for the provider's registration page. */
export async function register(): Promise<void> {
  await provider?.register({ redirectUri: APP, locale: i18n.language });
}

/** Leaves for the provider's password page and comes back to a path. */
export async function changePassword(path: string): Promise<void> {
  keepReturn(path);
  await provider?.login({ redirectUri: APP, locale: i18n.language, action: "UPDATE_PASSWORD" });
}

/** Forgets the tokens, for a session that the server no longer knows. */
export function forget(): void {
  provider?.clearToken();
}

/** Ends the session at the provider, which sends the person back to the start. */
export async function signOut(): Promise<void> {
  remember("sessionStorage", RETURN, null);
  await provider?.logout({ redirectUri: APP });
}
