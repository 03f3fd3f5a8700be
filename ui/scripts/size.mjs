// Adds up, as gzip, all JavaScript that a person's first screen needs, and fails above its budget.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const dist = join(import.meta.dirname, "..", "dist", "app");
const manifest = JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8"));

const KB = 1024;
const LANGUAGE = "src/i18n/pl/index.ts";
const FURTHER = "src/i18n/pl/further.ts";
const OF_PARTNERS = "src/i18n/pl/of-partners.ts";
// An address that only the table of a partner's screens holds: where it is, that table was loaded.
const A_PARTNERS_SCREEN = "/upload/mappings";
const first = [
  {
    person: "partner",
    modules: [
      "index.html",
      LANGUAGE,
      FURTHER,
      OF_PARTNERS,
      "src/shell/partner-side.ts",
      "src/partner/settlements/pending-page.tsx",
    ],
    budget: 260,
    seesPartners: true,
  },
  { person: "driver", modules: ["index.html", LANGUAGE, "src/driver/settlements/settlements-page.tsx"], budget: 150 },
  { person: "whoever has a link", modules: ["driver-summary.html", "src/link/pl.ts"], budget: 90 },
  { person: "whoever checks a document", modules: ["verify.html", "src/link/verify/pl.ts"], budget: 85 },
];

/** The files that a module cannot run without. */
function needed(module, files = new Set()) {
  const entry = manifest[module];
  if (!entry) throw new Error(`${module} is not in the build`);
  if (files.has(entry.file)) return files;
  files.add(entry.file);
  for (const imported of entry.imports ?? []) needed(imported, files);
  return files;
}

let over = false;
for (const { person, modules, budget, seesPartners = false } of first) {
  const files = new Set();
  for (const module of modules) needed(module, files);
  const bytes = [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length,
    0,
  );
  const size = bytes / KB;
  console.log(`${person}: ${size.toFixed(1)} KB gzip of JavaScript, budget ${budget} KB`);
  if (size > budget) over = true;
  const partners = [...files].some((file) => readFileSync(join(dist, file), "utf8").includes(A_PARTNERS_SCREEN));
  if (partners === seesPartners) continue;
  console.log(`${person}: ${partners ? "loads" : "does not load"} the screens of partners`);
  over = true;
}
process.exit(over ? 1 : 0);
