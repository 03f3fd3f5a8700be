import { lazy, Suspense } from "react";
import { useLocation } from "react-router";

const HistoryPage = lazy(() => import("./history-page"));
const PaymentPage = lazy(() => import("./payment-page"));
const PurchasePage = lazy(() => import("./purchase-page"));

/** The page that the address names. */
export default function LicencePages() {
  const { pathname } = useLocation();
  const Page = pathname.startsWith("/payment-service/")
    ? PaymentPage
    : pathname === "/licenses/history"
      ? HistoryPage
      : PurchasePage;
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}
