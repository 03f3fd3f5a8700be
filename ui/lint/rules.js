// The rules of oxlint that only Saldo has.
import { dirname, relative, resolve, sep } from "node:path";

const src = resolve(import.meta.dirname, "..", "src");

// Lowest first: a floor may use itself and those before it. Features are siblings and do not know each other.
const floors = { format: 0, browser: 0, i18n: 0, api: 0, components: 1, features: 2, app: 2, summary: 3 };

/** Where a file lives: its folder under src and, for a feature, which one. */
const place = (file) => {
  const [floor, feature] = relative(src, file).split(sep);
  return { floor, feature: floor === "features" ? feature : undefined };
};

const imports = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const from = place(context.filename);
    const check = (node) => {
      const path = node.source?.value;
      if (typeof path !== "string" || !path.startsWith(".")) return;
      const to = place(resolve(dirname(context.filename), path));
      if (from.feature && to.feature && from.feature !== to.feature)
        context.report({ node, message: `Feature ${from.feature} must not know feature ${to.feature}.` });
      if (floors[from.floor] < floors[to.floor])
        context.report({ node, message: `${from.floor} must not know ${to.floor}.` });
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
