import type { ParseKeys } from "i18next";
import {
  FileSliders,
  FileText,
  FileUp,
  Handshake,
  House,
  Landmark,
  type LucideIcon,
  Tags,
  UserRound,
  UserRoundCheck,
  UsersRound,
  Wallet,
} from "lucide-react";
import { type ComponentType, lazy } from "react";
import { useTranslation } from "react-i18next";
import { matchPath } from "react-router";
import type { Permission, Session } from "../session/session";
import { startsOf } from "./start";

const namespaces = [
  "accounts",
  "common",
  "documents",
  "drivers",
  "explain",
  "home",
  "imports",
  "merge",
  "partner",
  "payouts",
  "profiles",
  "schemas",
  "sending",
  "settlements",
  "signIn",
  "tags",
  "transactions",
] as const;

type Key = ParseKeys<typeof namespaces>;

/** One screen: everything the menu, the guard, the tabs and the document title know of it. */
export interface Screen {
  path: string;
  page: ComponentType;
  /** Who may see it: a permission, or anybody, signed in or not. */
  access: Permission | "public";
  title: Key;
  /** Where it stands in the menu; without this it is not there. */
  menu?: {
    icon: LucideIcon;
    label: Key;
    /** What stands behind the label: something that waits there. */
    badge?: ComponentType;
    /** Other screens that belong to this entry. */
    with?: readonly string[];
    /** For a driver's phone, where little fits. */
    short?: Key;
    /** Whether it is there for this person; without this, for all who may see it. */
    when?: (session: Session) => boolean;
  };
  /** Whether it opens as a tab. */
  tab: boolean;
  /** Whether it takes the whole window, without the frame. */
  bare?: boolean;
}

// Only a partner's people have that entry: whoever has not need not wait for it.
const WaitingBadge = lazy(async () => ({ default: (await import("../partner/imports/waiting-badge")).WaitingBadge }));

/** Where a driver says who they are, before anything else. */
const FILL_IN = "/add-driver-account";

/** A partner's week at a glance. Whoever may not see it starts at the first screen of their menu. */
const HOME = "/";

