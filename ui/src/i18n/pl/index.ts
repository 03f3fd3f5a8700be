import accounts from "../../../../locales/pl/accounts.json";
import common from "../../../../locales/pl/common.json";
import faults from "../../../../locales/pl/faults.json";
import fields from "../../../../locales/pl/fields.json";
import frame from "../../../../locales/pl/frame.json";
import signIn from "../../../../locales/pl/sign-in.json";
import type { Complete, Texts } from "../words";
import { explain } from "./explain";

const found = { accounts, common, explain, faults, fields, frame, signIn };
export const texts: Complete<Texts, typeof found, "pl"> = found;
