import faults from "../../../../locales/uk/faults.json";
import fields from "../../../../locales/uk/fields.json";
import questions from "../../../../locales/uk/questions.json";
import signIn from "../../../../locales/uk/sign-in.json";
import type { Complete, FurtherTexts } from "../words";
import { explain } from "./explain";

const found = { explain, faults, fields, questions, signIn };
export const texts: Complete<FurtherTexts, typeof found, "uk"> = found;
