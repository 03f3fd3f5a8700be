import { withTextsOf } from ".";

/** From here on every language shown has the texts about drivers' documents too; resolves when the one on screen has them. */
export const withDocumentTexts = () =>
  withTextsOf("papers", {
    pl: () => import("./pl/papers"),
    en: () => import("./en/papers"),
    de: () => import("./de/papers"),
    uk: () => import("./uk/papers"),
    ru: () => import("./ru/papers"),
  });
