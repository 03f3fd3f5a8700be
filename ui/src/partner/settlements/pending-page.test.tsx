import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Pending, Run } from "./queries";

const member = {
  ...partner,
  permissions: [
    ...partner.permissions,
    "settlements.read" as const,
    "settlements.write" as const,
    "lookups.read" as const,
  ],
};

const periods = [
  { code: "2026-W46", firstOn: "2026-11-09", lastOn: "2026-11-15" },
  { code: "2026-W45", firstOn: "2026-11-02", lastOn: "2026-11-08" },
  { code: "2026-W44", firstOn: "2026-10-26", lastOn: "2026-11-01" },
];

const adam: Pending = {
  driverId: "d1",
  firstName: "Paweł",
  lastName: "Adamczyk",
  schemaNumber: 1,
  schemaName: "B2B",
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  weeks: 1,
  supplementary: false,
  before: 0,
  apps: [{ provider: "UBER", income: 284560, bonus: 0, tips: 0, cashCollected: 62000, fee: 0, workingDays: 5 }],
  revenue: 284560,
  cash: 62000,
  fees: 13000,
  costs: 48620,
  previous: 0,
  due: 160940,
  payout: 160940,
  lastPayout: null,
  refusal: "",
  warnings: [],
};
const ewa: Pending = {
  ...adam,
  driverId: "d2",
  firstName: "Ewa",
  lastName: "Bąk",
  apps: [],
  due: 100000,
  payout: 100000,
  warnings: [{ code: "differs", count: 0, amount: 50000 }],
};
const oleh: Pending = {
  ...adam,
  driverId: "d3",
  firstName: "Oleh",
  lastName: "Babiak",
  due: -60410,
  payout: 0,
  refusal: "negative",
};

const totals = {
  drivers: 3,
  settleable: 2,
  warned: 2,
  revenue: 853680,
  cash: 186000,
  fees: 39000,
  costs: 428150,
  previous: 0,
  due: 200530,
  payout: 260940,
  providers: ["UBER"],
};

const preview: Run = {
  id: "r1",
  period: "2026-W45",
  state: "preview",
  drivers: 2,
  payout: 260940,
  refused: 1,
  refusals: [
    { code: "negative", count: 1, amount: -60410, drivers: [{ id: "d3", firstName: "Oleh", lastName: "Babiak" }] },
  ],
  checks: [{ code: "differs", count: 1, amount: 50000, drivers: [{ id: "d2", firstName: "Ewa", lastName: "Bąk" }] }],
  missingFiles: [{ provider: "BOLT", state: "missing" }],
  limit: 1200,
  left: 840,
  missing: 0,
  unfinished: 0,
  endsOn: "",
  share: false,
  place: 0,
  settled: 0,
  settledPayout: 0,
  outcomes: [],
  notSettled: [],
  startedAt: null,
  finishedAt: null,
};
const debtor = {
  id: "d3",
  firstName: "Oleh",
  lastName: "Babiak",
  due: -60410,
  dueNow: 0,
  gone: false,
  blocked: false,
  refusal: "negative" as const,
  outcome: "refused" as const,
  reason: "",
};
const done: Run = {
  ...preview,
  state: "done",
  share: true,
  place: 2,
  settled: 2,
  settledPayout: 260940,
  outcomes: [
    { outcome: "settled", reason: "", count: 2, due: 260940 },
    { outcome: "refused", reason: "negative", count: 1, due: -60410 },
  ],
  notSettled: [debtor],
};

function stored(after: Run = done) {
  let run = preview;
  return serve({
    "GET /api/session": () => json(member),
    "GET /api/settlements/periods": () => json({ periods }),
    "GET /api/settlements/pending": () => json({ items: [adam, ewa, oleh], totals, all: 3 }),
    "GET /api/settlements/pending/payable": () =>
      json({ items: [adam, ewa].map(({ driverId, payout }) => ({ driverId, payout })) }),
    "GET /api/settlements": () =>
      json({ items: [], totals: { count: 7, revenue: 0, cashCollected: 0, due: 0, payout: 0, notCarriedCount: 0 } }),
    "GET /api/providers": () =>
      json({
        providers: [
          { code: "UBER", name: "Uber" },
          { code: "BOLT", name: "Bolt" },
        ],
      }),
    "POST /api/settlement-runs": () => {
      run = preview;
      return json({ id: "r1" }, 201);
    },
    "GET /api/settlement-runs/r1": () => json(run),
    "POST /api/settlement-runs/r1/start": () => {
      run = after;
      return json({ state: after.state }, 202);
    },
  });
}

