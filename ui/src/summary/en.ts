export { explain } from "../i18n/en/explain";
export { summary } from "../i18n/en/summary";
