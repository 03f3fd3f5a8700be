import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { parseHundredths, percent } from "../../format/hundredths";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Rules, Schema } from "./queries";
import { blank, merged, pathOf, rulesOf, sameRules, valuesOf } from "./values";

const standard: Schema = {
  ...blank,
  schemaNumber: 1,
  version: 1,
  isDefault: true,
  drivers: 12,
  createdAt: "2026-11-01T09:00:00Z",
  updatedAt: "2026-11-01T09:00:00Z",
  updatedBy: "",
  name: "Standard",
};
const couriers: Schema = {
  ...standard,
  schemaNumber: 2,
  version: 3,
  isDefault: false,
  drivers: 0,
  updatedAt: "2026-11-03T09:00:00Z",
  updatedBy: "Anna Mazurek",
  name: "Kurierzy",
  contractType: "B2B_VAT",
  settlementCost: 123450,
  payoutRateBp: 5550,
  maxFee1: 3000,
  costRates: [{ type: "PERCENT", incomeFrom: 0, incomeTo: null, rate: 850 }],
};

const member = { ...partner, permissions: [...partner.permissions, "schemas.read" as const, "schemas.write" as const] };
const ALL = "/api/settlement-schemas";

const stored = () => {
  let schemas = [standard, couriers];
  const empty = () => new Response(null, { status: 204 });
  const server = serve({
    "GET /api/session": () => json(member),
    [`GET ${ALL}`]: () => json({ schemas }),
    [`POST ${ALL}`]: () => {
      const made = {
        ...standard,
        ...(server.sent(`POST ${ALL}`).at(-1)?.body as Rules),
        schemaNumber: 3,
        isDefault: false,
      };
      schemas = [...schemas, made];
      return json(made, 201);
    },
    [`PUT ${ALL}/2`]: () => {
      const changed = { ...couriers, ...(server.sent(`PUT ${ALL}/2`).at(-1)?.body as Rules), version: 4 };
      schemas = [standard, changed];
      return json(changed);
    },
    [`GET ${ALL}/2/history`]: () =>
      json({
        versions: [
          { ...couriers, version: 3, createdAt: "2026-11-03T09:30:00Z", createdBy: "Anna Mazurek" },
          {
            ...couriers,
            version: 2,
            settlementCost: 1234500,
            contractType: "B2B_NO_VAT",
            vatSplit: !couriers.vatSplit,
            weekStartDay: 3,
            createdAt: "2026-11-02T09:00:00Z",
            createdBy: "Jan Nowak",
          },
        ],
      }),
    [`POST ${ALL}/2/default`]: () => {
      schemas = [
        { ...couriers, isDefault: true },
        { ...standard, isDefault: false },
      ];
      return empty();
    },
    [`POST ${ALL}/2/copy`]: () => {
      const { name } = server.sent(`POST ${ALL}/2/copy`).at(-1)?.body as { name: string };
      const copy = { ...couriers, schemaNumber: 3, version: 1, name };
      schemas = [...schemas, copy];
      return json(copy, 201);
    },
    [`DELETE ${ALL}/2`]: () => {
      schemas = [standard];
      return empty();
    },
  });
  return { ...server, replace: (newest: Schema[]) => (schemas = newest) };
};

const opened = async (path = "/schemas?schema=2") => {
  const app = renderApp(path);
  await screen.findByRole("textbox", { name: "Nazwa" });
  const field = (name: string) => screen.getByRole("textbox", { name });
  const fill = async (name: string, text: string) => {
    await app.user.clear(field(name));
    await app.user.paste(text);
  };
  return { ...app, field, fill };
};
const save = () => screen.getByRole("button", { name: "Zapisz zmiany" });

beforeEach(signedIn);

it("tells who changed which rule, when, from what to what", async () => {
  stored();
  await opened();
  const history = await screen.findByRole("region", { name: "Historia" });
  const newest = (await within(history).findByText("Wersja 3")).closest("li") as HTMLElement;
  const told = newest.textContent.replace(/\s/g, " ");
  expect(told).toContain("Anna Mazurek, 3 lis 2026");
  expect(told).toContain("Koszt rozliczenia: 12 345,00 → ");
  expect(told).toContain("Umowa: B2B bez VAT → B2B z VAT");
  expect(told).toContain("Pierwszy dzień tygodnia: środa → poniedziałek");
  expect(told).not.toContain("Za przejazd");
});

