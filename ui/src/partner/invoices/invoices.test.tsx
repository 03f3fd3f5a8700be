import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { components } from "../../api/schema";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";

type Opened = components["schemas"]["OpenedInvoice"];

const clerk: typeof partner = {
  ...partner,
  permissions: [...partner.permissions, "invoices.read", "invoices.write", "invoices.decide", "lookups.read"],
};

const upload = {
  at: "2026-11-17T10:00:00Z",
  by: "driver",
  name: "Oleh",
  action: "invoices.upload",
  reason: "",
} as const;

function opened(over: Partial<Opened["invoice"]> = {}, around: Partial<Opened> = {}): Opened {
  return {
    invoice: {
      id: "i1",
      state: "to_verify",
      waitsFor: "",
      uploadedBy: "driver",
      describedBy: "driver",
      source: "text",
      driverUUID: "d1",
      firstName: "Oleh",
      lastName: "Babiak",
      fields: {
        number: "FV 1",
        issueDate: "2026-11-12",
        saleDate: "2026-11-12",
        issuerTaxId: "5260001246",
        issuerName: "Stacja",
        buyerTaxId: "",
        currency: "PLN",
        net: 10_000,
        gross: 12_300,
        vatStandard: 2300,
        vatReduced: 0,
        vatOther: 0,
        vatZeroBase: 0,
        registration: "",
        mileage: 0,
        category: "fuel",
        description: "",
        correctedNumber: "",
        ksefNumber: "",
      },
      fileName: "a.pdf",
      fileType: "application/pdf",
      fileSize: 1000,
      fileVersion: 1,
      pages: 1,
      feedback: "",
      rejectReason: "",
      settlementId: "",
      settlementNumber: 0,
      version: 3,
      uploadedAt: "2026-11-17T10:00:00Z",
      decidedAt: null,
      vatReturn: 0,
      provision: 0,
      why: "",
      ...over,
    },
    reading: {
      readingId: "",
      state: "",
      source: "",
      engine: "",
      tookMs: 0,
      pages: 1,
      sharpness: 0,
      fields: {},
      ksefCode: "",
      findings: [],
    },
    findings: [],
    accepted: [],
    touched: [],
    trail: [upload],
    ...around,
  };
}

const list = {
  items: [],
  totals: { count: 0, gross: 0, vat: 0, vatReturn: 0, provision: 0 },
  counts: {},
  pageSize: 50,
};

/** The review of an invoice; what is sent of it is in `changes`. */
function review(first: Opened, answers: Parameters<typeof serve>[0] = {}) {
  const now = { invoice: first };
  const server = serve({
    "GET /api/session": () => json(clerk),
    "GET /api/invoice-images": () => json(list),
    "GET /api/invoice-images/provision": () =>
      json({ commissionBp: 0, charge: "always", driversDescribe: true, perInvoice: [] }),
    "GET /api/invoice-images/i1": () => json(now.invoice),
    "POST /api/invoice-images/verify-details": () => json({ ok: true, findings: [] }),
    ...answers,
  });
  const app = renderApp("/invoices/i1");
  const changes = () =>
    server
      .sent("PUT /api/invoice-images/i1")
      .map(({ body }) => JSON.parse((body as { data: string }).data) as Record<string, unknown>);
  return { ...app, server, now, changes };
}

const twin = {
  code: "AMOUNT_DATE_DUPLICATE",
  severity: "refuse",
  field: "gross",
  expected: "",
  found: "",
  otherId: "i2",
} as const;

beforeEach(signedIn);

