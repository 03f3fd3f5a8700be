export { explain } from "../i18n/ru/explain";
export { summary } from "../i18n/ru/summary";
