import charts from "../../../../locales/ru/charts.json";
import fuel from "../../../../locales/ru/fuel.json";
import type { Complete, FuelTexts } from "../words";

const found = { charts, fuel };
export const texts: Complete<FuelTexts, typeof found, "ru"> = found;
