import connections from "../../../../locales/ru/connections.json";
import people from "../../../../locales/ru/people.json";
import sms from "../../../../locales/ru/sms.json";
import type { Complete, SMSTexts } from "../words";

const found = { connections, people, sms };
export const texts: Complete<SMSTexts, typeof found, "ru"> = found;
