import { withLicenceTexts } from "../../i18n/licences";

/** Packages to buy, with the texts that they need. */
export const purchase = async () => (await Promise.all([import("./purchase-page"), withLicenceTexts()]))[0];

/** What became of a payment. */
export const payment = async () => (await Promise.all([import("./payment-page"), withLicenceTexts()]))[0];

/** What was bought. */
export const history = async () => (await Promise.all([import("./history-page"), withLicenceTexts()]))[0];
