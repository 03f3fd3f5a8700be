import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Preview, Recipient } from "./queries";

const nobody = { code: "no_phone" as const, count: 0, drivers: [] };
const preview: Preview = {
  recipients: 3,
  byMail: 0,
  withoutAccount: 0,
  withoutAddress: { ...nobody, code: "no_address" },
  withoutPhone: { code: "no_phone", count: 1, drivers: [{ id: "d1", firstName: "Oleh", lastName: "Babiak" }] },
  unwilling: { ...nobody, code: "no_mails" },
  leftOut: [],
  sms: {
    recipients: 2,
    parts: 4,
    cost: 36,
    left: 10,
    most: 500,
    languages: [{ language: "pl", recipients: 2, parts: 2, unicode: true }],
  },
};
const settings = {
  on: true,
  provider: "SMSAPI",
  sender: "Wrzos",
  partCost: 9,
  monthParts: 500,
  usedParts: 490,
  changedAt: null,
  changedBy: "",
};

const write = async (answers: Parameters<typeof serve>[0] = {}) => {
  const server = serve({
    "GET /api/session": () => writer(),
    "GET /api/sms-settings": () => json(settings),
    "POST /api/direct-messages/preview": () => json(preview),
    ...answers,
  });
  const app = renderApp("/send");
  await app.user.click(await screen.findByRole("checkbox", { name: "SMS" }));
  await app.user.click(screen.getByRole("textbox", { name: "Treść" }));
  await app.user.paste("Jutro święto");
  return { ...app, server };
};

/** A person of the office who writes messages and, where asked, changes settings. */
const writer = (...more: typeof partner.permissions) =>
  json({ ...partner, permissions: ["session.read", "messages.read", "messages.write", "partner.read", ...more] });

beforeEach(signedIn);

describe("SMS on the send page", () => {
  it("shows parts, cost and what is left, here and in the question, and sends without Polish letters", async () => {
    const { user, server } = await write({
      "POST /api/direct-messages": () =>
        refusal(409, { code: "messages.sms_cap", params: { parts: "4", left: "1", max: "500" } }),
    });
    expect(await screen.findByText(/^SMS-y: 2\. Części razem: 4, koszt: 0,36.zł\.$/)).toBeInTheDocument();
    expect(screen.getByText("W miesiącu wysyłki zostało 10 z 500 części.")).toBeInTheDocument();
    expect(screen.getByText(/Polskie litery.*SMS-y wysyłamy od 7:00 do 21:00\./)).toBeInTheDocument();
    await user.click(screen.getByRole("checkbox", { name: "SMS bez polskich liter" }));
    await waitFor(() =>
      expect(server.sent("POST /api/direct-messages/preview").at(-1)?.body).toMatchObject({
        channel: ["BOARD", "EMAIL", "SMS"],
        plainLetters: true,
      }),
    );
    await user.click(await screen.findByRole("button", { name: "Wyślij do 3" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText(/koszt: 0,36/)).toBeInTheDocument();
    expect(dialog.getByText(/^Bez numeru telefonu, bez SMS-a: 1/)).toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "Wyślij do 3" }));
    expect(await dialog.findByText(/zostało 1 z 500\. Nic nie wysłano\./)).toBeInTheDocument();
  });

  it("sends nothing above the month's limit", async () => {
    await write({
      "POST /api/direct-messages/preview": () => json({ ...preview, sms: { ...preview.sms, left: 3 } }),
    });
    expect(await screen.findByText(/więcej, niż zostało w miesiącu wysyłki: 3 z 500/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Wyślij do 3" })).toBeDisabled();
  });

  it("says where to turn it on, only to those who may", async () => {
    const server = serve({
      "GET /api/session": () => writer("partner.write"),
      "GET /api/sms-settings": () => json({ ...settings, on: false }),
    });
    renderApp("/send");
    expect(await screen.findByRole("link", { name: "Włącz je w profilu partnera" })).toHaveAttribute(
      "href",
      expect.stringContaining("/profile?ask=sms"),
    );
    expect(screen.queryByRole("checkbox", { name: "SMS" })).not.toBeInTheDocument();
    cleanup();
    server.answers["GET /api/session"] = () => writer();
    renderApp("/send");
    expect(await screen.findByRole("checkbox", { name: "E-mail" })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Włącz je w profilu partnera" })).not.toBeInTheDocument();
  });
});

const recipient: Recipient = {
  driverId: "d1",
  firstName: "Oleh",
  lastName: "Babiak",
  refusal: "",
  onBoard: false,
  mail: "",
  reason: "",
  sms: "failed",
  smsReason: "unclear",
  phone: "…200",
  readAt: null,
  confirmedAt: null,
};

describe("SMS of a message", () => {
  it("can be stopped while they wait for the morning", async () => {
    let unsentSMS = 2;
    const server = serve({
      "GET /api/session": () => writer(),
      "GET /api/direct-messages/m1": () =>
        json({
          message: { id: "m1", topic: "Święto", channels: ["SMS"], state: "commissioned", waiting: 2, unsentSMS },
          text: { language: "pl", topic: "Święto", content: "Jutro święto" },
          translations: [],
        }),
      "GET /api/direct-messages/m1/recipients": () => json({ items: [], size: 100 }),
      "POST /api/direct-messages/m1/cancel": () => {
        unsentSMS = 0;
        return new Response(null, { status: 204 });
      },
    });
    const { user } = renderApp("/details/m1");
    expect(await screen.findByText(/^SMS-y, które jeszcze czekają: 2\./)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Nie wysyłaj ich" }));
    await waitFor(() => expect(screen.queryByText(/jeszcze czekają/)).not.toBeInTheDocument());
    expect(server.sent("POST /api/direct-messages/m1/cancel")).toHaveLength(1);
  });

  it("show their states and reasons", async () => {
    serve({
      "GET /api/session": () => writer(),
      "GET /api/direct-messages/m1": () =>
        json({
          message: {
            id: "m1",
            topic: "Święto",
            channels: ["SMS"],
            state: "error",
            recipients: 2,
            failed: 2,
            leftOut: 0,
          },
          text: { language: "pl", topic: "Święto", content: "Jutro święto" },
          translations: [],
        }),
      "GET /api/direct-messages/m1/recipients": () =>
        json({
          items: [recipient, { ...recipient, driverId: "d2", sms: "undelivered", smsReason: "other" }],
          size: 100,
        }),
    });
    renderApp("/details/m1");
    expect(
      await screen.findByText("SMS niewysłany …200 · nie wiadomo, czy wysłany, nie wysyłamy drugi raz"),
    ).toBeInTheDocument();
    expect(screen.getByText("SMS niedoręczony …200 · inny powód")).toBeInTheDocument();
  });
});
