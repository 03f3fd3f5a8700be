import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { App, routes } from "../app/app";
import { remember } from "../browser/storage";
import { config } from "./server";

/** Signs the person in before the application starts. */
export function signedIn() {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  remember("sessionStorage", "grant", JSON.stringify({ accessToken: "token", expiresAt }));
}

/** The whole application at a path. */
export function renderApp(path: string) {
  const router = createMemoryRouter(routes, { initialEntries: ["/before", path], initialIndex: 1 });
  const user = userEvent.setup();
  render(
    <App config={config}>
      <RouterProvider router={router} />
    </App>,
  );
  return { router, user, address: () => router.state.location.pathname + router.state.location.search };
}
