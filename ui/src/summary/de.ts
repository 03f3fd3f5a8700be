export { explain } from "../i18n/de/explain";
export { summary } from "../i18n/de/summary";
