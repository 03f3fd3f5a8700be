import { Fragment, Suspense } from "react";
import { useTranslation } from "../i18n/translation";
import { matchPath, NavLink, useLocation } from "react-router";
import { Brand } from "./brand";
import { menuOf, useScreenText } from "./routes";
import type { Session } from "../session/session";
import { UserMenu } from "./user-menu";

/** Brand, menu and user, one below the other. */
export function Sidebar({ session, onNavigate }: { session: Session; onNavigate?: () => void }) {
  const { t } = useTranslation("frame");
  const text = useScreenText();
  const { pathname } = useLocation();
  return (
    <div className="sidebar">
      <Brand partner={session.partner} />
      <nav aria-label={t("mainMenu")} className="sidebar-menu">
        {menuOf(session).map(({ path, label, icon: Icon, badge: Badge, gate: Gate = Fragment, with: others = [] }) => {
          const near = others.some((other) => matchPath({ path: other, end: false }, pathname));
          return (
            <Suspense key={path}>
              <Gate>
                <NavLink
                  to={path}
                  end={path === "/"}
                  className={({ isActive }) => `sidebar-link${isActive || near ? " active" : ""}`}
                  {...(onNavigate && { onClick: onNavigate })}
                >
                  <Icon aria-hidden size={18} strokeWidth={1.75} />
                  {text(label)}
                  <Suspense>{Badge && <Badge />}</Suspense>
                </NavLink>
              </Gate>
            </Suspense>
          );
        })}
      </nav>
      <UserMenu session={session} {...(onNavigate && { onNavigate })} />
    </div>
  );
}
