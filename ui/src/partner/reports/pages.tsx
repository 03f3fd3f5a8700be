import { lazy, Suspense } from "react";
import { useLocation } from "react-router";

const EditorPage = lazy(() => import("./editor-page"));
const ListPage = lazy(() => import("./list-page"));
const SchedulesPage = lazy(() => import("./schedules-page"));

/** The page that the address names. */
export default function ReportPages() {
  const { pathname } = useLocation();
  const Page =
    pathname === "/reports/schedules" ? SchedulesPage : pathname.startsWith("/reports/edit") ? EditorPage : ListPage;
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}
