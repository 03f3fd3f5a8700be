import antd from "antd/es/locale/de_DE";
import { accounts } from "./accounts";
import { common } from "./common";
import { explain } from "./explain";
import { faults, fields } from "./faults";
import { frame } from "./frame";
import { signIn } from "./sign-in";

export const texts = {
  accounts,
  common,
  explain,
  faults,
  fields,
  frame,
  signIn,
};
export { antd };
