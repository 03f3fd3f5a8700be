import accounts from "../../../../locales/de/accounts.json";
import common from "../../../../locales/de/common.json";
import faults from "../../../../locales/de/faults.json";
import fields from "../../../../locales/de/fields.json";
import frame from "../../../../locales/de/frame.json";
import signIn from "../../../../locales/de/sign-in.json";
import type { Complete, Texts } from "../words";
import { explain } from "./explain";

const found = { accounts, common, explain, faults, fields, frame, signIn };
export const texts: Complete<Texts, typeof found, "de"> = found;