/** A text without what keeps its parts together. */
const plain = (node: HTMLElement) => node.textContent.replaceAll("\u00a0", " ");
const rowOf = async (name: string) => (await screen.findByRole("link", { name })).closest("tr") as HTMLElement;
const drawer = () => screen.findByRole("dialog");

beforeEach(signedIn);

describe("what is pending", () => {
  it("begins with the last whole week and shows totals that add up", async () => {
    const server = stored();
    const { user, address } = renderApp("/settlements");
    const row = await rowOf("Adamczyk Paweł");
    expect(address()).toBe("/settlements/pending");
    expect(server.sent("GET /api/settlements/pending")[0]?.query).toMatchObject({ period: "2026-W45", page: "1" });
    expect(plain(row)).toContain("2 845,60");
    expect(plain(row)).toContain("−620,00");
    expect(plain(row)).toContain("1 609,40");
    expect(screen.getByRole("combobox", { name: "Okres" })).toHaveDisplayValue("2–8 lis 2026, tydzień 45");
    expect(plain(screen.getByLabelText("Sumy całego filtra"))).toContain("Do wypłaty, cały filtr=2 005,30 zł");
    await user.click(screen.getByRole("button", { name: "Wcześniejszy okres" }));
    await waitFor(() => expect(address()).toBe("/settlements/pending?period=2026-W44"));
    expect(screen.getByRole("button", { name: "Wcześniejszy okres" })).toBeDisabled();
  });

  it("says why somebody cannot be settled, and by how much a payout differs", async () => {
    stored();
    renderApp("/settlements/pending");
    const row = await rowOf("Babiak Oleh");
    expect(within(row).getByRole("checkbox")).toBeDisabled();
    expect(within(row).getByRole("checkbox")).toHaveAccessibleName(/Dług, nie rozliczymy/);
    expect(plain(row)).toContain("−604,10dług");
    expect(within(await rowOf("Bąk Ewa")).getByText("Wypłata +100 %")).toBeInTheDocument();
  });

  it("keeps every filter in the address and asks the server for it", async () => {
    const server = stored();
    const { user, address } = renderApp("/settlements/pending?period=2026-W44&least=-500");
    await rowOf("Adamczyk Paweł");
    await user.click(screen.getByRole("button", { name: /^Z uwagami/ }));
    await user.selectOptions(screen.getByRole("combobox", { name: "Uwaga" }), "no_account");
    await user.click(screen.getByRole("button", { name: "−5,00 do …" }));
    await user.type(screen.getByLabelText("Do wypłaty do"), "1 000,50{Enter}");
    await user.click(screen.getByRole("button", { name: /^Do wypłaty, zł/ }));
    expect(address()).toBe(
      "/settlements/pending?period=2026-W44&least=-500&warning=no_account&most=100050&sort=payout",
    );
    await waitFor(() =>
      expect(server.sent("GET /api/settlements/pending").at(-1)?.query).toMatchObject({
        period: "2026-W44",
        least: "-500",
        most: "100050",
        warning: "no_account",
        sort: "payout",
      }),
    );
  });

  it("sums up what is chosen and chooses all of the filter", async () => {
    stored();
    const { user } = renderApp("/settlements/pending");
    await user.click(within(await rowOf("Adamczyk Paweł")).getByRole("checkbox"));
    const bar = await screen.findByRole("region", { name: "Zaznaczone rozliczenia" });
    expect(plain(bar)).toContain("1 z 3 zaznaczonych, 1 609,40 zł");
    await user.click(within(bar).getByRole("button", { name: "Zaznacz wszystkie 2 z filtra" }));
    expect(await within(bar).findByRole("button", { name: /^Rozlicz 2 \(2\s609,40\szł\)$/ })).toBeInTheDocument();
    await user.click(within(bar).getByRole("button", { name: "Wyczyść" }));
    expect(bar).not.toBeInTheDocument();
  });

  it("says what is missing when nothing is pending, and what the filter hides", async () => {
    const server = stored();
    const none = { ...totals, drivers: 0, settleable: 0, warned: 0 };
    server.answers["GET /api/settlements/pending"] = () => json({ items: [], totals: none, all: 3 });
    renderApp("/settlements/pending?q=nobody");
    expect(await screen.findByText("Kierowców bez filtrów: 3.")).toBeInTheDocument();
  });

  it("says what happened when it cannot be loaded", async () => {
    const server = stored();
    server.answers["GET /api/settlements/pending"] = () => refusal(500, { code: "internal" });
    renderApp("/settlements/pending");
    expect(await screen.findByText("Nie udało się wczytać rozliczeń")).toBeInTheDocument();
  });
});

