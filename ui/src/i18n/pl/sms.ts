import connections from "../../../../locales/pl/connections.json";
import people from "../../../../locales/pl/people.json";
import sms from "../../../../locales/pl/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { connections, people, sms };
export const texts: Complete<SMSTexts, typeof found, "pl"> = found;
