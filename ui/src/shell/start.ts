import type { Session } from "../session/session";

/**
 * Where a person wants to start, the best first. A driver: the board while it has unread notes; settlements with
 * function 3, else invoices with function 2, else the partner, else the list to choose one from. A partner's home is the
 * first screen of their menu.
 */
export function startsOf({ role, driver }: Pick<Session, "role" | "driver">): string[] {
  if (role !== "driver" || !driver) return [];
  return [
    ...(driver.unreadNotes > 0 ? ["/driver/board"] : []),
    ...(driver.functions.includes(3) ? ["/driver/settlements"] : []),
    ...(driver.functions.includes(2) ? ["/driver/invoices"] : []),
    "/driver/partner-profile",
    "/driver/partners-list",
  ];
}