describe("a run", () => {
  it("shows what to look at, and what is fine in one line that opens", async () => {
    stored();
    const { user } = renderApp("/settlements/pending?q=a");
    await rowOf("Adamczyk Paweł");
    await user.click(screen.getByRole("button", { name: "Rozlicz wszystkie" }));
    const panel = await drawer();
    expect(await within(panel).findByText("1 do sprawdzenia", { selector: "li:nth-child(2) *" })).toBeVisible();
    for (const one of within(panel).getAllByText("nie ma")) expect(one).not.toBeVisible();
    await user.click(within(panel).getByText(/\d sprawdze(ń|nia) bez uwag/));
    for (const one of within(panel).getAllByText("nie ma")) expect(one).toBeVisible();
  });

  it("is shown before anything is written, settles exactly that, and says what became of everybody", async () => {
    const server = stored();
    const { user, address } = renderApp("/settlements/pending?q=a");
    await rowOf("Adamczyk Paweł");
    await user.dblClick(screen.getByRole("button", { name: "Rozlicz wszystkie" }));
    const panel = await drawer();
    expect(await within(panel).findByText(/3 kierowców = 2 \+ 1\. Nic jeszcze nie zapisano\./)).toBeInTheDocument();
    expect(server.sent("POST /api/settlement-runs").map(({ body }) => body)).toEqual([
      { period: "2026-W45", query: "a" },
    ]);
    expect(address()).toBe("/settlements/pending?q=a&run=r1");
    expect(within(panel).getByText(/Bolt: nie ma/)).toBeInTheDocument();
    expect(within(panel).getByText("838 zostanie")).toBeInTheDocument();
    expect(within(panel).getByText(/E-maili nie wysyłamy/)).toBeInTheDocument();
    const confirm = within(panel).getByRole("button", { name: /^Rozlicz 2 \(2\s609,40\szł\)$/ });
    const asked = server.sent("GET /api/settlements/pending").length;
    await user.dblClick(confirm);
    expect(await within(panel).findByText("Rozliczono 2")).toBeInTheDocument();
    expect(within(panel).getByText("Odmówiono 1")).toBeInTheDocument();
    expect(within(panel).getByText(/Babiak Oleh/)).toBeInTheDocument();
    const started = server.sent("POST /api/settlement-runs/r1/start");
    expect(started.map(({ body }) => body)).toEqual([{ share: true }]);
    expect(within(panel).queryByRole("button", { name: /Spróbuj ponownie/ })).not.toBeInTheDocument();
    await waitFor(() => expect(server.sent("GET /api/settlements/pending").length).toBeGreaterThan(asked));
    await user.click(within(panel).getByRole("button", { name: "Gotowe" }));
    expect(address()).toBe("/settlements/pending?q=a");
  });

  it("of one driver begins where another screen asks for it", async () => {
    const server = stored();
    const { address } = renderApp("/settlements/pending?period=2026-W45&settle=d1");
    const panel = await drawer();
    expect(await within(panel).findByText(/Nic jeszcze nie zapisano\./)).toBeInTheDocument();
    expect(server.sent("POST /api/settlement-runs").map(({ body }) => body)).toEqual([
      { period: "2026-W45", drivers: ["d1"] },
    ]);
    expect(address()).toBe("/settlements/pending?period=2026-W45&run=r1");
  });

  it("names whom nobody can compute, and that they hold nobody up", async () => {
    const server = stored();
    server.answers["GET /api/settlements/pending"] = () =>
      json({ items: [adam, { ...oleh, due: 0, refusal: "uncomputed" }], totals, all: 2 });
    server.answers["GET /api/settlement-runs/r1"] = () =>
      json({ ...preview, refusals: [{ ...preview.refusals[0], code: "uncomputed", amount: 0 }] });
    const { user } = renderApp("/settlements/pending?run=r1");
    const panel = await drawer();
    expect(await within(panel).findByText(/Nikogo innego nie wstrzymuje/)).toHaveTextContent("Babiak Oleh");
    await user.keyboard("{Escape}");
    expect(plain(await rowOf("Babiak Oleh"))).toMatch(/^Babiak Oleh.*–.*Nie da się obliczyć/);
    expect(plain(await rowOf("Babiak Oleh"))).not.toContain("0,00");
  });

  it("shows in the list whom a line is about", async () => {
    stored();
    const { user, address } = renderApp("/settlements/pending?run=r1");
    const panel = await drawer();
    const [debts] = await within(panel).findAllByRole("button", { name: "Pokaż 1" });
    if (debts) await user.click(debts);
    expect(address()).toBe("/settlements/pending?warning=negative");
  });

  it("that found an amount changed did nothing, says whose, and offers a new one", async () => {
    const server = stored({
      ...preview,
      state: "changed",
      outcomes: [
        { outcome: "changed", reason: "", count: 1, due: 160940 },
        { outcome: "", reason: "", count: 1, due: 100000 },
      ],
      notSettled: [
        {
          ...debtor,
          id: "d1",
          firstName: "Paweł",
          lastName: "Adamczyk",
          due: 160940,
          dueNow: 150940,
          blocked: false,
          refusal: "",
          outcome: "changed",
        },
      ],
    });
    const { user } = renderApp("/settlements/pending?run=r1");
    const panel = await drawer();
    await user.click(await within(panel).findByRole("button", { name: /^Rozlicz 2/ }));
    expect(await within(panel).findByText(/nic nie zostało rozliczone/)).toBeInTheDocument();
    expect(plain(panel)).toContain("1 609,40 zł → 1 509,40 zł");
    await user.click(within(panel).getByRole("button", { name: "Nowa próba" }));
    await waitFor(() => expect(server.sent("POST /api/settlement-runs")[0]?.body).toEqual({ again: "r1" }));
  });

  it("with too few units settles nothing unless as many as fit are wanted", async () => {
    const server = stored();
    server.answers["GET /api/settlement-runs/r1"] = () => json({ ...preview, left: 1 });
    const { user } = renderApp("/settlements/pending?run=r1");
    const panel = await drawer();
    expect(await within(panel).findByText(/brakuje w licencji: 1/)).toBeInTheDocument();
    const confirm = within(panel).getByRole("button", { name: "Rozlicz 1 największych z 2" });
    expect(confirm).toBeDisabled();
    await user.click(within(panel).getByRole("checkbox", { name: /Rozlicz tyle, ile się zmieści/ }));
    await user.click(within(panel).getByRole("switch", { name: /Udostępnij/ }));
    await user.click(confirm);
    await waitFor(() =>
      expect(server.sent("POST /api/settlement-runs/r1/start")[0]?.body).toEqual({ share: false, partial: true }),
    );
  });

  it("goes on when its drawer is closed, and is there again when it has ended", async () => {
    const server = stored();
    let now: Run = { ...preview, state: "running", place: 1 };
    server.answers["GET /api/settlement-runs/r1"] = () => json(now);
    const { user, address } = renderApp("/settlements/pending?run=r1");
    const panel = await drawer();
    expect(await within(panel).findByRole("progressbar")).toHaveAttribute("aria-valuenow", "1");
    await user.click(within(panel).getByRole("button", { name: "Ukryj" }));
    expect(address()).toBe("/settlements/pending?run=r1");
    now = done;
    expect(await screen.findByText(/Rozliczono 2: 2\s609,40/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Pokaż" }));
    expect(await within(await drawer()).findByText("Odmówiono 1")).toBeInTheDocument();
  });

  it("that cannot be computed says so and that nothing was settled", async () => {
    const server = stored();
    server.answers["POST /api/settlement-runs"] = () => refusal(409, { code: "settlements.nothing" });
    const { user } = renderApp("/settlements/pending");
    await rowOf("Adamczyk Paweł");
    await user.click(screen.getByRole("button", { name: "Rozlicz wszystkie" }));
    expect(await screen.findByText("Nie udało się policzyć próby")).toBeInTheDocument();
    expect(screen.getByText(/Nic nie zostało rozliczone/)).toBeInTheDocument();
  });
});
