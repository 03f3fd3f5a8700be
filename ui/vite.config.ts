import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// The server sends these copies as they are: nothing is compressed while a user waits.
function compressed(): Plugin {
  let outDir = "";
  return {
    name: "saldo:compressed",
    apply: "build",
    configResolved(config) {
      outDir = config.build.outDir;
    },
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true });
      await Promise.all(
        names
          .filter((name) => !/\.(woff2|png|gz|br)$/.test(name))
          .map(async (name) => {
            const path = join(outDir, name);
            const info = await stat(path);
            if (!info.isFile() || info.size <= 1024) return;
            const bytes = await readFile(path);
            await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
            await writeFile(
              `${path}.br`,
              await promisify(brotliCompress)(bytes, {
                params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
              }),
            );
          }),
      );
    },
  };
}

/** A module as the manifest of the build has it. */
interface Built {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
}

/** What drivers need without a line; everything else of theirs needs the server anyway. */
const WITHOUT_LINE =
  /^src\/(driver\/(tracking|reports\/gate)|device|waiting|session|shell\/(wide|language-menu)|invoices\/picked)/;
const STANDING = ["mode.js", "icon.svg", "icon-192.png", "manifest.webmanifest"];

// The service worker, with the list of the files that it keeps: they are known when all are built.
function worker(): Plugin {
  let outDir = "";
  return {
    name: "saldo:worker",
    apply: "build",
    configResolved(config) {
      outDir = config.build.outDir;
    },
    async writeBundle() {
      const manifest = JSON.parse(await readFile(join(outDir, ".vite", "manifest.json"), "utf8")) as Record<
        string,
        Built
      >;
      const filesOf = (names: string[]) => {
        const seen = new Set<string>();
        const files = new Set<string>();
        const add = (name: string) => {
          const built = manifest[name];
          if (!built || seen.has(name)) return;
          seen.add(name);
          for (const file of [built.file, ...(built.css ?? []), ...(built.assets ?? [])]) files.add(`/app/${file}`);
          for (const imported of built.imports ?? []) add(imported);
        };
        for (const name of names) add(name);
        return files;
      };
      const files = filesOf(["index.html", ...Object.keys(manifest).filter((name) => WITHOUT_LINE.test(name))]);
      const languages = Object.fromEntries(
        ["pl", "en", "de", "uk", "ru"].map((language) => {
          const parts = ["index", "further", "of-drivers", "tracking"].map((part) => `src/i18n/${language}/${part}.ts`);
          return [language, [...filesOf(parts)].filter((file) => !files.has(file))];
        }),
      );
      const shell = { files: ["/app/", ...STANDING.map((file) => `/app/${file}`), ...files], languages };
      const source = await readFile("worker/worker.js", "utf8");
      const page = await readFile(join(outDir, "index.html"), "utf8");
      const version = createHash("sha256")
        .update(JSON.stringify(shell))
        .update(source)
        .update(page)
        .digest("hex")
        .slice(0, 16);
      await writeFile(join(outDir, "worker.js"), `const SHELL = ${JSON.stringify({ version, ...shell })};\n${source}`);
    },
  };
}

// What is needed, for whoever has no JavaScript: in every language, since nothing could choose one.
function withoutScript(): Plugin {
  const texts = ["pl", "en", "de", "uk", "ru"].map((language) => {
    const texts = JSON.parse(readFileSync(`../locales/${language}/common.json`, "utf8")) as Record<string, string>;
    return `<p lang="${language}">${texts.noScript ?? ""}</p>`;
  });
  return {
    name: "saldo:without-script",
    transformIndexHtml: (html) => html.replace("<!-- without script -->", texts.join("")),
  };
}

const WIDE = [
  /src\/shell\/(wide|sidebar|tab-bar|user-menu|language-items)\.tsx?$/,
  /src\/(components\/(menu|popover|popup)|browser\/shortcuts)\.tsx?$/,
  /lucide-react\/.*\/(building-2|building-complex|key-round|log-out|monitor|moon|sun)\.m?js$/,
];

export default defineConfig({
  base: "/app/",
  ...(process.env.VITEST && { oxc: { jsx: { runtime: "automatic", development: false } } }),
  plugins: [react(), withoutScript(), worker(), compressed()],
  build: {
    outDir: "dist/app",
    emptyOutDir: true,
    manifest: true,
    target: "es2022",
    // The pages of mailed links and of codes on documents are entries of their own: they must be light.
    rolldownOptions: {
      input: ["index.html", "driver-summary.html", "verify.html"],
      // What stands around a wide screen is one file: many small ones are larger together.
      output: {
        codeSplitting: {
          groups: [{ name: "wide", test: (id) => WIDE.some((one) => one.test(id)) }],
          includeDependenciesRecursively: false,
        },
      },
    },
    // The content security policy allows data: for pictures only, never for fonts.
    assetsInlineLimit: 0,
  },
  // The texts are imported whole, and they are smaller as objects than as named constants or strings to parse.
  json: { namedExports: false, stringify: false },
  server: {
    fs: { allow: ["..", "."] },
    proxy: { "/api": "http://localhost:8080", "/identification": "http://localhost:8080" },
  },
  test: {
    environment: "happy-dom",
    // A link or an address that a test follows is not opened: the files of a worker share the page.
    environmentOptions: {
      happyDOM: { url: "http://localhost/app/", settings: { navigation: { disableFallbackToSetURL: true } } },
    },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    css: false,
    // The application is read once for each worker, not once for each file of tests: that was more than half of the time.
    isolate: false,
    // All cores: left alone, one of two stays idle.
    maxWorkers: "100%",
    // A fifth of the time went into collecting what each drawing throws away: with more room it is collected less often.
    execArgv: ["--max-semi-space-size=64"],
    // A machine that stands still for a minute breaks none of them; a screen that never comes ends by the limit in setup.ts.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { NODE_ENV: "production" },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