describe("the list of schemas", () => {
  it("shows contract, default, drivers and the last change", async () => {
    stored();
    renderApp("/schemas");
    const row = (await screen.findByRole("button", { name: "Kurierzy" })).closest("tr") as HTMLElement;
    expect(row).toHaveTextContent("B2B z VAT");
    expect(row).toHaveTextContent("3 lis 2026Anna Mazurek");
    expect(within(row).queryByText("Domyślny")).not.toBeInTheDocument();
    expect(screen.getByText("Domyślny")).toBeInTheDocument();
    expect(screen.getByText("2 schematy")).toBeInTheDocument();
  });

  it("makes another schema the default", async () => {
    const server = stored();
    const { user } = renderApp("/schemas");
    await user.click(await screen.findByRole("button", { name: "Ustaw schemat „Kurierzy” jako domyślny" }));
    expect(await screen.findByText("Schemat „Kurierzy” jest teraz domyślny")).toBeInTheDocument();
    expect(server.sent(`POST ${ALL}/2/default`)).toHaveLength(1);
    expect(screen.getByRole("button", { name: "Ustaw schemat „Standard” jako domyślny" })).toBeInTheDocument();
  });

  it("copies under a new name and opens the copy", async () => {
    stored();
    const { user, address } = renderApp("/schemas");
    await user.click(await screen.findByRole("button", { name: "Kopiuj schemat „Kurierzy”" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByRole("textbox", { name: "Nazwa" })).toHaveValue("Kurierzy (kopia)");
    await user.click(within(dialog).getByRole("button", { name: "Kopiuj" }));
    await waitFor(() => expect(address()).toBe("/schemas?schema=3"));
    expect(await screen.findByRole("heading", { name: "Kurierzy (kopia)" })).toBeInTheDocument();
  });

  it("asks before it deletes", async () => {
    const server = stored();
    const { user } = renderApp("/schemas");
    await user.click(await screen.findByRole("button", { name: "Usuń schemat „Kurierzy”" }));
    const dialog = await screen.findByRole("dialog");
    expect(server.sent(`DELETE ${ALL}/2`)).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Usuń" }));
    expect(await screen.findByText("Usunięto schemat „Kurierzy”")).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole("button", { name: "Kurierzy" })).not.toBeInTheDocument());
  });

  it("says why a schema stays and who is settled by it", async () => {
    const server = stored();
    server.answers[`DELETE ${ALL}/2`] = () => refusal(409, { code: "schemas.attached", params: { drivers: "51" } });
    server.answers[`GET ${ALL}/2/drivers`] = () =>
      json({ drivers: [{ id: "d", firstName: "Jan", lastName: "Kowalski" }], total: 51 });
    const { user } = renderApp("/schemas");
    await user.click(await screen.findByRole("button", { name: "Usuń schemat „Kurierzy”" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Usuń" }));
    expect(await within(dialog).findByText("Kowalski Jan")).toBeInTheDocument();
    expect(dialog).toHaveTextContent("Liczba kierowców rozliczanych według tego schematu: 51.");
    expect(dialog).toHaveTextContent("i 50 jeszcze");
    expect(within(dialog).queryByRole("button", { name: "Usuń" })).not.toBeInTheDocument();
  });

  it("says what failed and tries again", async () => {
    const server = stored();
    const works = server.answers[`GET ${ALL}`];
    server.answers[`GET ${ALL}`] = () => refusal(500, { code: "internal" });
    const { user } = renderApp("/schemas");
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać schematów");
    if (works) server.answers[`GET ${ALL}`] = works;
    await user.click(screen.getByRole("button", { name: "Spróbuj ponownie" }));
    expect(await screen.findByRole("button", { name: "Kurierzy" })).toBeInTheDocument();
  });

  it("offers no changes to whoever may only read", async () => {
    const server = stored();
    server.answers["GET /api/session"] = () => json({ ...member, permissions: ["session.read", "schemas.read"] });
    await opened();
    expect(screen.getByRole("textbox", { name: "Nazwa" })).toBeDisabled();
    expect(screen.queryByRole("button", { name: /Zapisz|Dodaj|Usuń/ })).not.toBeInTheDocument();
  });
});

describe("editing a schema", () => {
  it("shows amounts and percents as people write them and sends minor units and basis points", async () => {
    const server = stored();
    const { user, field, fill, address } = await opened();
    expect(field("Koszt rozliczenia")).toHaveValue("1\u00a0234,50");
    expect(field("Udział kierowcy")).toHaveValue("55,5");
    await fill("Koszt rozliczenia", "2 345,6");
    await fill("Udział kierowcy", "8,25");
    await user.clear(field("Limit, jedna aplikacja"));
    await user.click(screen.getByRole("button", { name: "Dodaj koszt" }));
    await fill("Nazwa kosztu", "Telefon");
    await fill("Kwota", "9,90");
    await user.click(save());
    await waitFor(() => expect(address()).toBe("/schemas"));
    const { schemaNumber, isDefault, drivers, createdAt, updatedAt, updatedBy, ...rules } = couriers;
    expect(server.sent(`PUT ${ALL}/2`)[0]?.body).toEqual({
      ...rules,
      settlementCost: 234560,
      payoutRateBp: 825,
      maxFee1: null,
      additionalCosts: [{ name: "Telefon", amount: 990 }],
    });
    expect([schemaNumber, isDefault, drivers, createdAt, updatedAt, updatedBy]).toHaveLength(6);
  });

  it("refuses a text that is no number before anything is sent", async () => {
    const server = stored();
    const { user, field } = await opened();
    await user.clear(field("Koszt rozliczenia"));
    await user.type(field("Koszt rozliczenia"), "dwa");
    await user.click(save());
    expect(await screen.findByText("Wpisz kwotę, na przykład 1 234,50")).toBeInTheDocument();
    expect(screen.getByText(/Popraw zaznaczone pola/)).toBeInTheDocument();
    expect(server.sent(`PUT ${ALL}/2`)).toHaveLength(0);
  });

  it("puts what the server refuses at its field, with the bound as it would be typed", async () => {
    const server = stored();
    const { user, field } = await opened();
    server.answers[`PUT ${ALL}/2`] = () =>
      refusal(422, {
        code: "schemas.invalid",
        fields: [
          { name: "settlementCost", code: "too_large", params: { max: "100000000" } },
          { name: "costRates[0].rate", code: "too_large", params: { max: "10000" } },
          { name: "costRates[0].incomeFrom", code: "overlaps" },
        ],
      });
    await user.type(field("Nazwa"), " 2");
    await user.click(save());
    expect(await screen.findByText("Największa dozwolona wartość to 1 000 000,00")).toBeInTheDocument();
    expect(screen.getByText("Największa dozwolona wartość to 100 %")).toBeInTheDocument();
    expect(screen.getByText("Ten przedział nakłada się na inny tego samego rodzaju")).toBeInTheDocument();
    expect(field("Nazwa")).toHaveValue("Kurierzy 2");
  });

  it("loads the newest when somebody else was faster, and keeps what was typed", async () => {
    const server = stored();
    const works = server.answers[`PUT ${ALL}/2`];
    const { user, field, fill } = await opened();
    server.answers[`PUT ${ALL}/2`] = () => {
      server.replace([standard, { ...couriers, version: 9, settlementCost: 700, name: "Kurierzy nocni" }]);
      return refusal(409, { code: "schemas.changed" });
    };
    await fill("Udział kierowcy", "60");
    await user.click(save());
    await user.click(await screen.findByRole("button", { name: "Wczytaj najnowszy" }));
    expect(field("Nazwa")).toHaveValue("Kurierzy nocni");
    expect(field("Koszt rozliczenia")).toHaveValue("7,00");
    expect(field("Udział kierowcy")).toHaveValue("60");
    if (works) server.answers[`PUT ${ALL}/2`] = works;
    await user.click(save());
    await waitFor(() =>
      expect(server.sent(`PUT ${ALL}/2`).at(-1)?.body).toMatchObject({
        version: 9,
        payoutRateBp: 6000,
        settlementCost: 700,
      }),
    );
  });

  it("asks before it throws away what was typed", async () => {
    stored();
    const { user, field, address } = await opened();
    await user.type(field("Nazwa"), "x");
    await user.click(screen.getByRole("button", { name: "Wszystkie schematy" }));
    expect(await screen.findByText("Odrzucić wpisane dane?")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Odrzuć" }));
    await waitFor(() => expect(address()).toBe("/schemas"));
  });

  it("adds a schema that charges nothing until it is told to", async () => {
    const server = stored();
    const { user, field, address } = await opened("/schemas?schema=new");
    await user.type(field("Nazwa"), "  Nocni ");
    await user.click(screen.getByRole("button", { name: "Dodaj schemat" }));
    await waitFor(() => expect(address()).toBe("/schemas"));
    expect(server.sent(`POST ${ALL}`)[0]?.body).toEqual({ ...blank, name: "Nocni" });
    expect(await screen.findByText("Zapisano schemat „Nocni”")).toBeInTheDocument();
  });

  it("says when the schema of the address is gone", async () => {
    stored();
    renderApp("/schemas?schema=99");
    expect(await screen.findByText("Tego schematu nie ma")).toBeInTheDocument();
  });
});

describe("numbers that people type", () => {
  it("writes what it reads", () => {
    for (const language of ["pl", "en", "de", "uk", "ru"] as const) {
      const rules = rulesOf(valuesOf(couriers, language), language);
      expect(sameRules(rules, couriers)).toBe(true);
      for (const bp of [0, 1, 50, 333, 850, 10000]) expect(parseHundredths(percent(bp, language), language)).toBe(bp);
    }
  });

  it("finds the field that the server names", () => {
    expect(pathOf("costRates[1].incomeFrom")).toEqual(["costRates", 1, "incomeFrom"]);
    expect(pathOf("dailyFee.UBER")).toEqual(["dailyFee", "UBER"]);
    expect(pathOf("name")).toEqual(["name"]);
  });

  it("keeps of two edits what each changed", () => {
    const mine = { ...couriers, name: "Moje" };
    const newest = { ...couriers, version: 4, tripFee: 5 };
    expect(merged(couriers, mine, newest)).toMatchObject({ name: "Moje", tripFee: 5 });
  });
});

describe("what a schema would give", () => {
  const simulated = {
    period: "2026-W45",
    drivers: 3,
    before: 500_000,
    after: 480_050,
    changed: 2,
    items: [
      { id: "d1", firstName: "Jan", lastName: "Nowak", before: 200_000, after: 175_050 },
      { id: "d2", firstName: "Ewa", lastName: "Lis", before: 100_000, after: 105_000 },
    ],
  };
  const SIMULATE = `POST ${ALL}/simulate`;

  it("is computed of what is typed, for all its drivers, and nothing is saved", async () => {
    const server = stored();
    server.answers[SIMULATE] = () => json(simulated);
    const { user } = renderApp("/schemas?schema=2");
    const cost = await screen.findByRole("textbox", { name: "Koszt rozliczenia" });
    await user.clear(cost);
    await user.type(cost, "99,50");
    await user.click(screen.getByRole("button", { name: "Policz według tych reguł" }));
    expect(await screen.findByText(/tydzień 45\/2026 ten schemat daje/)).toHaveTextContent(
      "5 000,00 4 800,50 zł (−199,50)",
    );
    const table = screen.getByRole("table", { name: /^Co się zmienia dla każdego kierowcy/ });
    expect(
      within(table)
        .getAllByRole("row")
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringContaining("Różnica"),
      expect.stringMatching(/^Nowak Jan.*−249,50$/),
      expect.stringMatching(/^Lis Ewa.*\+50,00$/),
    ]);
    expect(server.sent(SIMULATE)[0]?.body).toMatchObject({ schemaNumber: 2, settlementCost: 9950 });
    expect(server.sent(`PUT ${ALL}/2`)).toEqual([]);
  });

  it("says at the field what the server refuses", async () => {
    const server = stored();
    server.answers[SIMULATE] = () =>
      refusal(422, {
        code: "schemas.invalid",
        fields: [{ name: "settlementCost", code: "too_large", params: { max: "1000000" } }],
      });
    const { user } = renderApp("/schemas?schema=2");
    await user.click(await screen.findByRole("button", { name: "Policz według tych reguł" }));
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Koszt rozliczenia" })).toHaveAttribute("aria-invalid", "true"),
    );
    expect(screen.getByText(/Nic nie zostało zapisane/)).toBeVisible();
  });
});
