import {
  ChartColumn,
  Clock,
  FileChartColumn,
  FileSignature,
  Fuel,
  Handshake,
  IdCard,
  MapPin,
  Megaphone,
  ReceiptText,
  UserRound,
  UsersRound,
  Wallet,
} from "lucide-react";
import { type ComponentType, lazy } from "react";
import { useTranslation } from "../i18n/translation";
import { matchPath } from "react-router";
import { withDriverTexts } from "../i18n";
import type { Session } from "../session/session";
import { type Key, namespaces, type Screen } from "./screen";
import { startsOf } from "./start";

/** A screen that is loaded when it is opened, and its texts with it. */
const page = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(async () => (await Promise.all([load(), withDriverTexts()]))[0]);

// Whoever has no reports has no entry for them; nor has who cannot be asked, and the menu opens all the same.
const ReportGate = lazy(async () => ({
  default: await import("../driver/reports/gate").then(
    ({ Gate }) => Gate,
    () => () => null,
  ),
}));

/** Where a driver says who they are, before anything else. */
const FILL_IN = "/add-driver-account";

/** What drivers see, in the order of the menu, and what anybody may see. */
export const driverScreens: readonly Screen[] = [
  {
    path: FILL_IN,
    page: page(() => import("../driver/account/add-account-page")),
    access: "account.write",
    title: "accounts:addTitle",
    tab: false,
  },
  {
    path: "/driver/settlements",
    // The first that most drivers see: its texts are here already.
    page: lazy(() => import("../driver/settlements/settlements-page")),
    access: "account.read",
    title: "explain:ownTitle",
    menu: {
      icon: Wallet,
      label: "explain:ownTitle",
      when: ({ driver }) => driver?.functions.includes(3) === true,
    },
    tab: true,
  },
  {
    path: "/driver/invoices",
    page: page(async () => (await import("../driver/invoices/screens")).list()),
    access: "account.read",
    title: "accounts:invoicesTitle",
    menu: {
      icon: ReceiptText,
      label: "accounts:invoicesTitle",
      when: ({ driver }) => driver?.functions.some((one) => one === 2 || one === 3) === true,
    },
    tab: true,
  },
  {
    path: "/driver/invoices/:id",
    page: page(async () => (await import("../driver/invoices/screens")).one()),
    access: "account.read",
    title: "accounts:invoicesTitle",
    tab: false,
  },
  {
    path: "/trip-tracker",
    page: page(async () => (await import("../driver/tracking/screens")).trips()),
    access: "account.read",
    title: "accounts:tripsTitle",
    menu: {
      icon: MapPin,
      label: "accounts:tripsTitle",
      when: ({ driver }) => driver?.functions.includes(1) === true,
    },
    tab: true,
    offline: true,
  },
  ...(["/trip-tracker/add", "/trip-tracker/edit/:id"] as const).map((path) => ({
    path,
    page: page(async () => (await import("../driver/tracking/screens")).trip()),
    access: "account.read" as const,
    title: "accounts:tripsTitle" as const,
    tab: false,
    offline: true,
  })),
  {
    path: "/time-tracker",
    page: page(async () => (await import("../driver/tracking/screens")).times()),
    access: "account.read",
    title: "accounts:timeTitle",
    menu: {
      icon: Clock,
      label: "accounts:timeTitle",
      when: ({ driver }) => driver?.functions.includes(2) === true,
    },
    tab: true,
    offline: true,
  },
  ...(["/time-tracker/add", "/time-tracker/edit/:id"] as const).map((path) => ({
    path,
    page: page(async () => (await import("../driver/tracking/screens")).time()),
    access: "account.read" as const,
    title: "accounts:timeTitle" as const,
    tab: false,
    offline: true,
  })),
  {
    path: "/driver/board",
    page: page(() => import("../driver/board/board-page")),
    access: "account.read",
    title: "accounts:boardTitle",
    menu: { icon: Megaphone, label: "accounts:boardTitle", when: ({ driver }) => driver?.notes === true },
    tab: true,
  },
  {
    path: "/driver/settlements/:id",
    page: page(() => import("../driver/settlements/settlement-page")),
    access: "account.read",
    title: "explain:ownOne",
    tab: false,
  },
  {
    path: "/driver/settlements/:id/ask",
    page: page(() => import("../driver/questions/ask-page")),
    access: "account.write",
    title: "explain:wrong",
    tab: false,
  },
  {
    path: "/driver/questions/:id",
    page: page(() => import("../driver/questions/question-page")),
    access: "account.read",
    title: "questions:oneTitle",
    tab: false,
  },
  {
    path: "/driver/stats",
    page: page(async () => (await import("../driver/stats/screens")).page()),
    access: "account.read",
    title: "accounts:statsTitle",
    menu: {
      icon: ChartColumn,
      label: "accounts:statsTitle",
      when: ({ driver }) => driver?.functions.includes(3) === true,
    },
    tab: true,
  },
  {
    path: "/fuel",
    page: page(async () => (await import("../driver/fuel/screens")).page()),
    access: "account.read",
    title: "accounts:fuelTitle",
    menu: {
      icon: Fuel,
      label: "accounts:fuelTitle",
      when: ({ partner, driver }) => driver?.linked === true && partner?.features.includes("fuel") === true,
    },
    tab: true,
  },
  {
    path: "/driver/settlement-frequency",
    page: page(() => import("../driver/account/frequency-page")),
    access: "account.read",
    title: "accounts:frequencyTitle",
    tab: false,
  },
  {
    path: "/driver/partners-list",
    page: page(() => import("../driver/account/partners-page")),
    access: "account.read",
    title: "accounts:partnersTitle",
    menu: {
      icon: UsersRound,
      label: "accounts:partnersTitle",
      short: "accounts:partnersShort",
      when: ({ driver }) => driver?.partnerChosen === false,
    },
    tab: true,
  },
  {
    path: "/driver/partner-profile",
    page: page(() => import("../driver/account/partner-page")),
    access: "account.read",
    title: "accounts:partnerTitle",
    menu: {
      icon: Handshake,
      label: "accounts:partnerTitle",
      short: "accounts:partnerShort",
      when: ({ driver }) => driver?.partnerChosen === true,
    },
    tab: true,
  },
  {
    path: "/driver/profile",
    page: page(() => import("../driver/account/profile-page")),
    access: "account.read",
    title: "accounts:profileTitle",
    menu: { icon: UserRound, label: "accounts:profileTitle", short: "accounts:profileShort" },
    tab: true,
  },
  {
    path: "/driver/documents",
    page: page(async () => (await import("../driver/contracts/screens")).list()),
    access: "contracts.read",
    title: "accounts:contractsTitle",
    menu: {
      icon: FileSignature,
      label: "accounts:contractsTitle",
      when: ({ driver }) => driver?.partnerChosen === true,
      with: ["/driver/fill-documents"],
    },
    tab: true,
  },
  {
    path: "/driver/fill-documents",
    page: page(async () => (await import("../driver/contracts/screens")).wizard()),
    access: "contracts.write",
    title: "accounts:contractsTitle",
    tab: false,
  },
  {
    path: "/driver/driver-documents",
    page: page(async () => (await import("../driver/documents/screens")).list()),
    access: "account.read",
    title: "accounts:documentsTitle",
    menu: { icon: IdCard, label: "accounts:documentsTitle", when: ({ driver }) => driver?.partnerChosen === true },
    tab: true,
  },
  {
    path: "/driver/driver-documents/:type",
    page: page(async () => (await import("../driver/documents/screens")).one()),
    access: "account.read",
    title: "accounts:documentsTitle",
    tab: false,
  },
  {
    path: "/driver/report",
    page: page(async () => (await import("../driver/reports/screens")).page()),
    access: "account.read",
    title: "accounts:reportsTitle",
    menu: {
      icon: FileChartColumn,
      label: "accounts:reportsTitle",
      when: ({ driver }) => driver?.partnerChosen === true,
      gate: ReportGate,
    },
    tab: true,
  },
  {
    path: "/driver/report/:code",
    page: page(async () => (await import("../driver/reports/screens")).page()),
    access: "account.read",
    title: "accounts:reportsTitle",
    tab: false,
  },
  {
    path: "/sign-in",
    page: page(() => import("./sign-in-page")),
    access: "public",
    title: "signIn:title",
    tab: false,
    bare: true,
  },
  {
    path: "/forbidden",
    page: page(() => import("./forbidden-page")),
    access: "public",
    title: "common:forbiddenTitle",
    tab: false,
  },
  {
    path: "/404",
    page: page(() => import("./not-found-page")),
    access: "public",
    title: "common:notFoundTitle",
    tab: false,
  },
];