describe("an invoice under review", () => {
  it("is shown beside the one it looks like, and is another one for a reason", async () => {
    const { user, changes, now } = review(opened({}, { findings: [twin] }), {
      "GET /api/invoice-images/i2": () => json(opened({ id: "i2", lastName: "Nowak", state: "approved" })),
      "PUT /api/invoice-images/i1": () => {
        now.invoice = opened({ version: 4 });
        return json(now.invoice);
      },
    });
    const approve = await screen.findByRole("button", { name: /^Zatwierdź i otwórz/ });
    expect(approve).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Porównaj" }));
    const dialog = within(screen.getByRole("dialog", { name: "Czy to ta sama faktura?" }));
    expect(await dialog.findByText("Nowak Oleh")).toBeInTheDocument();
    expect(dialog.getByRole("link", { name: "Pokaż tamtą fakturę" })).toHaveAttribute(
      "href",
      expect.stringContaining("/invoices/i2"),
    );
    const differs = dialog.getByRole("button", { name: "To nie ta sama faktura" });
    expect(differs).toBeDisabled();
    await user.type(dialog.getByRole("textbox"), "Dwa tankowania");
    await user.click(differs);
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(changes()).toMatchObject([{ action: "save", version: 3, notTheSame: "i2", reason: "Dwa tankowania" }]);
    await waitFor(() => expect(approve).toBeEnabled());
  });

  it("only resembling another, it is compared but not declared another", async () => {
    const alike = { ...twin, code: "LOOKS_LIKE", severity: "confirm" } as const;
    const { user } = review(opened({}, { findings: [alike] }), {
      "GET /api/invoice-images/i2": () => json(opened({ id: "i2" })),
    });
    await user.click(await screen.findByRole("button", { name: "Porównaj" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.queryByRole("button", { name: "To nie ta sama faktura" })).not.toBeInTheDocument();
  });

  it("finds what is typed, not only what is saved", async () => {
    const { user, server } = review(opened(), {
      "POST /api/invoice-images/verify-details": () => json({ ok: false, findings: [twin] }),
    });
    const gross = await screen.findByRole("textbox", { name: "Kwota brutto" });
    await user.clear(gross);
    await user.type(gross, "99,00");
    expect(await screen.findByRole("button", { name: "Porównaj" })).toBeInTheDocument();
    // On a slow machine it is asked about between two keys too.
    await waitFor(() =>
      expect(server.sent("POST /api/invoice-images/verify-details").at(-1)?.body).toMatchObject({
        exceptId: "i1",
        fields: { gross: 9900 },
      }),
    );
  });

  it("takes over what was read meanwhile without a word, and what was typed stays", async () => {
    const read = { value: "WX12345", confidence: 0.95, page: 1, box: [0, 0, 1, 1], source: "text" };
    const first = opened({ source: "" });
    const second = opened({ version: 4 }, { reading: { ...first.reading, fields: { registration: read } } });
    const { user, changes, now } = review(first, {
      "PUT /api/invoice-images/i1": () => {
        if (now.invoice === first) {
          now.invoice = second;
          return refusal(409, { code: "invoices.changed" });
        }
        return json(opened({ version: 5 }));
      },
    });
    const number = await screen.findByRole("textbox", { name: "Numer faktury" });
    await user.type(number, "/A");
    await user.click(screen.getByRole("button", { name: "Zapisz" }));
    expect(await screen.findByText("Zapisano zmiany.")).toBeInTheDocument();
    expect(changes()).toMatchObject([
      { version: 3, fields: { number: "FV 1/A", registration: "" }, typed: ["number"] },
      { version: 4, fields: { number: "FV 1/A", registration: "WX12345" }, typed: ["number"] },
    ]);
    expect(screen.queryByRole("table")).not.toBeInTheDocument();
  });

  it("approves nothing that nobody has seen", async () => {
    const read = { value: "WX12345", confidence: 0.95, page: 1, box: [0, 0, 1, 1], source: "text" };
    const first = opened({ source: "" });
    const second = opened({ version: 4 }, { reading: { ...first.reading, fields: { registration: read } } });
    const { user, changes, now } = review(first, {
      "PUT /api/invoice-images/i1": () => {
        now.invoice = second;
        return refusal(409, { code: "invoices.changed" });
      },
    });
    await user.click(await screen.findByRole("button", { name: /^Zatwierdź i otwórz/ }));
    expect(await screen.findByText(/^W międzyczasie odczytaliśmy plik/)).toBeInTheDocument();
    expect(changes()).toHaveLength(1);
    expect(screen.getByRole("textbox", { name: "Numer rejestracyjny" })).toHaveValue("WX12345");
  });

  it("shows both where a person was first", async () => {
    const first = opened();
    const { user, now, changes } = review(first, {
      "PUT /api/invoice-images/i1": () => {
        if (now.invoice !== first) return json(opened({ version: 6 }));
        const saved = { ...upload, action: "invoices.save" };
        now.invoice = opened(
          { version: 4, fields: { ...first.invoice.fields, number: "FV 9" } },
          { trail: [upload, saved] },
        );
        return refusal(409, { code: "invoices.changed" });
      },
    });
    await user.type(await screen.findByRole("textbox", { name: "Numer faktury" }), "/A");
    await user.click(screen.getByRole("button", { name: "Zapisz" }));
    const table = await screen.findByRole("table");
    expect(within(table).getByText("FV 9")).toBeInTheDocument();
    expect(within(table).getByText("FV 1/A")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Zostaw moje" }));
    await user.click(screen.getByRole("button", { name: "Zapisz" }));
    await waitFor(() => expect(changes()).toHaveLength(2));
    expect(changes()[1]).toMatchObject({ version: 4, fields: { number: "FV 1/A" } });
  });
});

describe("files for drivers", () => {
  it("proposes the driver of the number plate, and sends only what a person confirmed", async () => {
    const { server, user } = (() => {
      const server = serve({
        "GET /api/session": () => json(clerk),
        "POST /api/ocr/invoices": () =>
          json({
            ...opened().reading,
            readingId: "r",
            state: "done",
            fields: { registration: { value: "WX12345", confidence: 0.9, page: 1, box: [], source: "text" } },
            proposed: { id: "d1", firstName: "Oleh", lastName: "Babiak" },
          }),
        "POST /api/invoice-images/partner": () => json(opened().invoice),
      });
      return { server, ...renderApp("/invoices/upload") };
    })();
    await screen.findByRole("heading", { level: 1 });
    const input = document.querySelector<HTMLInputElement>("input[type=file]");
    if (!input) throw new Error("there is no input");
    await user.upload(input, new File(["%PDF-1.7"], "a.pdf", { type: "application/pdf" }));
    expect(await screen.findByText("Pojazd WX12345, zapewne Babiak Oleh")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Dodaj pliki (0)" })).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Potwierdź: Babiak Oleh" }));
    await user.click(screen.getByRole("button", { name: "Dodaj pliki (1)" }));
    expect(await screen.findByText("Dodano faktury: 1.")).toBeInTheDocument();
    expect(server.sent("POST /api/invoice-images/partner")[0]?.body).toMatchObject({ driverUUID: "d1" });
  });
});
