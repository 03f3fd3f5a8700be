import { useParams } from "react-router";
import { DriverPage } from "./driver-page";
import { ReviewPage } from "./review-page";

/** One document, or those of one driver. */
export default function OpenedPage() {
  const { id = "", driver } = useParams();
  return driver ? <DriverPage key={driver} id={driver} /> : <ReviewPage key={id} id={id} />;
}
