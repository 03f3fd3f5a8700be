// Fails when something in src is used by nobody: a file, an export, a class of a stylesheet, a text.
// Tests do not count as use.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "..");
const repository = resolve(root, "..");
const config = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  root,
);
const src = join(root, "src");
const testing = join(src, "testing");
const isTest = (path) => /\.test\.tsx?$/.test(path) || path.startsWith(testing);
const files = config.fileNames.filter((path) => path.startsWith(src) && !path.endsWith(".d.ts"));
// The twin of the Go package of the same name is kept whole: the tests of both read the same vectors. No form asks for
// a PESEL or a REGON yet.
const isTwin = (path) => path === join(src, "format", "official", "polish.ts");
const code = files.filter((path) => !isTest(path) && !isTwin(path));
// Each part of a language is loaded by name as a whole, so what it exports is used together.
const isLanguage = (path) =>
  /\/(i18n\/\w+\/(index|further|of-drivers|of-partners|sms|invoices|driver-documents|billing|purchases|imports|contract-list|contract-wizard|tracking|licences|schemas|stats|fuel|merge|reports)|link\/(verify\/)?\w\w)\.ts$/.test(
    path,
  );
const found = [];
const name = (path) => relative(root, path);

const host = {
  ...ts.sys,
  getScriptFileNames: () => config.fileNames,
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const text = ts.sys.readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  // Who names an export is seen without the libraries and the browser's types, whose reading is most of the work.
  getCompilationSettings: () => ({ ...config.options, lib: ["lib.es2023.d.ts"], types: [] }),
  resolveModuleNameLiterals: (literals, path, _, options) =>
    literals.map(({ text }) =>
      text.startsWith(".") ? ts.resolveModuleName(text, path, options, ts.sys) : { resolvedModule: undefined },
    ),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
};
const service = ts.createLanguageService(host);
const program = service.getProgram();
const checker = program.getTypeChecker();

// Files: everything that the three entries reach, lazily or not.
const reached = new Set();
const queue = [join(src, "main.tsx"), join(src, "link", "main.tsx"), join(src, "link", "verify", "main.tsx")];
while (queue.length > 0) {
  const path = queue.pop();
  if (reached.has(path)) continue;
  reached.add(path);
  if (!/\.tsx?$/.test(path)) continue;
  for (const { fileName } of ts.preProcessFile(readFileSync(path, "utf8")).importedFiles) {
    if (!fileName.startsWith(".")) continue;
    if (fileName.endsWith(".css")) queue.push(resolve(dirname(path), fileName));
    const target = ts.resolveModuleName(fileName, path, config.options, ts.sys).resolvedModule?.resolvedFileName;
    if (target) queue.push(resolve(target));
  }
}
const sheets = readdirSync(src, { recursive: true }).filter((path) => path.endsWith(".css"));
for (const path of [...code, ...sheets.map((sheet) => join(src, sheet))])
  if (!reached.has(path)) found.push(`${name(path)}: nothing imports this file`);

// Most exports are imported by name, which is seen without asking what each name in every file means.
const imported = new Set();
for (const path of code) {
  for (const { moduleSpecifier, importClause, exportClause } of program.getSourceFile(path).statements) {
    if (!moduleSpecifier?.text.startsWith(".")) continue;
    const target = ts.resolveModuleName(moduleSpecifier.text, path, config.options, ts.sys).resolvedModule;
    const names = (importClause?.namedBindings ?? exportClause)?.elements ?? [];
    if (target)
      for (const { propertyName, name } of names)
        imported.add(`${target.resolvedFileName} ${(propertyName ?? name).text}`);
  }
}

// Exports: each is used in another file, or needed by a lazy import or by a reader of its types.
for (const path of code.filter((file) => !isLanguage(file))) {
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(path));
  for (const exported of symbol ? checker.getExportsOfModule(symbol) : []) {
    const declaration = exported.declarations?.find((node) => node.getSourceFile().fileName === path);
    if (exported.name === "default" || !declaration || imported.has(`${path} ${exported.name}`)) continue;
    const at = (ts.getNameOfDeclaration(declaration) ?? declaration).getStart();
    const uses = service.findReferences(path, at)?.flatMap(({ references }) => references) ?? [];
    const elsewhere = uses.some(({ fileName }) => fileName !== path && !isTest(fileName));
    // A test may look at an inner part, as long as that part is at work in its own file.
    const tested = uses.some(({ fileName }) => isTest(fileName));
    const here = uses.filter(({ fileName }) => fileName === path).length > 1;
    if (!elsewhere && !(tested && here)) found.push(`${name(path)}: export ${exported.name} is used nowhere else`);
  }
}

// Classes of stylesheets and keys of texts: each stands somewhere in the code. A name may be built from a
// stem (status-tag-${tone}), so a stem that ends in a template's hole counts for all that begin with it.
const text = code
  .filter((path) => !path.includes("/i18n/"))
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");
// The server draws some pages by itself, with the same stylesheets.
const drawn = readdirSync(join(repository, "internal"), { recursive: true })
  .filter((path) => path.endsWith(".html"))
  .map((path) => readFileSync(join(repository, "internal", path), "utf8"))
  .join("\n");
const all = (pattern, within) => new Set([...within.matchAll(pattern)].map(([, found]) => found));
const classes = all(/[\s"'`]([a-z][\w-]*)(?=[\s"'`$])/g, text + drawn);
const ofModules = all(/styles\.([a-z]\w*)/g, text);
const stems = [...text.matchAll(/([a-z][a-z0-9-]*-)\$\{/g)].map(([, stem]) => stem);
for (const sheet of sheets) {
  const css = readFileSync(join(src, sheet), "utf8");
  for (const [, cls] of new Set(
    [...css.replaceAll(/url\([^)]*\)/g, "").matchAll(/\.([a-z][\w-]*)/g)].map((match) => match),
  ))
    if (!cls.startsWith("ant-") && cls !== "woff2" && cls !== "active")
      if (!classes.has(cls) && !ofModules.has(cls) && !stems.some((stem) => cls.startsWith(stem)))
        found.push(`src/${sheet}: class ${cls} is used nowhere`);
}
const keys = all(/["':]([\w.-]+)(?=["'])/g, text);
const keyStems = [...text.matchAll(/[`:](\w+[_.])\$\{/g)].map(([, stem]) => stem);
// The server names a text of a file that it shares with the web application by file and key.
const sources = ["cmd", "internal"].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true })
    .filter((path) => /(?<!_test)\.go$|\.html$/.test(path))
    .map((path) => readFileSync(join(repository, folder, path), "utf8")),
);
const byServer = sources.flatMap((source) => source.match(/"[a-z-]+:[\w.]+"/g) ?? []).map((key) => key.slice(1, -1));
const english = join(repository, "locales", "en");
for (const file of readdirSync(english).filter((path) => reached.has(join(english, path)))) {
  if (/^(faults|fields|network)\./.test(file)) continue; // the contract says which there are
  for (const key of Object.keys(JSON.parse(readFileSync(join(english, file), "utf8")))) {
    if (file === "common.json" && key === "noScript") continue; // vite.config.ts writes it into the page
    const stem = key.replace(/_(one|other)$/, "");
    const named = `${file.replace(".json", "")}:${stem}`;
    const used =
      keys.has(stem) ||
      keyStems.some((known) => key.startsWith(known)) ||
      byServer.some((known) => known === named || (known.endsWith("_") && named.startsWith(known)));
    if (!used) found.push(`locales/*/${file}: text ${key} is used nowhere`);
  }
}

for (const line of new Set(found)) console.error(line);
process.exit(found.length > 0 ? 1 : 0);
