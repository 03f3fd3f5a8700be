import type { PlainKey } from "../i18n/translation";
import type { LucideIcon } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import type { Permission, Session } from "../session/session";

/** The parts of the texts that name screens. */
export const namespaces = [
  "accounts",
  "common",
  "documents",
  "drivers",
  "explain",
  "home",
  "imports",
  "merge",
  "messages",
  "partner",
  "payouts",
  "profiles",
  "questions",
  "schemas",
  "sending",
  "settlements",
  "signIn",
  "tags",
  "transactions",
] as const;

export type Key = PlainKey<typeof namespaces>;

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
    /** Shows the entry or not, where only the server knows whether this person has anything there. */
    gate?: ComponentType<{ children: ReactNode }>;
    /** Other screens that belong to this entry. */
    with?: readonly string[];
    /** For a driver's phone, where little fits. */
    short?: Key;
    /** Whether it is there for this person; without this, for all who may see it. */
    when?: (session: Session) => boolean;
  };
  /** Whether it opens as a tab. */
  tab: boolean;
  /** Whether it can be opened where the server was not reached. */
  offline?: boolean;
  /** Whether it takes the whole window, without the frame. */
  bare?: boolean;
}

/** A partner's week at a glance. Whoever may not see it starts at the first screen of their menu. */
export const HOME = "/";
