import { Navigate } from "react-router";

/** The frequency of settlements is a part of the profile; links to its former page lead there. */
export default function FrequencyPage() {
  return <Navigate to="/driver/profile#frequency" replace />;
}
