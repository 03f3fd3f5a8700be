import type { ReactNode } from "react";
import { useLanguage } from "../../i18n";
import { useReports } from "../../reports/calls";

/** Shows the way to reports to drivers whose partner gives them some. */
export function Gate({ children }: { children: ReactNode }) {
  const { data } = useReports("driver", useLanguage());
  return data && data.length > 0 ? children : null;
}
