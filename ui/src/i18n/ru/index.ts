import accounts from "../../../../locales/ru/accounts.json";
import common from "../../../../locales/ru/common.json";
import faults from "../../../../locales/ru/faults.json";
import fields from "../../../../locales/ru/fields.json";
import frame from "../../../../locales/ru/frame.json";
import signIn from "../../../../locales/ru/sign-in.json";
import type { Complete, Texts } from "../words";
import { explain } from "./explain";

const found = { accounts, common, explain, faults, fields, frame, signIn };
export const texts: Complete<Texts, typeof found, "ru"> = found;
