import accounts from "../../../../locales/uk/accounts.json";
import board from "../../../../locales/uk/board.json";
import faults from "../../../../locales/uk/faults.json";
import fields from "../../../../locales/uk/fields.json";
import questions from "../../../../locales/uk/questions.json";
import signIn from "../../../../locales/uk/sign-in.json";
import type { Complete, FurtherTexts } from "../words";
import { explain } from "./explain";

const found = { accounts, board, explain, faults, fields, questions, signIn };
export const texts: Complete<FurtherTexts, typeof found, "uk"> = found;
