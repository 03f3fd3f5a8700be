import antd from "antd/es/locale/ru_RU";
import { accounts } from "./accounts";
import { common } from "./common";
import { drivers } from "./drivers";
import { faults, fields } from "./faults";
import { frame } from "./frame";
import { imports } from "./imports";
import { jobs } from "./jobs";
import { merge } from "./merge";
import { partner } from "./partner";
import { profiles } from "./profiles";
import { schemas } from "./schemas";
import { signIn } from "./sign-in";
import { tags } from "./tags";
import { terms } from "./terms";
import { transactions } from "./transactions";

export const texts = {
  accounts,
  common,
  drivers,
  faults,
  fields,
  frame,
  imports,
  jobs,
  merge,
  partner,
  profiles,
  schemas,
  signIn,
  tags,
  terms,
  transactions,
};
export { antd };
