import { withTextsOf } from ".";

/** From here on every language shown has the texts about SMS too; resolves when the one on screen has them. */
export const withSMSTexts = () =>
  withTextsOf("sms", {
    pl: () => import("./pl/sms"),
    en: () => import("./en/sms"),
    de: () => import("./de/sms"),
    uk: () => import("./uk/sms"),
    ru: () => import("./ru/sms"),
  });
