import accounts from "../../../../locales/uk/accounts.json";
import common from "../../../../locales/uk/common.json";
import faults from "../../../../locales/uk/faults.json";
import fields from "../../../../locales/uk/fields.json";
import frame from "../../../../locales/uk/frame.json";
import signIn from "../../../../locales/uk/sign-in.json";
import type { Complete, Texts } from "../words";
import { explain } from "./explain";

const found = { accounts, common, explain, faults, fields, frame, signIn };
export const texts: Complete<Texts, typeof found, "uk"> = found;
