import own from "../../../../locales/pl/explain.json";
import statement from "../../../../locales/pl/statement.json";
import types from "../../../../locales/pl/types.json";

export const explain = { ...statement, ...own, ...types };
