export { explain } from "../i18n/uk/explain";
export { summary } from "../i18n/uk/summary";
