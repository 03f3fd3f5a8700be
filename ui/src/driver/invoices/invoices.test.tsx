import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { components } from "../../api/schema";
import { withInvoiceTexts } from "../../i18n/invoices";
import Corners from "../../invoices/corners";
import { renderApp, signedIn } from "../../testing/render";
import { driver, json, refusal, serve } from "../../testing/server";

type Image = components["schemas"]["InvoiceImage"];
type Opened = components["schemas"]["OpenedInvoice"];

const image = (over: Partial<Image>): Image => ({
  id: "i1",
  state: "to_describe",
  waitsFor: "partner",
  uploadedBy: "driver",
  describedBy: "",
  source: "none",
  driverUUID: "d1",
  firstName: "Oleh",
  lastName: "Babiak",
  fields: { number: "FV 1", gross: 12_300, issueDate: "2026-11-12", issuerTaxId: "5260001246", issuerName: "Stacja" },
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
});

const upload = {
  at: "2026-11-17T10:00:00Z",
  by: "driver",
  name: "Oleh",
  action: "invoices.upload",
  reason: "",
} as const;

const opened = (over: Partial<Image>, trail: Opened["trail"] = [upload]): Opened => ({
  invoice: image({
    ...over,
    fields: {
      saleDate: "",
      buyerTaxId: "",
      currency: "PLN",
      net: 0,
      vatStandard: 0,
      vatReduced: 0,
      vatOther: 0,
      vatZeroBase: 0,
      registration: "",
      mileage: 0,
      category: "",
      description: "",
      correctedNumber: "",
      ksefNumber: "",
      ...image({}).fields,
      ...over.fields,
    },
  }),
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
  trail,
});

const person: typeof driver = {
  ...driver,
  permissions: [...driver.permissions, "invoices.read", "invoices.write"],
};

const server = (one: () => Opened, answers: Parameters<typeof serve>[0] = {}) =>
  serve({
    "GET /api/session": () => json(person),
    "GET /api/invoice-images": () =>
      json({
        items: [one().invoice],
        totals: { count: 1, gross: 0, vat: 0, vatReturn: 0, provision: 0 },
        counts: {},
        pageSize: 50,
      }),
    "GET /api/invoice-images/provision": () =>
      json({ commissionBp: 0, charge: "always", driversDescribe: false, perInvoice: [] }),
    "GET /api/invoice-images/i1": () => json(one()),
    ...answers,
  });

beforeEach(signedIn);

it("says that the fleet fills in what a driver need not describe", async () => {
  server(() => opened({}));
  const { user } = renderApp("/driver/invoices");
  const row = await screen.findByRole("link", { name: /Stacja/ });
  expect(within(row).getByText("Opisuje flota")).toBeInTheDocument();
  await user.click(row);
  expect(await screen.findByRole("heading", { level: 1, name: "FV 1" })).toBeInTheDocument();
  expect(screen.queryByText("Do opisania")).not.toBeInTheDocument();
  expect(screen.getByText("Dane z faktury wpisze Twoja flota.")).toBeInTheDocument();
});

it("shows a driver both where the fleet saved first", async () => {
  let now = opened({ waitsFor: "driver" });
  server(() => now, {
    "PUT /api/invoice-images/i1": () => {
      now = opened({ waitsFor: "driver", version: 4, fields: { number: "FV 9" } }, [upload, upload]);
      return refusal(409, { code: "invoices.changed" });
    },
  });
  const { user } = renderApp("/driver/invoices/i1");
  await user.type(await screen.findByRole("textbox", { name: "Numer faktury" }), "/A");
  await user.click(screen.getByRole("button", { name: "Zapisz i dokończ później" }));
  const table = within(await screen.findByRole("table"));
  expect(table.getByText("FV 9")).toBeInTheDocument();
  expect(table.getByText("FV 1/A")).toBeInTheDocument();
});

it("says before sending that amounts do not add up, and sends once they do", async () => {
  const fields = { net: 100_00, gross: 123_00, vatStandard: 23_00, issueDate: "2026-11-02", issuerTaxId: "5260001246" };
  const sum = {
    code: "SUM",
    severity: "refuse",
    field: "gross",
    expected: "12300",
    found: "12400",
    otherId: "",
  } as const;
  const verify = "POST /api/invoice-images/verify-details";
  const save = "PUT /api/invoice-images/i1";
  const { sent } = server(() => opened({ waitsFor: "driver", fields }), {
    [verify]: () => {
      const ok = grossAsked() === 123_00;
      return json({ ok, findings: ok ? [] : [sum] });
    },
    [save]: () => json(opened({ state: "to_verify", fields })),
  });
  const grossAsked = () => (sent(verify).at(-1)?.body as { fields: { gross: number } } | undefined)?.fields.gross;
  const { user } = renderApp("/driver/invoices/i1");
  const gross = await screen.findByRole("textbox", { name: "Kwota brutto" });
  await user.clear(gross);
  await user.type(gross, "124,00");
  await vi.waitFor(() => expect(grossAsked()).toBe(124_00));
  expect(gross).not.toHaveAttribute("aria-invalid"); // somebody still types an amount
  await user.click(screen.getByRole("heading", { level: 1 }));
  expect(await screen.findByText("Netto i VAT nie dają kwoty brutto.")).toBeInTheDocument();
  expect(gross).toHaveAttribute("aria-invalid", "true");
  await user.click(screen.getByRole("button", { name: "Wyślij fakturę" }));
  expect(sent(save)).toHaveLength(0);
  await user.clear(gross);
  await user.type(gross, "123,00");
  await user.click(screen.getByRole("heading", { level: 1 }));
  await vi.waitFor(() => expect(gross).not.toHaveAttribute("aria-invalid"));
  await user.click(screen.getByRole("button", { name: "Wyślij fakturę" }));
  await vi.waitFor(() => expect(sent(save)).toHaveLength(1));
});

it("moves the corners of a page by keys, and refuses what is no page", async () => {
  await withInvoiceTexts();
  render(<Corners file={new File([], "a.jpg")} src="data:," onStraight={() => undefined} onClose={() => undefined} />);
  const corner = screen.getByRole("button", { name: "Lewy górny róg", hidden: true });
  expect(corner).toHaveStyle({ left: "6%", top: "6%" });
  fireEvent.keyDown(corner, { key: "ArrowRight", shiftKey: true });
  fireEvent.keyDown(corner, { key: "ArrowUp" });
  expect(corner).toHaveStyle({ left: "11%", top: "5.5%" });
  const straighten = screen.getByRole("button", { name: "Wyprostuj stronę", hidden: true });
  expect(straighten).toBeEnabled();
  for (let n = 0; n < 20; n++) fireEvent.keyDown(corner, { key: "ArrowRight", shiftKey: true });
  expect(corner).toHaveStyle({ left: "100%" });
  expect(straighten).toBeDisabled();
});
