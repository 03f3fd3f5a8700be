import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base } from "@playwright/test";

const BINARY = resolve(import.meta.dirname, "../../bin/saldo");

/** A running demo with its own data, and ways in. */
export interface Saldo {
  url: string;
  /** The sign-in link of a demo partner's clerk. */
  links: { anna: string; marek: string };
  /** A new sign-in link for anybody by e-mail. */
  linkFor: (email: string) => string;
  /** A new partner, and the sign-in link of its first person. */
  addPartner: (code: string) => string;
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address && typeof address === "object" ? found(address.port) : failed(new Error("no port"))));
    });
  });
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

function linkOf(out: string, name: string): string {
  const link = new RegExp(`${name}.*?(http\\S+)`).exec(out)?.[1];
  if (!link) throw new Error(`no link for ${name} in: ${out}`);
  return link;
}

// Browser storage and signed-in state are each test's own; the server and its data are shared by
// the journeys of one worker, so each journey makes what it needs.
export const test = base.extend<object, { saldo: Saldo }>({
  saldo: [
    // biome-ignore lint/correctness/noEmptyPattern: the form the test runner asks for
    async ({}, use, info) => {
      const data = mkdtempSync(join(tmpdir(), "saldo-journeys-"));
      const url = `http://localhost:${await freePort()}`;
      const env = {
        ...process.env,
        SALDO_DATA: data,
        SALDO_ADDR: url.replace("http://", ""),
        SALDO_PUBLIC_URL: url,
        SALDO_LOG_LEVEL: "warn",
        SALDO_INSTANCE: String(info.project.metadata.instance),
        SALDO_DATABASE_URL: info.project.metadata.engine === "postgres" ? (process.env.SALDO_TEST_POSTGRES ?? "") : "",
      };
      if (info.project.metadata.engine === "postgres" && !env.SALDO_DATABASE_URL)
        throw new Error("SALDO_TEST_POSTGRES is not set: run through scripts/with-postgres");
      const server = spawn(BINARY, ["demo"], { env });
      const out = await started(server);
      const printed = (...args: string[]) => /http\S+/.exec(execFileSync(BINARY, args, { env }).toString())?.[0] ?? "";
      await use({
        url,
        links: { anna: linkOf(out, "Anna"), marek: linkOf(out, "Marek") },
        linkFor: (email) => printed("sign-in-link", email),
        addPartner: (code) => printed("add-partner", code, `Flota ${code}`, "Ewa Nowak", `ewa@${code}.example`),
      });
      const ended = new Promise((resolved) => server.once("exit", resolved));
      server.kill("SIGTERM");
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  baseURL: async ({ saldo }, use) => use(saldo.url),
});

export { expect } from "@playwright/test";
