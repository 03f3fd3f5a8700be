import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from "react";
import { useTranslation } from "../i18n/translation";
import { Navigate, useLocation } from "react-router";
import { ErrorState } from "../components/error-state";
import { BareFrame, Frame } from "./frame";
import { detourOf, homeOf, partnerSide, screenAt, useScreenText } from "./routes";
import { HOME, type Screen } from "./screen";
import { invitedBy } from "../session/invitation";
import { type Session, useKnownSession } from "../session/session";

const NeedsLine = lazy(async () => (await import("../driver/tracking/screens")).needsLine());
const Kit = lazy(async () => ({ default: (await partnerSide()).Kit }));

function Dressed({ role, children }: { role: Session["role"]; children: ReactNode }) {
  if (role === "driver") return children;
  return (
    <Suspense fallback={<FrameSkeleton />}>
      <Kit>{children}</Kit>
    </Suspense>
  );
}

/** Shows a screen to whom it may be shown, and sends everybody else where they belong. */
export function Guard({ screen }: { screen: Screen }) {
  const { t } = useTranslation();
  const text = useScreenText();
  const known = useKnownSession();
  // The texts of a screen are here only for whom it is for.
  const shown = screen.access === "public" || known.session?.may(screen.access);
  const title = shown ? t("documentTitle", { page: text(screen.title) }) : undefined;
  const page = (
    <Suspense fallback={<PageSkeleton />}>
      {known.session?.offline && !screen.offline ? <NeedsLine /> : <screen.page />}
      <Title title={title} />
    </Suspense>
  );
  if (screen.bare) return page;
  if (known.state === "loading") return <FrameSkeleton />;
  if (known.session) {
    const elsewhere = detourOf(known.session, screen.path);
    if (elsewhere) return <Navigate to={elsewhere} replace />;
    if (screen.access !== "public" && !known.session.may(screen.access)) return <Navigate to="/forbidden" replace />;
    return (
      <Dressed role={known.session.role}>
        <Frame session={known.session}>{page}</Frame>
      </Dressed>
    );
  }
  if (screen.access === "public") return <BareFrame>{page}</BareFrame>;
  return known.problem ? <SessionFailed /> : <ToSignIn />;
}

// Beside its screen, whose texts are here only when the screen is.
function Title({ title }: { title: string | undefined }) {
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);
  return null;
}

/** The root: each person's own home. */
export function Home() {
  const known = useKnownSession();
  const screen = screenAt(HOME);
  if (screen && screen.access !== "public" && known.session?.may(screen.access)) return <Guard screen={screen} />;
  // Whoever came by a partner's link is asked about that partner, once they have said who they are.
  const invited = known.session?.driver?.account ? invitedBy() : null;
  if (invited && invited !== known.session?.partner?.code)
    return <Navigate to={`/driver/partners-list?choose=${invited}`} replace />;
  if (known.session) return <Navigate to={detourOf(known.session, "/") ?? homeOf(known.session)} replace />;
  if (known.state === "loading") return <FrameSkeleton />;
  return known.problem ? <SessionFailed /> : <ToSignIn />;
}

function SessionFailed() {
  const { t } = useTranslation();
  const { problem, retry } = useKnownSession();
  if (problem?.code === "identity.stranger") return <Navigate to="/forbidden" replace />;
  return (
    <BareFrame>
      {problem && (
        <ErrorState
          level={1}
          title={t("sessionFailedTitle")}
          undone={t("sessionFailedBody")}
          problem={problem}
          onRetry={retry}
        />
      )}
    </BareFrame>
  );
}

// Whoever comes fresh goes straight to the provider; whose session ended, or who could not sign in, is told so first.
function ToSignIn() {
  const { pathname, search } = useLocation();
  const { ending, arrival, signIn } = useKnownSession();
  const told = ending === "expired" || ending === "elsewhere" || ending === "closed" || arrival.failed;
  const path = pathname === "/" ? undefined : pathname + search;
  const leave = useEffectEvent(() => {
    if (!told && ending === undefined) signIn(path);
  });
  useEffect(() => leave(), []);
  if (told) return <Navigate to="/sign-in" replace state={path} />;
  return <FrameSkeleton />;
}

function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <div className="page-skeleton" aria-busy role="status" aria-label={t("loading")}>
      <span className="bar" />
      <span className="bar" />
    </div>
  );
}

/** The frame before it is known whose. */
export function FrameSkeleton() {
  return (
    <div className="frame frame-skeleton">
      <div className="sidebar" />
      <div className="frame-body">
        <div className="top-bar" />
        <main className="panel">
          <PageSkeleton />
        </main>
      </div>
    </div>
  );
}
