import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { createServer as createSecure, type TLSSocket } from "node:tls";
import { Drive } from "./drive";

/** A certificate for this machine alone, with its key: nothing but journeys believes it. */
export const CERTIFICATE = join(import.meta.dirname, "../fixtures/localhost.pem");

/** Password of the account anna at the issuer and at the mailbox. */
export const PASSWORD = "hunter2-ł";

/** A connector to an issuer of fuel cards, a mailbox with one statement, and a drive, as a partner finds them outside. */
export interface Issuer {
  connector: string;
  mailbox: string;
  drive: { address: string; at: Drive };
  stop: () => Promise<void>;
}

const day = (date: Date) => date.toISOString().slice(0, 10).split("-").reverse().join(".");

/** A statement as the issuer's portal gives it: so many refuellings of today. */
function statement(card: string, rows: number): string {
  const today = day(new Date());
  const head =
    "Numer karty;Typ karty;Numer rejestracyjny / Użytkownik;Data transakcji;Godzina;Data księgowania;Numer stacji;Miejscowość;" +
    "Produkt;Ilość;J.m.;Cena jedn. brutto;Rabat brutto;Wartość netto;Stawka VAT;Kwota VAT;Wartość brutto;Stan licznika;Numer WZ";
  const lines = Array.from(
    { length: rows },
    (_, n) =>
      `${card};K;OKAZICIEL;${today};06:1${n};${today};4100;Łódź;Verva ON;30,00;l;6,59;0,00;;23%;;100,00;;WZ/${card}${n}`,
  );
  return [head, ...lines, ""].join("\r\n");
}

const message = [
  "From: raporty@issuer.example",
  "Subject: Zestawienie",
  "Message-ID: <1@issuer.example>",
  'Content-Type: text/csv; charset=utf-8; name="zestawienie.csv"',
  "Content-Transfer-Encoding: base64",
  "",
  Buffer.from(statement("7017830000088888", 3)).toString("base64"),
  "",
].join("\r\n");

/** Speaks as much of IMAP as an own server needs: one folder with one message. */
function serve(socket: TLSSocket) {
  let seen = false;
  let text = "";
  let pending = "";
  let parts: string[] = [];
  let missing = 0;
  const answer = (line: string) => socket.write(`${line}\r\n`);
  const command = (line: string) => {
    const [tag = "", ...words] = line.split(" ");
    const what = words.join(" ");
    if (what.startsWith("LOGIN")) {
      const right = what.includes('"anna"') && parts.includes(PASSWORD);
      return answer(`${tag} ${right ? "OK" : "NO"} LOGIN`);
    }
    if (what.startsWith("SELECT")) answer("* OK [UIDVALIDITY 7] valid");
    if (what.startsWith("UID SEARCH")) answer(`* SEARCH${seen ? "" : " 1"}`);
    if (what.includes("RFC822.SIZE")) answer(`* 1 FETCH (UID 1 RFC822.SIZE ${Buffer.byteLength(message)})`);
    if (what.includes("BODY.PEEK")) answer(`* 1 FETCH (UID 1 BODY[] {${Buffer.byteLength(message)}}\r\n${message})`);
    if (what.startsWith("UID STORE")) seen = true;
    return answer(`${tag} OK done`);
  };
  answer("* OK ready");
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    for (;;) {
      if (missing > 0) {
        if (text.length < missing) return;
        parts.push(Buffer.from(text.slice(0, missing), "latin1").toString());
        text = text.slice(missing);
        missing = 0;
      }
      const end = text.indexOf("\r\n");
      if (end < 0) return;
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      const literal = /\{(\d+)\}$/.exec(line);
      if (literal) {
        pending += line;
        missing = Number(literal[1]);
        answer("+ go on");
      } else {
        command(pending + line);
        pending = "";
        parts = [];
      }
    }
  });
}

/** Starts them on free ports. */
export async function startIssuer(): Promise<Issuer> {
  const pem = readFileSync(CERTIFICATE);
  const connector = createServer({ cert: pem, key: pem }, (request, response) => {
    const right = `Basic ${Buffer.from(`anna:${PASSWORD}`).toString("base64")}`;
    if (request.headers.authorization !== right) return response.writeHead(401).end();
    return response.writeHead(200, { "Content-Type": "text/csv" }).end(statement("7017830000099999", 4));
  });
  const mailbox = createSecure({ cert: pem, key: pem }, serve);
  const at = new Drive(PASSWORD);
  const drive = createServer({ cert: pem, key: pem }, at.answer);
  const port = (server: Server) =>
    new Promise<number>((resolved) =>
      server.listen(0, "127.0.0.1", () => resolved((server.address() as AddressInfo).port)),
    );
  const stop = (server: Server) => new Promise<void>((resolved) => server.close(() => resolved()));
  return {
    connector: `https://127.0.0.1:${await port(connector)}`,
    mailbox: `127.0.0.1:${await port(mailbox)}`,
    drive: { address: `https://127.0.0.1:${await port(drive)}/files`, at },
    stop: async () => {
      for (const one of [connector, drive]) one.closeAllConnections();
      await Promise.all([connector, mailbox, drive].map(stop));
    },
  };
}
