import connections from "../../../../locales/en/connections.json";
import people from "../../../../locales/en/people.json";
import sms from "../../../../locales/en/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { connections, people, sms };
export const texts: Complete<SMSTexts, typeof found, "en"> = found;
