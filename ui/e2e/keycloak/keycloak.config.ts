import { defineConfig } from "@playwright/test";
import journeys from "../playwright.config";

// The journeys of who comes in, at a real Keycloak: scripts/test-keycloak runs them.
export default defineConfig({
  ...journeys,
  testDir: ".",
  outputDir: "../../test-results/keycloak",
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  projects: [{ name: "keycloak" }],
});
