import { withTextsOf } from ".";

/** From here on every language shown has the texts about files and what is in them too; resolves when the one on screen has them. */
export const withImportTexts = () =>
  withTextsOf("imports", {
    pl: () => import("./pl/imports"),
    en: () => import("./en/imports"),
    de: () => import("./de/imports"),
    uk: () => import("./uk/imports"),
    ru: () => import("./ru/imports"),
  });
