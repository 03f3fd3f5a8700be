import tracking from "../../../../locales/pl/tracking.json";
import type { Complete, TrackingTexts } from "../words";

const found = { tracking };
export const texts: Complete<TrackingTexts, typeof found, "pl"> = found;
