import { expect, type Page } from "@playwright/test";
import type { Saldo } from "../saldo";
import { type Call, calling } from "./api";
import { Frame } from "./frame";

/** The card of the driver, as only the file and the driver's provider ids have it. */
export const CARD = "7017830000004821";

const DAY_MS = 86_400_000;
const daysAgo = (n: number) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Warsaw" }).format(new Date(Date.now() - n * DAY_MS));

/** A statement of ORLEN: two refuellings in two towns within twenty minutes, and others of the last weeks. */
function statement(): string {
  const rows = [
    [25, "06:10", "Warszawa", "Verva ON", "38,40", "6,59", "253,06", "88102"],
    [18, "17:42", "Żyrardów", "Efecta 95", "41,05", "6,29", "258,20", "88611"],
    [11, "05:55", "Łódź", "Verva ON", "44,90", "6,62", "297,24", "89240"],
    [4, "08:10", "Warszawa", "Verva ON", "31,20", "6,58", "205,30", "89777"],
    [4, "08:30", "Gdańsk", "Verva ON", "52,00", "6,55", "340,60", "89801"],
    [3, "12:15", "Warszawa", "Myjnia bezdotykowa", "1,00", "25,00", "25,00", "0"],
    [0, "00:05", "Warszawa", "Efecta 95", "20,50", "6,299", "129,13", "90015"],
  ] as const;
  const head =
    "Numer karty;Typ karty;Numer rejestracyjny / Użytkownik;Data transakcji;Godzina;Data księgowania;Numer stacji;Miejscowość;Produkt;Ilość;J.m.;" +
    "Cena jedn. brutto;Rabat brutto;Wartość netto;Stawka VAT;Kwota VAT;Wartość brutto;Stan licznika;Numer WZ";
  const lines = rows.map(([ago, clock, town, product, amount, price, gross, km], nth) =>
    [CARD, "S", "WX 1001A", daysAgo(ago), clock, daysAgo(ago), 105 + nth, town, product, amount]
      .concat(["l", price, "0,00", "", "23", "", gross, km, `WZ/${90_000 + nth}`])
      .join(";"),
  );
  return `${[`Okres: ${daysAgo(25)} - ${daysAgo(0)}`, "", head, ...lines].join("\n")}\n`;
}

interface One {
  id: string;
  version: number;
  identities: { provider: string; value: string }[];
}

/** The fleet of the demo has fuel cards, and Oleh a statement of his: his id. Anna is signed in on the page. */
export async function fuelled(page: Page, saldo: Saldo): Promise<{ call: Call; driver: string }> {
  saldo.switchOn("demo", "fuel");
  const call = calling(page);
  await new Frame(page).resume(saldo.people.anna, "/app/?lang=pl");
  const { drivers } = await call<{ drivers: One[] }>("GET", "/api/drivers?q=Oleh%20Babiak");
  const driver = drivers[0]?.id ?? "";
  const { version, identities } = await call<One>("GET", `/api/drivers/${driver}`);
  await call("PUT", `/api/drivers/${driver}/identities`, {
    version,
    identities: [...identities.filter(({ provider }) => provider !== "ORLEN"), { provider: "ORLEN", value: CARD }],
  });
  const { id } = await call<{ id: string }>("POST", "/api/imports", {
    multipart: {
      file: { name: "orlen.csv", mimeType: "text/csv", buffer: Buffer.from(statement()) },
      provider: "ORLEN",
    },
  });
  await call("POST", `/api/imports/${id}/confirm`, { restated: "beside" });
  const status = async () => (await call<{ import: { status: string } }>("GET", `/api/imports/${id}`)).import.status;
  await expect.poll(status).toBe("success");
  return { call, driver };
}
