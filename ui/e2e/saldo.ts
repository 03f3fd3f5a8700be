import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base } from "@playwright/test";
import { Drive } from "./pages/drive";
import { CERTIFICATE, PASSWORD, startIssuer } from "./pages/issuer";

/** Where the compiled reader of PDFs is kept from run to run, as by `testkit.Compiled`: compiling it takes ten seconds. */
const COMPILED = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "saldo");
const BINARY = resolve(import.meta.dirname, "../../bin/saldo");

/** A running demo with its own data, and ways in. */
export interface Saldo {
  url: string;
  /** The demo's people. */
  people: { anna: Person; marek: Person; oleh: Person };
  /** A new partner, with the link that sets the password of its first person. */
  addPartner: (code: string) => { email: string; link: string };
  /** Gives a partner more settlements. */
  grant: (code: string, units: number) => void;
  /** Switches something on that only some partners have. */
  switchOn: (code: string, feature: string) => void;
  /** The newest mail to an address. */
  mailTo: (email: string) => Promise<string>;
  /** Server of a mailbox with a statement; empty: there is none. */
  mailbox: string;
  /** A drive of the partner's, where `issued` says so. */
  drive: { address: string; at: Drive };
  /** Stops the program and starts it again on the same data. */
  restart: () => Promise<void>;
}

/** Somebody who can sign in. */
export interface Person {
  email: string;
  password: string;
}

/** Resolves with what the binary printed once it answers. */
function started(process: ChildProcess): Promise<string> {
  return new Promise((resolved, rejected) => {
    let out = "";
    process.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes("Stop with")) resolved(out);
    });
    process.stderr?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    process.once("exit", () => rejected(new Error(`saldo did not start: ${out}`)));
  });
}

/** What drivers say of themselves in journeys, and a password of a partner at somebody else's. */
const PERSONAL = ["44051401359", "FA 123456", "FA123456", "ABC 123456", PASSWORD];

/** Nothing personal stands open in what the program wrote: its data, its mails, its log. */
function nothingPersonal(data: string, log: string) {
  const files = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  const found = [
    ["log", Buffer.from(log)] as const,
    ...files.map((name) => [name, readFileSync(name)] as const),
  ].flatMap(([name, content]) => PERSONAL.filter((one) => content.includes(one)).map((one) => `${name} holds ${one}`));
  if (found.length > 0) throw new Error(found.join("\n"));
}

function personOf(out: string, name: string): Person {
  const found = new RegExp(`(${name}@\\S+) +(\\S+) `).exec(out);
  if (!found?.[1] || !found[2]) throw new Error(`no way in for ${name} in: ${out}`);
  return { email: found[1], password: found[2] };
}

// Mails are written to the data folder; the newest is the last by name.
async function newestMail(folder: string, email: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".eml")) : [];
    const texts = files
      .map((name) => ({ text: readFileSync(join(folder, name), "utf8"), at: statSync(join(folder, name)).mtimeMs }))
      .filter(({ text }) => text.includes(email))
      .sort((a, b) => b.at - a.at);
    if (texts[0]) return texts[0].text;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no mail to ${email}`);
}

// An empty database for each worker: the first try has left its data and its key in the one before.
function emptyDatabase(worker: number): string {
  const cluster = process.env.SALDO_TEST_POSTGRES;
  const createdb = process.env.SALDO_TEST_CREATEDB;
  if (!cluster || !createdb) throw new Error("SALDO_TEST_POSTGRES is not set: run through scripts/with-postgres");
  const address = new URL(cluster);
  const name = `journeys_${worker}`;
  execFileSync(createdb, ["-h", address.hostname, "-p", address.port, "-U", address.username, name]);
  address.pathname = name;
  return address.href;
}

// Browser storage and signed-in state are each test's own; the server and its data are shared by
// the journeys of one worker, so each journey makes what it needs.
export const test = base.extend<object, { saldo: Saldo; size: "none" | "small"; apart: string; issued: boolean }>({
  /** The fleets that the demo begins with. */
  size: ["none", { option: true, scope: "worker" }],
  /** A name of its own gives a file a demo of its own, for journeys that other journeys would disturb. */
  apart: ["", { option: true, scope: "worker" }],
  /** An issuer of fuel cards is there, with a connector and a mailbox, and a drive. */
  issued: [false, { option: true, scope: "worker" }],
  saldo: [
    async ({ size, issued }, use, info) => {
      const issuer = issued ? await startIssuer() : undefined;
      const data = mkdtempSync(join(tmpdir(), "saldo-journeys-"));
      mkdirSync(COMPILED, { recursive: true });
      symlinkSync(COMPILED, join(data, "compiled"));
      const env: Record<string, string | undefined> = {
        ...process.env,
        SALDO_DATA: data,
        SALDO_ADDR: "localhost:0",
        SALDO_LOG_LEVEL: "warn",
        SALDO_INSTANCE: String(info.project.metadata.instance),
        SALDO_DATABASE_URL: info.project.metadata.engine === "postgres" ? emptyDatabase(info.workerIndex) : "",
      };
      if (issuer) {
        env.SALDO_FUEL_URL = issuer.connector;
        env.SALDO_SERVICES_PRIVATE = "1";
        env.SALDO_SERVICES_CA = CERTIFICATE;
      }
      let log = "";
      const start = () => {
        const begun = spawn(BINARY, ["demo", "--size", size], { env });
        for (const stream of [begun.stdout, begun.stderr])
          stream.on("data", (chunk: Buffer) => {
            log += chunk.toString();
          });
        return begun;
      };
      let server = start();
      const out = await started(server);
      const url = /Saldo answers at (\S+)\/app\//.exec(out)?.[1] ?? "";
      env.SALDO_ADDR = url.replace("http://", ""); // the same when it starts again, and for commands beside it
      env.SALDO_PUBLIC_URL = url;
      const stop = async () => {
        const ended = new Promise((resolved) => server.once("exit", resolved));
        server.kill("SIGTERM");
        await ended;
      };
      const printed = (...args: string[]) => /http\S+/.exec(execFileSync(BINARY, args, { env }).toString())?.[0] ?? "";
      await use({
        url,
        people: { anna: personOf(out, "anna"), marek: personOf(out, "marek"), oleh: personOf(out, "oleh") },
        addPartner: (code) => {
          const email = `ewa@${code}.example`;
          return { email, link: printed("add-partner", code, `Flota ${code}`, "Ewa Nowak", email) };
        },
        grant: (code, units) => {
          execFileSync(BINARY, ["grant", code, String(units), "journey"], { env });
        },
        mailbox: issuer?.mailbox ?? "",
        drive: issuer?.drive ?? { address: "", at: new Drive("") },
        switchOn: (code, feature) => {
          execFileSync(BINARY, ["partner", "feature", code, feature, "on"], { env });
        },
        mailTo: (email) => newestMail(join(data, "mails"), email),
        restart: async () => {
          await stop();
          server = start();
          await started(server);
        },
      });
      await stop();
      await issuer?.stop();
      nothingPersonal(data, log);
      rmSync(data, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  baseURL: async ({ saldo }, use) => use(saldo.url),
});

export { expect } from "@playwright/test";
