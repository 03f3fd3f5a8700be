import { withTextsOf } from ".";

/** From here on every language shown has the texts about merging drivers too; resolves when the one on screen has them. */
export const withMergeTexts = () =>
  withTextsOf("merge", {
    pl: () => import("./pl/merge"),
    en: () => import("./en/merge"),
    de: () => import("./de/merge"),
    uk: () => import("./uk/merge"),
    ru: () => import("./ru/merge"),
  });
