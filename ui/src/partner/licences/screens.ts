import { withLicenceTexts } from "../../i18n/licences";

/** Everything about licences, with the texts that it needs. */
export const page = async () => (await Promise.all([import("./pages"), withLicenceTexts()]))[0];
