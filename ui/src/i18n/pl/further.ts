import faults from "../../../../locales/pl/faults.json";
import fields from "../../../../locales/pl/fields.json";
import questions from "../../../../locales/pl/questions.json";
import signIn from "../../../../locales/pl/sign-in.json";
import type { Complete, FurtherTexts } from "../words";
import { explain } from "./explain";

const found = { explain, faults, fields, questions, signIn };
export const texts: Complete<FurtherTexts, typeof found, "pl"> = found;
