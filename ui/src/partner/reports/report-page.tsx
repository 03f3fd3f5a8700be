import { useParams } from "react-router";
import { ReportScreen } from "../../reports/report-screen";
import { picker } from "./picker";

/** One report of the partner. */
export default function ReportPage() {
  const { code = "" } = useParams();
  return <ReportScreen key={code} side="partner" code={code} picker={picker} />;
}
