import { act, screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";

const job = (id: string, state: string, more = {}) => ({
  id,
  kind: "mail",
  about: "",
  name: "",
  state,
  done: 0,
  total: 0,
  failed: 0,
  error: "",
  createdAt: "2026-11-09T09:00:00Z",
  finishedAt: null,
  ...more,
});
const running = job("1", "running", { done: 128, total: 412 });
const failed = job("2", "failed", { error: "mailbox full" });

beforeEach(signedIn);

it("counts failures, shows progress and reason, and starts a job again", async () => {
  let jobs = [running, failed];
  const server = serve({
    "GET /api/jobs": () => json({ jobs }),
    "POST /api/jobs/2/retry": () => {
      jobs = [running, job("2", "waiting")];
      return new Response(null, { status: 204 });
    },
  });
  const { user } = renderApp("/tags");
  await user.click(await screen.findByRole("button", { name: "Zadania w tle, 1 nieudane" }));
  const panel = screen.getByRole("dialog", { name: "Zadania w tle" });
  expect(within(panel).getByRole("progressbar", { name: "Wysyłka e-maila" })).toHaveAttribute("aria-valuenow", "128");
  expect(within(panel).getByText("128 z 412")).toBeInTheDocument();
  expect(within(panel).getByText("mailbox full")).toBeInTheDocument();
  await user.click(within(panel).getByRole("button", { name: "Ponów: Wysyłka e-maila" }));
  expect(await screen.findByRole("button", { name: "Zadania w tle" })).toBeInTheDocument();
  expect(within(panel).getByText("Czeka")).toBeInTheDocument();
  expect(server.sent("POST /api/jobs/2/retry")[0]?.key).toBeTruthy();
});

it("says that nothing runs", async () => {
  serve();
  const { user } = renderApp("/tags");
  await user.click(await screen.findByRole("button", { name: "Zadania w tle" }));
  expect(screen.getByText("Nic teraz nie działa w tle")).toBeInTheDocument();
});

it("says why a job was not started again", async () => {
  serve({
    "GET /api/jobs": () => json({ jobs: [failed] }),
    "POST /api/jobs/2/retry": () => refusal(409, { code: "jobs.not_failed" }),
  });
  const { user } = renderApp("/tags");
  await user.click(await screen.findByRole("button", { name: "Zadania w tle, 1 nieudane" }));
  await user.click(screen.getByRole("button", { name: /^Ponów/ }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Zadanie nie zostało ponowione.");
});

it("asks every 10 s while something runs, else every minute", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let jobs = [running];
  const server = serve({ "GET /api/jobs": () => json({ jobs }) });
  renderApp("/tags");
  await screen.findByText("1 zadanie w tle jest w toku");
  const asked = () => server.sent("GET /api/jobs").length;
  const start = asked();
  await act(() => vi.advanceTimersByTimeAsync(10_500));
  expect(asked()).toBe(start + 1);
  jobs = [];
  await act(() => vi.advanceTimersByTimeAsync(10_500));
  expect(asked()).toBe(start + 2);
  await act(() => vi.advanceTimersByTimeAsync(50_000));
  expect(asked()).toBe(start + 2);
  await act(() => vi.advanceTimersByTimeAsync(10_500));
  expect(asked()).toBe(start + 3);
  vi.useRealTimers();
});

it("shows one row for a sending and for a run, with the result and the way to it", async () => {
  serve({
    "GET /api/jobs": () =>
      json({
        jobs: [
          job("", "done", { kind: "sending", about: "s1", done: 41, total: 43, failed: 2 }),
          job("", "done", { kind: "settling", about: "r1", done: 57, total: 57 }),
          job("7", "failed", { kind: "import", about: "i1", name: "bolt.csv", error: "disk full" }),
        ],
      }),
  });
  const { user } = renderApp("/tags");
  await user.click(await screen.findByRole("button", { name: "Zadania w tle, 1 nieudane" }));
  const panel = screen.getByRole("dialog", { name: "Zadania w tle" });
  expect(within(panel).getByText("Wysłano 41 z 43, nie doręczono: 2")).toBeInTheDocument();
  expect(within(panel).getByText("Rozliczono 57 z 57")).toBeInTheDocument();
  expect(within(panel).getByRole("link", { name: "Wysyłka rozliczeń" })).toHaveAttribute(
    "href",
    "/settlements/settled?sending=s1",
  );
  expect(within(panel).getByRole("link", { name: "Plik: bolt.csv" })).toHaveAttribute("href", "/log/i1");
});

it("says that settlements run out, once seen without a number, with the way to more", async () => {
  let seen = false;
  const note = () => ({ kind: "low", left: 20, at: "2026-11-09T09:00:00Z", seen });
  const server = serve({
    "GET /api/session": () => json({ ...partner, permissions: [...partner.permissions, "licences.write"] }),
    "GET /api/licences": () =>
      json({ limit: 100, usage: 82, remaining: 18, weeklyUse: 10, weeksLeft: 1, note: note() }),
    "POST /api/licences/seen": () => {
      seen = true;
      return new Response(null, { status: 204 });
    },
  });
  const { user } = renderApp("/tags");
  await user.click(await screen.findByRole("button", { name: "Zadania w tle, kończą się rozliczenia" }));
  const panel = screen.getByRole("dialog", { name: "Zadania w tle" });
  expect(within(panel).getByText("Kończą się rozliczenia. Pozostało: 18.")).toBeInTheDocument();
  expect(within(panel).getByRole("link", { name: "Kup rozliczenia" })).toHaveAttribute("href", "/licenses/purchase");
  expect(await screen.findByRole("button", { name: "Zadania w tle" })).toBeInTheDocument();
  expect(server.sent("POST /api/licences/seen")).toHaveLength(1);
});
