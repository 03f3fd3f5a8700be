import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type Entries, type Entry, historyOf } from "../browser/history";
import { App, Routed } from "../shell/app";
import { adopt, type Arrival, type Provider } from "../session/auth";
import { config } from "./server";

/** The identity provider's client as a page load finds it; what it was asked to do is in `asked`. */
export function provider(token: string | undefined, signedInAt?: number, timeSkew = 0) {
  const asked: { what: string; options: unknown }[] = [];
  const ask = (what: string) => (options?: unknown) => {
    asked.push({ what, options });
    return Promise.resolve();
  };
  const client: Provider = {
    ...(token && { token }),
    ...(signedInAt && { tokenParsed: { auth_time: signedInAt } }),
    timeSkew,
    updateToken: () => Promise.resolve(false),
    login: ask("login"),
    register: ask("register"),
    logout: ask("logout"),
    clearToken: () => {
      delete client.token;
    },
  };
  adopt(client);
  return asked;
}

/** Signs the person in before the application starts. */
export const signedIn = () => provider("token");

/** Signs the person in as of ten minutes ago. */
export const signedInBefore = () => provider("token", Date.now() / 1000 - 600);

/** A list in the place of the browser's history. */
export function listOf(...paths: string[]): Entries {
  const entries: Entry[] = paths.map((path, index) => ({ path, state: null, key: `entry ${index}`, index }));
  let at = entries.length - 1;
  let moved: (() => void) | undefined;
  return {
    current: () => {
      const entry = entries[at];
      if (!entry) throw new Error("there is no entry");
      return entry;
    },
    push: (entry) => entries.splice(++at, entries.length, entry),
    replace: (entry) => entries.splice(at, 1, entry),
    go: (delta) => {
      if (!entries[at + delta]) return;
      at += delta;
      moved?.();
    },
    watch: (listener) => {
      moved = listener;
    },
  };
}

/** The whole application at a path. */
export function renderApp(path: string, arrival: Arrival = { failed: false, password: undefined }, instance = config) {
  const history = historyOf(listOf("/before", path));
  const user = userEvent.setup();
  render(
    <App config={instance} arrival={arrival}>
      <Routed history={history} />
    </App>,
  );
  const address = () => history.current().entry.path.replace(/#.*$/, "");
  return { history, user, address };
}
