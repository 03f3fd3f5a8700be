import { withSchemaTexts } from "../../i18n/schemas";

/** The list, with the texts that it needs. */
export const list = async () => (await Promise.all([import("./schemas-page"), withSchemaTexts()]))[0];
