import sms from "../../../../locales/de/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { sms };
export const texts: Complete<SMSTexts, typeof found, "de"> = found;
