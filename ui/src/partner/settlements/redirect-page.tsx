import { Navigate } from "react-router";

/** Settlements begin with what is to be settled. */
export default function RedirectPage() {
  return <Navigate to="/settlements/pending" replace />;
}
