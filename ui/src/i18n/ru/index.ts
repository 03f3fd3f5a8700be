import antd from "antd/es/locale/ru_RU";
import { accounts } from "./accounts";
import { common } from "./common";
import { faults, fields } from "./faults";
import { frame } from "./frame";
import { jobs } from "./jobs";
import { partner } from "./partner";
import { signIn } from "./sign-in";
import { tags } from "./tags";
import { terms } from "./terms";
import { transactions } from "./transactions";

export const texts = { accounts, common, faults, fields, frame, jobs, partner, signIn, tags, terms, transactions };
export { antd };
