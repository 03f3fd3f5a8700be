import { expect, type Page } from "@playwright/test";

/** What is filled in of a Polish contract. */
const DATA = {
  personal: {
    firstNames: "Oleh",
    lastName: "Bondar",
    birthDate: "1944-05-14",
    citizenship: "UA",
    pesel: "44051401359",
    idKind: "passport",
    idNumber: "FA123456",
    phone: "+48 600 100 200",
    email: "oleh.bondar@drivers.example",
    registered: { street: "Długa", house: "1", postCode: "80-831", city: "Gdańsk" },
  },
  contract: {
    kinds: ["civil_contract"],
    date: "2026-11-15",
    place: "Gdańsk",
    from: "2026-11-16",
    settlementFrequency: 1,
    ibanPayout: "PL61109010140000071219812874",
  },
  statements: { taxOffice: "Gdańsk", nfz: "11", taxResidence: "PL" },
};

interface Text {
  id: string;
  sum: string;
}

/** Calls the API as whoever is signed in on the page, and answers with everything that was answered. */
export function asking(page: Page) {
  let token = "";
  page.on("request", (request) => {
    if (request.url().includes("/api/")) token = request.headers().authorization ?? token;
  });
  return async (method: string, path: string, options: { data?: unknown; multipart?: Record<string, string> } = {}) => {
    const headers = { Authorization: token, "Idempotency-Key": crypto.randomUUID() };
    const answer = await page.request.fetch(path, { method, headers, ...options });
    expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true);
    return answer;
  };
}

export type Ask = ReturnType<typeof asking>;

/** A new driver who has signed a contract on a device of the partner. */
export async function signedContract(ask: Ask, lastName: string): Promise<{ driver: string; contract: string }> {
  const added = await ask("POST", "/api/drivers", {
    data: { firstName: "Oleh", lastName, email: `${lastName.toLowerCase()}@drivers.example` },
  });
  const { id: driver } = (await added.json()) as { id: string };
  const data = { ...DATA, personal: { ...DATA.personal, lastName } };
  const at = "/api/partner-documents";
  const filled = await ask("POST", `${at}/fill-data`, { data: { data, language: "pl" } });
  const sums = filled.headers()["x-document-sums"] ?? "{}";
  const wizard = (await (await ask("GET", `${at}/signed-data?driverUUID=${driver}&language=pl`)).json()) as {
    consent: Text;
    declarations: Text[];
  };
  const signed = await ask("POST", `${at}/signed`, {
    multipart: {
      data: JSON.stringify(data),
      sums,
      shown: JSON.stringify(
        Object.keys(JSON.parse(sums) as object).map((order) => ({ order: Number(order), pages: 1, ms: 900 })),
      ),
      declarations: JSON.stringify(wizard.declarations.map(({ id, sum }) => ({ id, textSum: sum }))),
      consentSum: wizard.consent.sum,
      language: "pl",
      typedName: `Oleh ${lastName}`,
      driverUUID: driver,
      version: "0",
    },
  });
  const { contractId } = (await signed.json()) as { contractId: string };
  return { driver, contract: contractId };
}
