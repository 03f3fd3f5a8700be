import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { App, routes } from "../shell/app";
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

/** The whole application at a path. */
export function renderApp(path: string, arrival: Arrival = { failed: false, password: undefined }, instance = config) {
  const router = createMemoryRouter(routes, { initialEntries: ["/before", path], initialIndex: 1 });
  const user = userEvent.setup();
  render(
    <App config={instance} arrival={arrival}>
      <RouterProvider router={router} />
    </App>,
  );
  return { router, user, address: () => router.state.location.pathname + router.state.location.search };
}
