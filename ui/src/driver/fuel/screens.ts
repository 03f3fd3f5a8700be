import { withFuelTexts } from "../../i18n/fuel";

/** A driver's fuel cards, with the texts that they need. */
export const page = async () => (await Promise.all([import("./fuel-page"), withFuelTexts()]))[0];
