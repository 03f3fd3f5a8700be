#!/usr/bin/env node
// What Saldo is made of: a list of all libraries that are in the program and in the web application, as CycloneDX (sbom.cdx.json, or
// the path given), each with a licence that we accept; and whether any of them has a known weakness that the program can reach.
// Ends with 1 where a licence is not accepted, a weakness is known, or the list of weaknesses could not be had.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const GOVULNCHECK = "golang.org/x/vuln/cmd/govulncheck@v1.2.0";
const ACCEPTED = new Set(["MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "0BSD", "MPL-2.0", "CC0-1.0", "Unlicense", "OFL-1.1", "BlueOak-1.0.0"]);

/** Which licence a text is, by sentences that only it has. */
function licenceOf(text) {
  const plain = text.replace(/\s+/g, " ");
  const has = (words) => plain.includes(words);
  if (has("Apache License") && has("Version 2.0")) return "Apache-2.0";
  if (has("Mozilla Public License") && has("2.0")) return "MPL-2.0";
  if (has("Permission is hereby granted, free of charge")) return "MIT";
  if (has("Permission to use, copy, modify, and/or distribute") || has("Permission to use, copy, modify, and distribute")) return "ISC";
  if (has("Redistribution and use in source and binary forms"))
    return /neither the name/i.test(plain) ? "BSD-3-Clause" : "BSD-2-Clause";
  if (has("This is free and unencumbered software")) return "Unlicense";
  if (has("CC0 1.0 Universal")) return "CC0-1.0";
  return "";
}

function goModules() {
  const list = execFileSync("go", ["list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "./cmd/saldo"], {
    cwd: root,
    encoding: "utf8",
  });
  return [...new Set(list.split("\n").filter(Boolean))].sort().map((line) => {
    const [name, version, dir] = line.split(" ");
    const file = readdirSync(dir).find((one) => /^(licen[cs]e|copying)/i.test(one));
    return { name, version, purl: `pkg:golang/${name}@${version}`, licence: file ? licenceOf(readFileSync(join(dir, file), "utf8")) : "" };
  });
}

function npmPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "ui/package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, one]) => path && !one.dev && !one.optional)
    .map(([path, one]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      const own = join(root, "ui", path, "package.json");
      const licence = one.license ?? (existsSync(own) ? JSON.parse(readFileSync(own, "utf8")).license : "");
      return { name, version: one.version, purl: `pkg:npm/${name.replace("@", "%40")}@${one.version}`, licence: licence ?? "" };
    });
}

/** A licence that is one of several is accepted when one of them is. */
const accepted = (licence) => licence.replace(/[()]/g, "").split(/ OR /i).some((one) => one.split(/ AND /i).every((part) => ACCEPTED.has(part.trim())));

const all = [...goModules(), ...npmPackages()];
const path = process.argv[2] ?? join(root, "sbom.cdx.json");
writeFileSync(
  path,
  `${JSON.stringify(
    {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: { component: { type: "application", name: "saldo" } },
      components: all.map(({ name, version, purl, licence }) => ({
        type: "library",
        "bom-ref": purl,
        name,
        version,
        purl,
        ...(licence && { licenses: [licence.includes(" ") ? { expression: licence } : { license: { id: licence } }] }),
      })),
    },
    null,
    2,
  )}\n`,
);
console.log(`${all.length} libraries are listed in ${path}`);
const byLicence = Map.groupBy?.(all, ({ licence }) => licence) ?? all.reduce((map, one) => map.set(one.licence, [...(map.get(one.licence) ?? []), one]), new Map());
for (const [licence, some] of [...byLicence].sort()) console.log(`  ${licence || "unknown"}: ${some.length}`);
let failed = false;
for (const { name, version, licence } of all)
  if (!accepted(licence)) {
    failed = true;
    console.log(`not accepted: ${name} ${version}, ${licence || "no licence that is known"}`);
  }

const check = spawnSync("go", ["run", GOVULNCHECK, "./cmd/saldo"], { cwd: root, encoding: "utf8" });
console.log(check.stdout.trim());
if (check.status !== 0) {
  failed = true;
  if (!check.stdout.includes("Vulnerability #"))
    console.log(`known weaknesses were NOT looked up: ${check.stderr.trim().split("\n").slice(-3).join(" ")}`);
}
process.exit(failed ? 1 : 0);
