import faults from "../../../../locales/de/faults.json";
import fields from "../../../../locales/de/fields.json";
import questions from "../../../../locales/de/questions.json";
import signIn from "../../../../locales/de/sign-in.json";
import type { Complete, FurtherTexts } from "../words";
import { explain } from "./explain";

const found = { explain, faults, fields, questions, signIn };
export const texts: Complete<FurtherTexts, typeof found, "de"> = found;
