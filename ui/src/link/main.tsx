import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Summary } from "./load";
import { chosenLanguage, SummaryPage } from "./page";
import { wordsOf } from "./words";

/** What the server has drawn and written into the page; nothing where the page is served without it. */
function given(): Summary | undefined {
  const data = document.getElementById("summary")?.textContent;
  return data ? (JSON.parse(data) as Summary) : undefined;
}

// What the server has drawn stays until its words are here: it is taken over in one step, and nothing blinks.
async function start(element: HTMLElement) {
  const token = decodeURIComponent(/\/driver-summary\/([^/]*)/.exec(location.pathname)?.[1] ?? "");
  const summary = given();
  const words = summary && (await wordsOf(chosenLanguage() ?? summary.language));
  createRoot(element).render(
    <StrictMode>
      <SummaryPage token={token} given={summary} first={words} />
    </StrictMode>,
  );
}

const element = document.getElementById("root");
if (element) void start(element);
