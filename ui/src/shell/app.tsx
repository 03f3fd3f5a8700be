import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { I18nextProvider } from "react-i18next";
import { Navigate, Outlet, type RouteObject, ScrollRestoration } from "react-router";
import { ToastProvider } from "../components/toasts";
import { i18n } from "../i18n";
import { AppearanceProvider } from "../components/appearance";
import type { Arrival } from "../session/auth";
import { type Config, ConfigProvider } from "../session/config";
import { CrashedScreen } from "./crashed-screen";
import { Guard, Home } from "./guard";
import { screens } from "./routes";
import { SavedNews } from "./saved-news";
import { SessionProvider } from "../session/session";
import "../components/base.css";

/** Texts and colours, all that a screen needs before anything is known. */
export function Dressed({ children }: { children: ReactNode }) {
  return (
    <I18nextProvider i18n={i18n}>
      <AppearanceProvider>{children}</AppearanceProvider>
    </I18nextProvider>
  );
}

/** Everything that screens take from around them. */
export function App({ config, arrival, children }: { config: Config; arrival: Arrival; children: ReactNode }) {
  // The client repeats what is worth repeating itself, so that a repeated write keeps its key.
  const [cache] = useState(
    () =>
      new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } } }),
  );
  return (
    <Dressed>
      <ConfigProvider value={config}>
        <QueryClientProvider client={cache}>
          <SessionProvider arrival={arrival}>
            <ToastProvider>
              <SavedNews />
              {children}
            </ToastProvider>
          </SessionProvider>
        </QueryClientProvider>
      </ConfigProvider>
    </Dressed>
  );
}

function Root() {
  return (
    <>
      <Outlet />
      <ScrollRestoration getKey={({ pathname }) => pathname} />
    </>
  );
}

/** The route table as the router reads it. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <CrashedScreen />,
    children: [
      { path: "/", element: <Home /> },
      ...screens
        .filter(({ path }) => path !== "/")
        .map((screen) => ({ path: screen.path, element: <Guard screen={screen} /> })),
      { path: "*", element: <Navigate to="/404" replace /> },
    ],
  },
];
