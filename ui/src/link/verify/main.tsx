import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { VerifyPage } from "./page";

// An address that cannot be decoded holds no code: it is asked for as it is.
function codeOf(path: string): string {
  const written = /\/verify\/([^/]*)/.exec(path)?.[1] ?? "";
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

const element = document.getElementById("root");
if (element)
  createRoot(element).render(
    <StrictMode>
      <VerifyPage code={codeOf(location.pathname)} />
    </StrictMode>,
  );
