import { withTextsOf } from ".";

/** From here on every language shown has the texts about schemas too; resolves when the one on screen has them. */
export const withSchemaTexts = () =>
  withTextsOf("schemas", {
    pl: () => import("./pl/schemas"),
    en: () => import("./en/schemas"),
    de: () => import("./de/schemas"),
    uk: () => import("./uk/schemas"),
    ru: () => import("./ru/schemas"),
  });
