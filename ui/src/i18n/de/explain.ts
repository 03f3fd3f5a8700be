import own from "../../../../locales/de/explain.json";
import statement from "../../../../locales/de/statement.json";
import types from "../../../../locales/de/types.json";

export const explain = { ...statement, ...own, ...types };
