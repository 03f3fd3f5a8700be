import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { IN_FULL, SOAK } from "./pages/combined";

// What longer runs have alone.
const FULL = new RegExp(IN_FULL.tag);

// What is different in Germany.
const GERMAN = /\/german[^/]*\.spec\.ts$/;

// What shows that the program runs on PostgreSQL too. The tests in Go say the same of each part on both engines.
const POSTGRES = /\/tags\.spec\.ts$/;

// The same engine without the parts of a desktop program: a fifth less work.
const shell = "/usr/bin/chromium-headless-shell";

// Journeys drive the built binary in Debian's Chromium.
const chromium = {
  browserName: "chromium" as const,
  viewport: { width: 1440, height: 1000 },
  locale: "pl-PL",
  timezoneId: "Europe/Warsaw",
  reducedMotion: "reduce" as const,
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? (existsSync(shell) ? shell : "/usr/bin/chromium"),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  },
};

export default defineConfig({
  testDir: "journeys",
  outputDir: "../test-results",
  forbidOnly: true,
  ...(!SOAK && process.argv.every((one) => !FULL.test(one)) && { grepInvert: FULL }),
  // Half of their time journeys wait: for mails, jobs, animations of the browser.
  workers: 4,
  fullyParallel: false,
  // A browser on a machine that does ten other things misses a moment now and then. What fails twice is broken; what passes the
  // second time is named as flaky.
  retries: 1,
  // These end what would never come; they say nothing about speed.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: { ...chromium, trace: "on-first-retry" },
  projects: [
    { name: "sqlite", metadata: { engine: "sqlite", instance: "pl" }, testIgnore: [GERMAN, POSTGRES] },
    { name: "postgres", metadata: { engine: "postgres", instance: "pl" }, testMatch: POSTGRES },
    { name: "german", metadata: { engine: "sqlite", instance: "de" }, testMatch: GERMAN },
  ],
});
