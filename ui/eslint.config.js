import { dirname, relative, resolve, sep } from "node:path";
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const src = resolve(import.meta.dirname, "src");

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

const LITERAL = 'Texts come from src/i18n: write t("…").';
const SPOKEN = "/^(title|alt|label|placeholder|aria-label|aria-description|aria-valuetext|aria-roledescription)$/";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "test-results", "src/api/schema.d.ts"] },
  {
    files: ["src/**/*.{ts,tsx}", "e2e/**/*.ts", "vite.config.ts"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    plugins: { saldo: { rules: { imports } } },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "saldo/imports": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "JSXText[value=/\\p{L}/u]", message: LITERAL },
        { selector: `JSXAttribute[name.name=${SPOKEN}] > Literal[value=/\\p{L}/u]`, message: LITERAL },
        { selector: `JSXAttribute[name.name=${SPOKEN}] TemplateElement[value.raw=/\\p{L}/u]`, message: LITERAL },
        { selector: "JSXElement > JSXExpressionContainer > Literal[value=/\\p{L}/u]", message: LITERAL },
        { selector: "JSXElement > JSXExpressionContainer > TemplateLiteral", message: LITERAL },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  { files: ["src/**/*.{ts,tsx}"], extends: [hooks.configs.flat.recommended] },
  { files: ["src/**/*.test.{ts,tsx}", "e2e/**/*.ts"], rules: { "no-restricted-syntax": "off" } },
);