// A driver's phone never loads what partners see, unless its address leads there.
let ofPartners: readonly Screen[] = [];
let loading: Promise<typeof import("./partner-side")> | undefined;

/** Loads all that only partners' people need: their screens and Ant Design. What could not be loaded is asked for again the next time. */
export function partnerSide() {
  loading ??= import("./partner-side").then(
    (side) => {
      ofPartners = side.partnerScreens;
      return side;
    },
    (reason: unknown) => {
      loading = undefined;
      throw reason;
    },
  );
  return loading;
}

/** The screens that are here, in the order of the menu. */
const screens = () => [...ofPartners, ...driverScreens];

/** The titles and menu labels in the language on screen. */
export function useScreenText(): (key: Key) => string {
  const { t } = useTranslation(namespaces);
  return t;
}

/** The screen at a path. */
export const screenAt = (path: string) => screens().find((screen) => matchPath(screen.path, path));

/** All that stands in the menu of drivers whose partner has the short one; what is not in it can still be opened. */
const SHORT = [
  "/driver/board",
  "/driver/settlements",
  "/driver/profile",
  "/driver/documents",
  "/driver/driver-documents",
  "/time-tracker",
];

/** The menu of a person: what they may not see is not there, and nothing is before a driver has said who they are. */
export function menuOf(session: Session) {
  if (session.driver?.account === false) return [];
  const short = session.driver && session.partner?.features.includes("logistics_menu");
  return screens().flatMap((screen) =>
    screen.menu &&
    (!short || SHORT.includes(screen.path)) &&
    (screen.offline || !session.offline) &&
    screen.access !== "public" &&
    session.may(screen.access) &&
    (screen.menu.when?.(session) ?? true)
      ? [{ ...screen.menu, path: screen.path }]
      : [],
  );
}

/** Where a person starts: what the rule prefers, of the screens that are in their menu. */
export function homeOf(session: Session) {
  const paths = menuOf(session).map(({ path }) => path);
  return startsOf(session).find((path) => paths.includes(path)) ?? paths[0] ?? "/forbidden";
}

/** Where a person must go instead of a screen: a driver says who they are first, and only once. */
export function detourOf({ driver }: Session, path: string): string | undefined {
  if (driver?.account === false) return path === FILL_IN ? undefined : FILL_IN;
  return driver && path === FILL_IN ? "/" : undefined;
}
