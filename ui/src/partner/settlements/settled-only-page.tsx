import { SettledPage } from "./settled-page";

/** What is settled and not paid yet. */
export default function SettledOnlyPage() {
  return <SettledPage state="settled" />;
}
