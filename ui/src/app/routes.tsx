import type { ParseKeys } from "i18next";
import { type LucideIcon, Tags } from "lucide-react";
import { type ComponentType, lazy } from "react";
import { useTranslation } from "react-i18next";
import { matchPath } from "react-router";
import type { Permission, Session } from "./session";

const namespaces = ["common", "partner", "signIn", "tags"] as const;

type Key = ParseKeys<typeof namespaces>;

/** One screen: everything the menu, the guard, the tabs and the document title know of it. */
export interface Screen {
  path: string;
  page: ComponentType;
  /** Who may see it: a permission, or anybody, signed in or not. */
  access: Permission | "public";
  title: Key;
  /** Where it stands in the menu; without this it is not there. */
  menu?: { icon: LucideIcon; label: Key };
  /** Whether it opens as a tab. */
  tab: boolean;
  /** Whether it takes the whole window, without the frame. */
  bare?: boolean;
}

/** All screens, in the order of the menu. The first one a person may see is their home. */
export const screens: readonly Screen[] = [
  {
    path: "/tags",
    page: lazy(() => import("../features/tags/tags-page")),
    access: "tags.read",
    title: "tags:title",
    menu: { icon: Tags, label: "tags:title" },
    tab: true,
  },
  {
    path: "/profile",
    page: lazy(() => import("../features/partner/profile-page")),
    access: "partner.read",
    title: "partner:title",
    tab: true,
  },
  {
    path: "/sign-in",
    page: lazy(() => import("../features/identity/sign-in-page")),
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

/** The menu of a person: what they may not see is not there. */
export function menuOf(session: Session) {
  return screens.flatMap((screen) =>
    screen.menu && screen.access !== "public" && session.may(screen.access)
      ? [{ ...screen.menu, path: screen.path }]
      : [],
  );
}

/** Where a person starts. */
export const homeOf = (session: Session) => menuOf(session)[0]?.path ?? "/forbidden";
