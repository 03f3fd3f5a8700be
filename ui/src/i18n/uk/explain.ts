import own from "../../../../locales/uk/explain.json";
import statement from "../../../../locales/uk/statement.json";
import types from "../../../../locales/uk/types.json";

export const explain = { ...statement, ...own, ...types };
