import connections from "../../../../locales/de/connections.json";
import people from "../../../../locales/de/people.json";
import sms from "../../../../locales/de/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { connections, people, sms };
export const texts: Complete<SMSTexts, typeof found, "de"> = found;
