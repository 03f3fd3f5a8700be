import charts from "../../../../locales/uk/charts.json";
import fuel from "../../../../locales/uk/fuel.json";
import type { Complete, FuelTexts } from "../words";

const found = { charts, fuel };
export const texts: Complete<FuelTexts, typeof found, "uk"> = found;
