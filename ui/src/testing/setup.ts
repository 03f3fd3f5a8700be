import { drawn } from "./act";
import "@testing-library/jest-dom/vitest";
import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { adopt } from "../session/auth";
import { show } from "../i18n";
import { keepOnlyTellingStyles } from "./styles";

// How long a screen may take says nothing on a busy machine: only a screen that never comes fails.
configure({
  asyncUtilTimeout: 120_000,
  asyncWrapper: async <T>(work: () => Promise<T>) => {
    let result = await work();
    await drawn();
    // What was found may have been drawn anew meanwhile.
    for (let again = 0; again < 3 && result instanceof Element && !result.isConnected; again++) result = await work();
    return result;
  },
  // Whoever waits for an element asks many times. The page is put into words only for an error that is read.
  getElementError(message, container) {
    const error = new Error();
    error.name = "TestingLibraryElementError";
    let text: string | undefined;
    const get = () => (text ??= [message, prettyDOM(container)].filter(Boolean).join("\n\n"));
    return Object.defineProperty(error, "message", {
      get,
      set: (changed: string) => (text = changed),
      configurable: true,
    });
  },
});

// Answers of tests come at once; how long a busy machine takes to read them is no failure.
AbortSignal.timeout = () => new AbortController().signal;

keepOnlyTellingStyles();

beforeAll(() => show("pl"));

beforeEach(() => {
  history.replaceState(null, "", "/app/");
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  vi.useRealTimers(); // files share a process
  cleanup();
  adopt(undefined);
});

// A module that is on its way when a file of tests ends is refused to it, and every screen of the files after it that needs it never comes.
afterAll(() => vi.dynamicImportSettled());
