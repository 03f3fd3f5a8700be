import faults from "../../../../locales/en/faults.json";
import fields from "../../../../locales/en/fields.json";
import questions from "../../../../locales/en/questions.json";
import signIn from "../../../../locales/en/sign-in.json";
import type { Complete, FurtherTexts } from "../words";
import { explain } from "./explain";

const found = { explain, faults, fields, questions, signIn };
export const texts: Complete<FurtherTexts, typeof found, "en"> = found;
