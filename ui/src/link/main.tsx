import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { SummaryPage } from "./page";

const element = document.getElementById("root");
const token = decodeURIComponent(/\/driver-summary\/([^/]*)/.exec(location.pathname)?.[1] ?? "");
if (element)
  createRoot(element).render(
    <StrictMode>
      <SummaryPage token={token} />
    </StrictMode>,
  );
