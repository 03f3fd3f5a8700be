export { explain } from "../i18n/pl/explain";
export { summary } from "../i18n/pl/summary";
