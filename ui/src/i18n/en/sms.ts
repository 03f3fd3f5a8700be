import sms from "../../../../locales/en/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { sms };
export const texts: Complete<SMSTexts, typeof found, "en"> = found;
