import charts from "../../../../locales/de/charts.json";
import fuel from "../../../../locales/de/fuel.json";
import type { Complete, FuelTexts } from "../words";

const found = { charts, fuel };
export const texts: Complete<FuelTexts, typeof found, "de"> = found;
