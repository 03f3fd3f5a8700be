import tracking from "../../../../locales/uk/tracking.json";
import type { Complete, TrackingTexts } from "../words";

const found = { tracking };
export const texts: Complete<TrackingTexts, typeof found, "uk"> = found;
