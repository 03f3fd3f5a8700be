import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { I18nextProvider } from "react-i18next";
import { matchPath, Navigate, type RouteObject, useLocation, useRoutes } from "react-router";
import type { History } from "../browser/history";
import { AppRouter } from "../components/router";
import { ToastProvider } from "../components/toasts";
import { i18n } from "../i18n";
import { AppearanceProvider } from "../components/appearance";
import type { Arrival } from "../session/auth";
import { type Config, ConfigProvider } from "../session/config";
import { CrashedScreen } from "./crashed-screen";
import { FrameSkeleton, Guard, Home } from "./guard";
import { driverScreens, partnerSide } from "./routes";
import { SavedNews } from "./saved-news";
import { HOME, type Screen } from "./screen";
import { type KeptSession, SessionProvider, useKnownSession } from "../session/session";
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
export function App(props: {
  config: Config;
  arrival: Arrival;
  /** Whom this device knows, where it starts without a line. */
  kept?: KeptSession | undefined;
  children: ReactNode;
}) {
  const { config, arrival, kept, children } = props;
  // The client repeats what is worth repeating itself, so that a repeated write keeps its key.
  const [cache] = useState(
    () =>
      new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } } }),
  );
  return (
    <Dressed>
      <ConfigProvider value={config}>
        <QueryClientProvider client={cache}>
          <SessionProvider arrival={arrival} kept={kept}>
            <Toasts>
              <SavedNews />
              {children}
            </Toasts>
          </SessionProvider>
        </QueryClientProvider>
      </ConfigProvider>
    </Dressed>
  );
}

function Toasts({ children }: { children: ReactNode }) {
  const { session } = useKnownSession();
  return <ToastProvider of={session?.user.id ?? ""}>{children}</ToastProvider>;
}

const routesOf = (screens: readonly Screen[]): RouteObject[] => [
  { path: HOME, element: <Home /> },
  ...screens
    .filter(({ path }) => path !== HOME)
    .map((screen) => ({ path: screen.path, element: <Guard screen={screen} /> })),
  { path: "*", element: <Navigate to="/404" replace /> },
];
const routesOfDrivers = routesOf(driverScreens);
const DriversScreens = () => useRoutes(routesOfDrivers);
const AllScreens = lazy(async () => {
  const { partnerScreens } = await partnerSide();
  const routes = routesOf([...partnerScreens, ...driverScreens]);
  const Table = () => useRoutes(routes);
  return { default: Table };
});

// Whether an address that no driver has is a partner's or nobody's is known only with the whole table.
function Screens() {
  const { session } = useKnownSession();
  const { pathname } = useLocation();
  const ofDrivers = pathname === HOME || driverScreens.some(({ path }) => matchPath(path, pathname));
  return ofDrivers && (!session || session.role === "driver") ? <DriversScreens /> : <AllScreens />;
}

/** The screen at the address. */
export function Routed({ history, basename = "/" }: { history: History; basename?: string }) {
  return (
    <AppRouter history={history} basename={basename} crashed={<CrashedScreen />}>
      <Suspense fallback={<FrameSkeleton />}>
        <Screens />
      </Suspense>
    </AppRouter>
  );
}
