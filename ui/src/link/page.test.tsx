import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Summary } from "./load";
import { SummaryPage } from "./page";
import { wordsOf } from "./words";

const summary: Summary = {
  name: "Paweł A.",
  language: "pl",
  partner: { name: "Wrzos Mobility", color: "#7A4BE0", logo: "", phone: "22 350 18 40" },
  currency: "PLN",
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  state: "settled",
  paidOn: "",
  settledOn: "2026-11-09",
  expiresOn: "2027-01-08",
  figures: {
    revenue: 284_560,
    cashCollected: 103_350,
    cashDeducted: 103_350,
    due: 181_210,
    payout: 181_210,
    netIncome: 284_560,
    payoutBase: 284_560,
  },
  lines: [
    {
      group: "start",
      name: "previousPeriod",
      terms: [{ figure: "previousPeriod", amount: 0 }],
      amount: 0,
      balance: 0,
    },
    {
      group: "earnings",
      name: "revenue",
      provider: "UBER",
      terms: [{ figure: "income", provider: "UBER", amount: 284_560 }],
      amount: 284_560,
      balance: 284_560,
    },
    {
      group: "cash",
      name: "cashDeducted",
      terms: [{ figure: "cashDeducted", amount: -103_350 }],
      amount: -103_350,
      balance: 181_210,
    },
  ],
  providers: { UBER: "Uber" },
  explanations: [
    {
      figure: "income",
      provider: "UBER",
      value: 284_560,
      formula: "sum",
      schema: { number: 1, version: 1 },
      parts: [
        {
          kind: "rows",
          category: "INCOME",
          provider: "UBER",
          amount: 284_560,
          times: 1,
          of: 1,
          rows: [
            { kind: "transaction", id: "1", amount: 200_000 },
            { kind: "transaction", id: "2", amount: 84_560 },
          ],
        },
      ],
    },
  ],
};

let answers: Response[];
const asked: string[] = [];
beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    asked.push(`${init?.method ?? "GET"} ${url}`);
    return Promise.resolve(answers.shift() ?? new Response(null, { status: 204 }));
  });
});

const json = (body: unknown) => new Response(JSON.stringify(body), { status: 200 });
const plain = (text: string | null) => (text ?? "").replace(/\s/g, " ");

it("shows how much and why in the driver's language, adds up, and says that it was opened", async () => {
  answers = [json(summary)];
  render(<SummaryPage token="a/b" />);
  const heading = await screen.findByRole("heading", { level: 1 });
  expect(plain(heading.textContent)).toBe("Paweł A., rozliczenie 2–8 lis 2026");
  const lines = within(screen.getByRole("region", { name: "Skąd wzięła się kwota" }));
  expect(lines.getAllByRole("definition").map((cell) => plain(cell.textContent))).toEqual([
    "0,00",
    "+2 845,60",
    "−1 033,50",
    "1 812,10",
    "0,00",
  ]);
  expect(lines.getByText("2 transakcje")).toBeVisible();
  expect(screen.getByRole("link", { name: "Zaloguj się po szczegóły i faktury" })).toHaveAttribute(
    "href",
    "/app/driver/settlements",
  );
  expect(screen.getByRole("link", { name: "Pobierz PDF" })).toHaveAttribute(
    "href",
    "/api/driver-summaries/a%2Fb/statement?lang=pl",
  );
  await waitFor(() => expect(document.title).toContain("Rozliczenie"));
  expect(asked).toEqual(["GET /api/driver-summaries/a%2Fb", "POST /api/driver-summaries/a%2Fb/opened"]);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Język" }), "uk");
  expect(await screen.findByText("Готівка, яку ви маєте")).toBeVisible();
  expect(document.documentElement.lang).toBe("uk");
  expect(screen.getByRole("link", { name: "Завантажити PDF" })).toHaveAttribute(
    "href",
    "/api/driver-summaries/a%2Fb/statement?lang=uk",
  );
});

it("takes over what the server has drawn without asking for it again, and says that it was opened", async () => {
  answers = [];
  render(<SummaryPage token="t" given={summary} first={await wordsOf("pl")} />);
  expect(plain(screen.getByRole("heading", { level: 1 }).textContent)).toBe("Paweł A., rozliczenie 2–8 lis 2026");
  await waitFor(() => expect(asked).toEqual(["POST /api/driver-summaries/t/opened"]));
});

it("says one thing of every link that opens nothing, and marks none as opened", async () => {
  localStorage.setItem("saldo.language", "en");
  answers = [new Response("{}", { status: 404 })];
  render(<SummaryPage token="old" />);
  expect(await screen.findByRole("heading", { name: "This link does not work any more" })).toBeVisible();
  expect(asked).toEqual(["GET /api/driver-summaries/old"]);
});

it("tries again after a failure", async () => {
  localStorage.setItem("saldo.language", "en");
  answers = [new Response("", { status: 503 }), json(summary)];
  render(<SummaryPage token="t" />);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("To pay, zł")).toBeVisible();
});
