import sms from "../../../../locales/ru/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { sms };
export const texts: Complete<SMSTexts, typeof found, "ru"> = found;
