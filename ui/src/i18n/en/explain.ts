import own from "../../../../locales/en/explain.json";
import statement from "../../../../locales/en/statement.json";
import types from "../../../../locales/en/types.json";

export const explain = { ...statement, ...own, ...types };
