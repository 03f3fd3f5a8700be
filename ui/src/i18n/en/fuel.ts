import charts from "../../../../locales/en/charts.json";
import fuel from "../../../../locales/en/fuel.json";
import type { Complete, FuelTexts } from "../words";

const found = { charts, fuel };
export const texts: Complete<FuelTexts, typeof found, "en"> = found;
