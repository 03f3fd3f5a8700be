import connections from "../../../../locales/uk/connections.json";
import people from "../../../../locales/uk/people.json";
import sms from "../../../../locales/uk/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { connections, people, sms };
export const texts: Complete<SMSTexts, typeof found, "uk"> = found;
