import accounts from "../../../../locales/en/accounts.json";
import board from "../../../../locales/en/board.json";
import faults from "../../../../locales/en/faults.json";
import fields from "../../../../locales/en/fields.json";
import questions from "../../../../locales/en/questions.json";
import signIn from "../../../../locales/en/sign-in.json";
import type { Complete, FurtherTexts } from "../words";
import { explain } from "./explain";

const found = { accounts, board, explain, faults, fields, questions, signIn };
export const texts: Complete<FurtherTexts, typeof found, "en"> = found;
