import { withBillingTexts } from "../../i18n/billing";

/** Packs for the accountant, with the texts that they need. */
export const packs = async () => (await Promise.all([import("./packs-page"), withBillingTexts()]))[0];
