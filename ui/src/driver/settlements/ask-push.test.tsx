import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it, vi } from "vitest";
import { withDriverTexts } from "../../i18n";
import { pushingBrowser } from "../../testing/push";
import { json, refusal, serve } from "../../testing/server";
import { AskPush } from "./ask-push";

const PUSH = "/api/push-subscriptions";
const KEY = "BAECAwQF";

beforeAll(withDriverTexts);

const server = (more: Parameters<typeof serve>[0] = {}) =>
  serve({
    [`GET ${PUSH}`]: () => json({ publicKey: KEY, devices: [] }),
    [`PUT ${PUSH}`]: () => new Response(null, { status: 204 }),
    ...more,
  });

const show = () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AskPush />
    </QueryClientProvider>,
  );
  return userEvent.setup();
};

const turnOn = () => screen.findByRole("button", { name: "Włącz powiadomienia" });

it("asks nothing of a browser by itself, and subscribes on a tap", async () => {
  const { sent } = server();
  const { state } = pushingBrowser("granted");
  const user = show();
  const button = await turnOn();
  expect(state.asked).toBe(0);
  await user.click(button);
  expect(await screen.findByText("Powiadomienia są włączone na tym urządzeniu.")).toBeVisible();
  expect(state).toMatchObject({ asked: 1, registered: "/app/worker.js", subscribed: true });
  expect(sent(`PUT ${PUSH}`).map(({ body }) => body)).toMatchObject([
    { endpoint: "https://push.example.com/phone", p256dh: "BAAA", auth: "AQID" },
  ]);
});

it("does not ask again after the answer: not now", async () => {
  server();
  pushingBrowser("granted");
  const user = show();
  await user.click(await screen.findByRole("button", { name: "Nie teraz" }));
  expect(screen.queryByRole("button")).toBeNull();
  show();
  await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
});

it("says how to allow what the person refused in the browser", async () => {
  const { sent } = server();
  pushingBrowser("denied");
  const user = show();
  await user.click(await turnOn());
  expect(await screen.findByText(/Przeglądarka blokuje powiadomienia/)).toBeVisible();
  expect(sent(`PUT ${PUSH}`)).toEqual([]);
});

it("gives up after ten seconds without the push service", async () => {
  const { sent } = server();
  const { state } = pushingBrowser("granted");
  state.reachable = false;
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] });
  const user = userEvent.setup({ advanceTimers: (ms) => void vi.advanceTimersByTime(ms) });
  show();
  await user.click(await turnOn());
  await vi.advanceTimersByTimeAsync(9000);
  expect(screen.queryByRole("alert")).toBeNull();
  await vi.advanceTimersByTimeAsync(1500);
  vi.useRealTimers();
  expect(await screen.findByRole("alert")).toHaveTextContent("Usługa powiadomień nie odpowiada. Spróbuj później.");
  expect(sent(`PUT ${PUSH}`)).toEqual([]);
});

it("can be tried again when the server refused", async () => {
  const { answers } = server({ [`PUT ${PUSH}`]: () => refusal(422, { code: "push.invalid" }) });
  pushingBrowser("granted");
  const user = show();
  await user.click(await turnOn());
  expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się włączyć powiadomień. Spróbuj ponownie.");
  answers[`PUT ${PUSH}`] = () => new Response(null, { status: 204 });
  await user.click(await turnOn());
  expect(await screen.findByText("Powiadomienia są włączone na tym urządzeniu.")).toBeVisible();
});

it("shows nothing where notifications are not supported, blocked or already answered", async () => {
  server();
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <AskPush />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(container).toBeEmptyDOMElement());
  pushingBrowser("granted", "denied");
  show();
  await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
});

it("says on an iPhone to install first, and not once that was answered", async () => {
  server();
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)");
  const user = show();
  expect(await screen.findByText(/najpierw dodaj Saldo do ekranu początkowego/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Nie teraz" }));
  expect(screen.queryByText(/ekranu początkowego/)).not.toBeInTheDocument();
  vi.restoreAllMocks();
});
