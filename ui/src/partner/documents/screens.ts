import { withBillingTexts } from "../../i18n/billing";

/** The list, with the texts that it needs. */
export const list = async () => (await Promise.all([import("./documents-page"), withBillingTexts()]))[0];
