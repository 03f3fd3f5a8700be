import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { driver, json, serve } from "../../testing/server";
import type { Note } from "./queries";

const BOARD = "/api/direct-messages";
const note: Note = {
  id: "n1",
  document: "",
  kind: "message",
  settlement: "",
  question: "",
  vehicle: "",
  invoice: "",
  language: "pl",
  topic: "Przegląd",
  content: "Jutro przegląd.",
  pinned: false,
  confirm: false,
  placedAt: "2026-11-16T08:00:00Z",
  readAt: null,
  confirmedAt: null,
  values: {},
};

const silent = () => new Response(null, { status: 204 });
const cut = () => Promise.reject(new TypeError("cut"));

/** A board with one note, on a line that can be cut. */
function board() {
  const state = { online: true, deleted: false, read: false };
  const write = (change: () => void) => () => {
    if (!state.online) return cut();
    change();
    return silent();
  };
  serve({
    "GET /api/session": () => json(driver),
    [`GET ${BOARD}/board`]: () =>
      json({
        notes: state.deleted ? [] : [{ ...note, readAt: state.read ? "2026-11-16T09:00:00Z" : null }],
        unread: state.deleted || state.read ? 0 : 1,
        values: { first_name: "Oleh", partner: "Drogowiec" },
      }),
    [`PUT ${BOARD}/n1`]: write(() => (state.read = true)),
    [`PUT ${BOARD}/delete/n1`]: write(() => (state.deleted = true)),
    [`PUT ${BOARD}/restore/n1`]: write(() => (state.deleted = false)),
  });
  return { state, ...renderApp("/driver/board") };
}

beforeEach(signedIn);

it("deletes a note at once and takes it back, also after the line was cut meanwhile", async () => {
  const { state, user } = board();
  await user.click(await screen.findByRole("button", { name: /^Przegląd/ }));
  state.online = false;
  await user.click(screen.getByRole("button", { name: "Usuń" }));
  expect(await screen.findByText(/Nie usunięto\./)).toBeInTheDocument();
  expect(screen.getByText("Jutro przegląd.")).toBeInTheDocument();
  state.online = true;
  await user.click(screen.getByRole("button", { name: "Usuń" }));
  expect(await screen.findByText("Usunięto z tablicy.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /^Przegląd/ })).not.toBeInTheDocument();
  state.online = false;
  await user.click(screen.getByRole("button", { name: "Cofnij" }));
  expect(await screen.findByText("Nie udało się przywrócić.")).toBeInTheDocument();
  state.online = true;
  await user.click(screen.getByRole("button", { name: "Cofnij" }));
  expect(await screen.findByRole("button", { name: /^Przegląd/ })).toBeInTheDocument();
});

it("says that a note was not marked as read, and tries again", async () => {
  const { state, user } = board();
  state.online = false;
  await user.click(await screen.findByRole("button", { name: /^Przegląd/ }));
  expect(await screen.findByText(/Nie zaznaczono jako przeczytane\./)).toBeInTheDocument();
  expect(screen.getByText("Jutro przegląd.")).toBeInTheDocument();
  expect(screen.getByText("Nowe")).toBeInTheDocument();
  state.online = true;
  await user.click(screen.getByRole("button", { name: "Spróbuj ponownie" }));
  await expect.poll(() => state.read).toBe(true);
  await expect.poll(() => screen.queryByText(/Nie zaznaczono/)).toBeNull();
});
