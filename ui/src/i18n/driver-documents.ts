import { withTextsOf } from ".";

/** From here on every language shown has the texts about drivers' documents too; resolves when the one on screen has them. */
export const withDocumentTexts = () =>
  withTextsOf("driverDocuments", {
    pl: () => import("./pl/driver-documents"),
    en: () => import("./en/driver-documents"),
    de: () => import("./de/driver-documents"),
    uk: () => import("./uk/driver-documents"),
    ru: () => import("./ru/driver-documents"),
  });
