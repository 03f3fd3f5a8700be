import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { adopt } from "../session/auth";
import { show } from "../i18n";
import { keepOnlyTellingStyles } from "./styles";

// How long a screen may take says nothing on a busy machine: only a screen that never comes fails.
configure({ asyncUtilTimeout: 120_000 });

keepOnlyTellingStyles();

beforeAll(() => show("pl"));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  cleanup();
  adopt(undefined);
});
