import charts from "../../../../locales/pl/charts.json";
import fuel from "../../../../locales/pl/fuel.json";
import type { Complete, FuelTexts } from "../words";

const found = { charts, fuel };
export const texts: Complete<FuelTexts, typeof found, "pl"> = found;
