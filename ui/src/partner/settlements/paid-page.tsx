import { SettledPage } from "./settled-page";

/** What is paid. */
export default function PaidPage() {
  return <SettledPage state="paid" />;
}
