import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { useTranslation } from "./i18n/translation";
import { answer, api } from "./api/client";
import { Problem } from "./api/problem";
import { browserEntries, historyOf } from "./browser/history";
import { recall, STARTS } from "./browser/storage";
import { App, Dressed, Routed } from "./shell/app";
import { type Arrival, arrive, changePassword, signedIn, takeReturn } from "./session/auth";
import type { Config } from "./session/config";
import { limited } from "./session/limited";
import type { KeptSession } from "./session/session";
import { BareFrame } from "./shell/frame";
import { ErrorState } from "./components/error-state";
import { show, wanted } from "./i18n";
import { keepInvitation, knownPartner } from "./session/invitation";

function ConfigFailed({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <BareFrame>
      <ErrorState
        level={1}
        title={t("configFailedTitle")}
        undone={t("configFailedBody")}
        problem={problem}
        onRetry={onRetry}
      />
    </BareFrame>
  );
}

// Once read, the language leaves the address: a reload must not undo a later choice. Nothing else leaves it. The identity
// provider writes the language that somebody signed in with behind the #.
function takeLanguage() {
  const url = new URL(location.href);
  const signedInWith = /[#&]lang=([a-z]{2})(?=&|$)/;
  const asked = signedInWith.exec(url.hash)?.[1] ?? url.searchParams.get("lang");
  if (asked !== null) {
    url.searchParams.delete("lang");
    url.hash = url.hash.replace(signedInWith, "");
    history.replaceState(history.state, "", url);
  }
  return wanted(asked);
}

// Who sent a visitor: a partner, whose colours the sign-in pages wear, and whoever brought them. Kept for the
// registration, as cookies because the identity provider's pages read them too.
function takeReferral() {
  const url = new URL(location.href);
  const kept = { partner: "partner_code", reference_id: "reference_id", reference_link: "reference_link" };
  for (const [asked, name] of Object.entries(kept)) {
    const value = url.searchParams.get(asked);
    if (value === null) continue;
    url.searchParams.delete(asked);
    const good = name === "reference_link" ? /^https:\/\/[^\s;,"]{1,247}$/ : /^[A-Za-z0-9_-]{1,64}$/;
    if (!good.test(value)) continue;
    document.cookie = `${name}=${value}; Path=/; Max-Age=2592000; SameSite=Lax`;
    if (asked === "partner") keepInvitation(value);
  }
  history.replaceState(history.state, "", url);
}

// Keycloak's address of the password page leads here; the page itself is an action of signing in.
function takePasswordChange(): boolean {
  const url = new URL(location.href);
  const asked = url.searchParams.get("action") === "UPDATE_PASSWORD";
  url.searchParams.delete("action");
  if (asked) history.replaceState(history.state, "", url);
  return asked;
}

/** How long a start waits for the line where it can do without. */
const LINE_MS = 4000;

// What the instance is, and who is here. Where somebody can start without a line, one that is slow or gone is not waited for.
async function reach() {
  const partner = knownPartner();
  const asked = async () => {
    const config = await answer(api.GET("/api/config", { params: { query: partner ? { partner } : {} } }));
    return { config, arrival: await arrive(config) };
  };
  if (recall("localStorage", STARTS) === null) return asked();
  if (!navigator.onLine) throw new Problem("network.unreachable");
  const found = await limited(asked(), LINE_MS);
  if (found.arrival.failed) throw new Problem("network.unreachable");
  return found;
}

/** Starts without a line, for whoever was here last. */
async function startAlone(root: Root, early: Promise<void> | undefined): Promise<boolean> {
  if (recall("localStorage", STARTS) === null) return false;
  const { lastStart } = await import("./session/offline");
  const kept = await lastStart();
  if (!kept) return false;
  await (early ?? show(kept.config.defaultLanguage));
  render(root, kept.config, { failed: false, password: undefined }, kept);
  return true;
}

function render(root: Root, config: Config, arrival: Arrival, kept?: KeptSession) {
  const browser = historyOf(browserEntries());
  root.render(
    <StrictMode>
      <App config={config} arrival={arrival} kept={kept}>
        <Routed history={browser} basename="/app" />
      </App>
    </StrictMode>,
  );
}

async function start(root: Root, language: ReturnType<typeof takeLanguage>) {
  const early = language && show(language);
  try {
    const { config, arrival } = await reach();
    await (early ?? show(config.defaultLanguage));
    if (takePasswordChange()) {
      await changePassword("/");
      return;
    }
    const path = signedIn() ? takeReturn() : null;
    if (path) history.replaceState(null, "", `/app${path}`);
    render(root, config, arrival);
  } catch (reason) {
    if (!(reason instanceof Problem)) throw reason;
    if (reason.status === 0 && (await startAlone(root, early))) return;
    await (early ?? show("en"));
    root.render(
      <Dressed>
        <ConfigFailed problem={reason} onRetry={() => void start(root, language)} />
      </Dressed>,
    );
  }
}

const element = document.getElementById("root");
takeReferral();
if (element) void start(createRoot(element), takeLanguage());
