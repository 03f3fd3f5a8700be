import people from "../../../../locales/de/people.json";
import sms from "../../../../locales/de/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { people, sms };
export const texts: Complete<SMSTexts, typeof found, "de"> = found;
