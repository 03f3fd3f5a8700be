// The rules of oxlint that only Saldo has.
import { dirname, relative, resolve, sep } from "node:path";

const src = resolve(import.meta.dirname, "..", "src");

// Lowest first: a layer may use itself and those before it. What partners see and what drivers see are siblings, and so are
// their features. Ant Design is for partners alone: it is as large as all that a driver's first screen needs.
const layers = {
  format: 0,
  browser: 0,
  i18n: 0,
  api: 0,
  components: 1,
  device: 1,
  charts: 2,
  session: 2,
  explain: 3,
  contracts: 3,
  "driver-documents": 3,
  fuel: 3,
  invoices: 3,
  reports: 3,
  stats: 3,
  tracking: 3,
  waiting: 3,
  kit: 4,
  partner: 5,
  driver: 5,
  link: 5,
  shell: 6,
};
const withAntDesign = new Set(["kit", "partner"]);

/** Where a file lives: its folder under src and, where that holds features, which one. */
const place = (file) => {
  const [layer, feature, inside] = relative(src, file).split(sep);
  return { layer, feature: (layer === "partner" || layer === "driver") && inside ? feature : undefined };
};

const imports = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const from = place(context.filename);
    const check = (node) => {
      const path = node.source?.value;
      if (typeof path !== "string") return;
      if (
        /^antd($|\/)/.test(path) &&
        from.layer in layers &&
        !withAntDesign.has(from.layer) &&
        !path.startsWith("antd/es/locale") &&
        node.importKind !== "type"
      )
        context.report({ node, message: `${from.layer} must do without Ant Design: drivers load it.` });
      if (!path.startsWith(".")) return;
      const to = place(resolve(dirname(context.filename), path));
      if (from.feature && to.feature && from.feature !== to.feature)
        context.report({ node, message: `Feature ${from.feature} must not know feature ${to.feature}.` });
      const siblings = layers[from.layer] === 5 && layers[to.layer] === 5 && from.layer !== to.layer;
      if (layers[from.layer] < layers[to.layer] || siblings)
        context.report({ node, message: `${from.layer} must not know ${to.layer}.` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

const SPOKEN = "/^(title|alt|label|placeholder|aria-label|aria-description|aria-valuetext|aria-roledescription)$/";

const texts = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const report = (node) => context.report({ node, message: 'Texts come from locales: write t("…").' });
    return {
      "JSXText[value=/\\p{L}/u]": report,
      [`JSXAttribute[name.name=${SPOKEN}] > Literal[value=/\\p{L}/u]`]: report,
      [`JSXAttribute[name.name=${SPOKEN}] TemplateElement[value.raw=/\\p{L}/u]`]: report,
      "JSXElement > JSXExpressionContainer > Literal[value=/\\p{L}/u]": report,
      "JSXElement > JSXExpressionContainer > TemplateLiteral": report,
    };
  },
};

// A variable of an enum takes any number that is not written out, so there are none.
const enums = {
  meta: { type: "problem", schema: [] },
  create: (context) => ({
    TSEnumDeclaration: (node) => context.report({ node, message: "Write a union of strings instead of an enum." }),
  }),
};

export default { meta: { name: "saldo" }, rules: { imports, texts, enums } };