/** All screens, in the order of the menu. */
export const screens: readonly Screen[] = [
  {
    path: HOME,
    page: lazy(() => import("../partner/home/home-page")),
    access: "settlements.read",
    title: "home:title",
    menu: { icon: House, label: "home:title" },
    tab: true,
  },
  {
    path: "/settlements/pending",
    page: lazy(() => import("../partner/settlements/pending-page")),
    access: "settlements.read",
    title: "settlements:pending",
    menu: { icon: Wallet, label: "settlements:title", with: ["/settlements", "/transactions"] },
    tab: true,
  },
  {
    path: "/settlements/settled",
    page: lazy(() => import("../partner/settlements/settled-only-page")),
    access: "settlements.read",
    title: "settlements:settled",
    tab: true,
  },
  {
    path: "/settlements/paid",
    page: lazy(() => import("../partner/settlements/paid-page")),
    access: "settlements.read",
    title: "settlements:paid",
    tab: true,
  },
  {
    path: "/settlements",
    page: lazy(() => import("../partner/settlements/redirect-page")),
    access: "settlements.read",
    title: "settlements:title",
    tab: false,
  },
  {
    path: "/payouts",
    page: lazy(() => import("../partner/payouts/batches-page")),
    access: "payouts.read",
    title: "payouts:title",
    menu: { icon: Landmark, label: "payouts:title", with: ["/payouts"] },
    tab: true,
  },
  {
    path: "/payouts/new",
    page: lazy(() => import("../partner/payouts/new-page")),
    access: "payouts.write",
    title: "payouts:newTitle",
    tab: false,
  },
  {
    path: "/payouts/statement",
    page: lazy(() => import("../partner/payouts/statement-page")),
    access: "payouts.write",
    title: "payouts:statement",
    tab: false,
  },
  {
    path: "/payouts/:number",
    page: lazy(() => import("../partner/payouts/batch-page")),
    access: "payouts.read",
    title: "payouts:title",
    tab: false,
  },
  {
    path: "/documents",
    page: lazy(() => import("../partner/documents/documents-page")),
    access: "settlements.read",
    title: "documents:title",
    menu: { icon: FileText, label: "documents:menu" },
    tab: true,
  },
  {
    path: "/drivers",
    page: lazy(() => import("../partner/drivers/drivers-page")),
    access: "drivers.read",
    title: "drivers:title",
    menu: { icon: UsersRound, label: "drivers:title" },
    tab: true,
  },
  {
    path: "/drivers/possible-duplicates",
    page: lazy(() => import("../partner/drivers/duplicates-page")),
    access: "drivers.read",
    title: "merge:duplicates",
    tab: false,
  },
  {
    path: "/drivers/sent-summary/:tokenUUID/:driverUUID",
    page: lazy(() => import("../partner/settlements/sent-summary-page")),
    access: "settlements.read",
    title: "sending:pageTitle",
    tab: false,
  },
  {
    path: "/drivers/:id/merge",
    page: lazy(() => import("../partner/drivers/merge-page")),
    access: "drivers.write",
    title: "merge:title",
    tab: false,
  },
  {
    path: "/drivers/:id",
    page: lazy(() => import("../partner/drivers/driver-page")),
    access: "drivers.read",
    title: "drivers:driverTitle",
    tab: false,
  },
  {
    path: "/drivers-profiles",
    page: lazy(() => import("../partner/profiles/profiles-page")),
    access: "drivers.read",
    title: "profiles:title",
    menu: { icon: UserRoundCheck, label: "profiles:title" },
    tab: true,
  },
  {
    path: "/tags",
    page: lazy(() => import("../partner/tags/tags-page")),
    access: "tags.read",
    title: "tags:title",
    menu: { icon: Tags, label: "tags:title" },
    tab: true,
  },
  {
    path: "/schemas",
    page: lazy(() => import("../partner/schemas/schemas-page")),
    access: "schemas.read",
    title: "schemas:title",
    menu: { icon: FileSliders, label: "schemas:title" },
    tab: true,
  },
  {
    path: "/upload",
    page: lazy(() => import("../partner/imports/upload-page")),
    access: "imports.read",
    title: "imports:title",
    menu: { icon: FileUp, label: "imports:title", badge: WaitingBadge, with: ["/log"] },
    tab: true,
  },
  {
    path: "/upload/drivers",
    page: lazy(() => import("../partner/imports/unmatched-page")),
    access: "imports.read",
    title: "imports:unmatchedTitle",
    tab: false,
  },
  {
    path: "/upload/coverage",
    page: lazy(() => import("../partner/imports/coverage-page")),
    access: "imports.read",
    title: "imports:partCoverage",
    tab: false,
  },
  {
    path: "/upload/mappings",
    page: lazy(() => import("../partner/imports/mappings-page")),
    access: "imports.read",
    title: "imports:mapsTitle",
    tab: false,
  },
  {
    path: "/upload/mappings/:id",
    page: lazy(() => import("../partner/imports/mapping-edit-page")),
    access: "imports.write",
    title: "imports:mapEditTitle",
    tab: false,
  },
  {
    path: "/upload/files/:id/columns",
    page: lazy(() => import("../partner/imports/mapping-new-page")),
    access: "imports.write",
    title: "imports:mapTitle",
    tab: false,
  },
  {
    path: "/log",
    page: lazy(() => import("../partner/imports/log-page")),
    access: "imports.read",
    title: "imports:logTitle",
    tab: true,
  },
  {
    path: "/log/:id",
    page: lazy(() => import("../partner/imports/import-page")),
    access: "imports.read",
    title: "imports:oneTitle",
    tab: false,
  },
  {
    path: "/transactions/summary/:driverUUID/:settlementUUID?",
    page: lazy(() => import("../partner/explain/explain-page")),
    access: "settlements.read",
    title: "explain:title",
    tab: true,
  },
  {
    path: "/transactions/details/:driverUUID/:settlementUUID?",
    page: lazy(() => import("../partner/transactions/transactions-page")),
    access: "transactions.read",
    title: "transactions:title",
    tab: true,
  },
  {
    path: "/profile",
    page: lazy(() => import("../partner/company/profile-page")),
    access: "partner.read",
    title: "partner:title",
    tab: true,
  },
  {
    path: FILL_IN,
    page: lazy(() => import("../driver/account/add-account-page")),
    access: "account.write",
    title: "accounts:addTitle",
    tab: false,
  },
  {
    path: "/driver/settlements",
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
    path: "/driver/settlements/:id",
    page: lazy(() => import("../driver/settlements/settlement-page")),
    access: "account.read",
    title: "explain:ownOne",
    tab: false,
  },
  {
    path: "/driver/settlement-frequency",
    page: lazy(() => import("../driver/account/frequency-page")),
    access: "account.read",
    title: "accounts:frequencyTitle",
    tab: false,
  },
  {
    path: "/driver/partners-list",
    page: lazy(() => import("../driver/account/partners-page")),
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
    page: lazy(() => import("../driver/account/partner-page")),
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
    page: lazy(() => import("../driver/account/profile-page")),
    access: "account.read",
    title: "accounts:profileTitle",
    menu: { icon: UserRound, label: "accounts:profileTitle", short: "accounts:profileShort" },
    tab: true,
  },
  {
    path: "/sign-in",
    page: lazy(() => import("./sign-in-page")),
    access: "public",
    title: "signIn:title",
    tab: false,
    bare: true,
  },
  {
    path: "/forbidden",
    page: lazy(() => import("./forbidden-page")),
    access: "public",
    title: "common:forbiddenTitle",
    tab: false,
  },
  {
    path: "/404",
    page: lazy(() => import("./not-found-page")),
    access: "public",
    title: "common:notFoundTitle",
    tab: false,
  },
];

/** The titles and menu labels in the language on screen. */
export function useScreenText(): (key: Key) => string {
  const { t } = useTranslation(namespaces);
  return t;
}

/** The screen at a path. */
export const screenAt = (path: string) => screens.find((screen) => matchPath(screen.path, path));

/** The menu of a person: what they may not see is not there, and nothing is before a driver has said who they are. */
export function menuOf(session: Session) {
  if (session.driver?.account === false) return [];
  return screens.flatMap((screen) =>
    screen.menu && screen.access !== "public" && session.may(screen.access) && (screen.menu.when?.(session) ?? true)
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
