import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { components } from "../../api/schema";
import { renderApp, signedIn } from "../../testing/render";
import { driver, json, partner, refusal, serve } from "../../testing/server";

type Shown = components["schemas"]["ShownDocument"];
type Type = components["schemas"]["DocumentType"];

const clerk: typeof partner = {
  ...partner,
  permissions: [...partner.permissions, "documents.read", "documents.write", "documents.decide"],
};

const licence: Type = {
  id: "driving_licence",
  ready: true,
  names: {},
  subject: "driver",
  sides: 2,
  required: true,
  expires: true,
  warns: true,
  remindDays: [30, 7],
  active: true,
  version: 0,
};

const shown = (over: Partial<Shown> = {}): Shown => ({
  id: "doc1",
  typeId: "driving_licence",
  vehicle: "",
  state: "waiting",
  number: "ABC 1",
  validTo: "2027-03-01",
  note: "",
  uploadedBy: "driver",
  enteredAt: "2026-11-17T10:00:00Z",
  decidedAt: null,
  eraseAt: null,
  keptFor: "",
  erased: false,
  images: [{ id: "img1", side: "front", fileType: "image/jpeg", pages: 1 }],
  version: 2,
  ...over,
});

const placeOf = (over: object) => ({
  driverUUID: "d1",
  firstName: "Oleh",
  lastName: "Babiak",
  types: [licence, { ...licence, id: "work_permit", required: false }],
  places: [
    { typeId: "work_permit", vehicle: "", state: "missing", current: null, waiting: null, refused: null },
    { typeId: "driving_licence", vehicle: "", state: "missing", current: null, waiting: null, refused: null, ...over },
  ],
});

const picture = () => new Response(new Blob(["x"]), { headers: { "Content-Type": "image/jpeg" } });

beforeEach(signedIn);

it("shows a picture only after it was asked for, and accepts what stands on it", async () => {
  let state: Shown["state"] = "waiting";
  const server = serve({
    "GET /api/session": () => json(clerk),
    "GET /api/driver-documents": () => json(placeOf({ state, waiting: shown() })),
    "GET /api/driver-documents/matrix": () => json({ types: [licence], rows: [], total: 0, counts: {} }),
    "GET /api/driver-documents/doc1": () => json({ document: shown({ state }), driverUUID: "d1", trail: [] }),
    "GET /api/driver-documents/doc1/document-image/img1/preview": picture,
    "POST /api/driver-documents/doc1/accept": () => {
      state = "accepted";
      return json(shown({ state }));
    },
  });
  const { user } = renderApp("/driver-documents/doc1");
  const looks = () => server.sent("GET /api/driver-documents/doc1/document-image/img1/preview");
  await user.click(await screen.findByRole("button", { name: "Pokaż wyraźnie: Zdjęcie dokumentu" }));
  await waitFor(() => expect(looks().map(({ query }) => query.blurred)).toEqual(["true", undefined]));
  await user.click(screen.getByRole("button", { name: /^Przyjmij/ }));
  expect(await screen.findByText("Dokument przyjęty.")).toBeInTheDocument();
  expect(server.sent("POST /api/driver-documents/doc1/accept")[0]?.body).toEqual({
    version: 2,
    number: "ABC 1",
    validTo: "2027-03-01",
  });
});

it("rejects only with a text, and says where somebody decided first", async () => {
  serve({
    "GET /api/session": () => json(clerk),
    "GET /api/driver-documents": () => json(placeOf({ waiting: shown() })),
    "GET /api/driver-documents/matrix": () => json({ types: [licence], rows: [], total: 0, counts: {} }),
    "GET /api/driver-documents/doc1": () => json({ document: shown(), driverUUID: "d1", trail: [] }),
    "GET /api/driver-documents/doc1/document-image/img1/preview": picture,
    "POST /api/driver-documents/doc1/reject": () => refusal(409, { code: "documents.changed" }),
  });
  const { user } = renderApp("/driver-documents/doc1");
  await user.click(await screen.findByRole("button", { name: "Odrzuć dokument" }));
  const dialog = within(screen.getByRole("dialog"));
  const reject = dialog.getByRole("button", { name: "Odrzuć dokument" });
  expect(reject).toBeDisabled();
  await user.type(dialog.getByRole("textbox"), "Nieostre");
  await user.click(reject);
  expect(await dialog.findByText(/^Ktoś w międzyczasie zmienił ten dokument/)).toBeInTheDocument();
});

it("shows a driver what is missing first, and why a document was rejected", async () => {
  serve({
    "GET /api/session": () =>
      json({ ...driver, permissions: [...driver.permissions, "documents.read", "documents.write"] }),
    "GET /api/driver-documents": () =>
      json(placeOf({ state: "rejected", refused: shown({ state: "rejected", note: "Nieostre" }) })),
  });
  const { user } = renderApp("/driver/driver-documents");
  await screen.findByRole("link", { name: /^Prawo jazdy/ });
  const rows = within(screen.getByRole("main")).getAllByRole("listitem");
  expect(rows[0]).toHaveTextContent("Prawo jazdy");
  expect(rows[0]).toHaveTextContent("Nieostre");
  await user.click(screen.getByRole("link", { name: /^Prawo jazdy/ }));
  expect(await screen.findByText("Flota nie przyjęła dokumentu.")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Wyślij jeszcze raz" }));
  expect(screen.getAllByText("Dodaj tę stronę.")).toHaveLength(2);
});

it("keeps a document past its date for a reason, and stops where its date has passed only after a warning", async () => {
  let now = shown({ state: "replaced", eraseAt: "2026-01-10T10:00:00Z" });
  const server = serve({
    "GET /api/session": () => json(clerk),
    "GET /api/driver-documents": () => json(placeOf({})),
    "GET /api/driver-documents/matrix": () => json({ types: [licence], rows: [], total: 0, counts: {} }),
    "GET /api/driver-documents/doc1": () => json({ document: now, driverUUID: "d1", trail: [] }),
    "GET /api/driver-documents/doc1/document-image/img1/preview": picture,
    "POST /api/driver-documents/doc1/keep": () => {
      now = { ...now, keptFor: now.keptFor === "" ? "Spór" : "", version: now.version + 1 };
      return json(now);
    },
  });
  const { user } = renderApp("/driver-documents/doc1");
  const keeping = within(await screen.findByRole("region", { name: "Przechowywanie" }));
  expect(keeping.getByText("Zdjęcia i numer usuniemy 10 sty 2026.")).toBeInTheDocument();
  await user.click(keeping.getByRole("button", { name: "Zachowaj dokument" }));
  const send = within(screen.getByRole("dialog")).getByRole("button", { name: "Zachowaj dokument" });
  expect(send).toBeDisabled();
  await user.type(within(screen.getByRole("dialog")).getByRole("textbox"), "Spór");
  await user.click(send);
  expect(await keeping.findByText("Zachowany po terminie: Spór")).toBeInTheDocument();
  await user.click(keeping.getByRole("button", { name: "Nie zachowuj dłużej" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByText(/^Termin już minął/)).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "Nie zachowuj dłużej" }));
  expect(await keeping.findByText("Zdjęcia i numer usuniemy 10 sty 2026.")).toBeInTheDocument();
  expect(server.sent("POST /api/driver-documents/doc1/keep").map(({ body }) => body)).toEqual([
    { version: 2, text: "Spór" },
    { version: 3, text: "" },
  ]);
});
