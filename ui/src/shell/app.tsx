import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { I18nextProvider } from "react-i18next";
import { Navigate, type RouteObject, useRoutes } from "react-router";
import type { History } from "../browser/history";
import { AppRouter } from "../components/router";
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

const routes: RouteObject[] = [
  { path: "/", element: <Home /> },
  ...screens
    .filter(({ path }) => path !== "/")
    .map((screen) => ({ path: screen.path, element: <Guard screen={screen} /> })),
  { path: "*", element: <Navigate to="/404" replace /> },
];

function Screens() {
  return useRoutes(routes);
}

/** The screen at the address. */
export function Routed({ history, basename = "/" }: { history: History; basename?: string }) {
  return (
    <AppRouter history={history} basename={basename} crashed={<CrashedScreen />}>
      <Screens />
    </AppRouter>
  );
}
