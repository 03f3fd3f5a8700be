import { withContractTexts } from "../../i18n/contract-list";

/** Everything about contracts, with the texts that it needs. */
export const page = async () => (await Promise.all([import("./contracts-page"), withContractTexts()]))[0];
