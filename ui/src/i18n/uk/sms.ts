import sms from "../../../../locales/uk/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { sms };
export const texts: Complete<SMSTexts, typeof found, "uk"> = found;
