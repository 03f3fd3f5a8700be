import accounts from "../../../../locales/en/accounts.json";
import common from "../../../../locales/en/common.json";
import faults from "../../../../locales/en/faults.json";
import fields from "../../../../locales/en/fields.json";
import frame from "../../../../locales/en/frame.json";
import signIn from "../../../../locales/en/sign-in.json";
import type { Complete, Texts } from "../words";
import { explain } from "./explain";

const found = { accounts, common, explain, faults, fields, frame, signIn };
export const texts: Complete<Texts, typeof found, "en"> = found;
