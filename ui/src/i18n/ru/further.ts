import faults from "../../../../locales/ru/faults.json";
import fields from "../../../../locales/ru/fields.json";
import questions from "../../../../locales/ru/questions.json";
import signIn from "../../../../locales/ru/sign-in.json";
import type { Complete, FurtherTexts } from "../words";
import { explain } from "./explain";

const found = { explain, faults, fields, questions, signIn };
export const texts: Complete<FurtherTexts, typeof found, "ru"> = found;
