import own from "../../../../locales/ru/explain.json";
import statement from "../../../../locales/ru/statement.json";
import types from "../../../../locales/ru/types.json";

export const explain = { ...statement, ...own, ...types };
