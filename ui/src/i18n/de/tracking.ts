import tracking from "../../../../locales/de/tracking.json";
import type { Complete, TrackingTexts } from "../words";

const found = { tracking };
export const texts: Complete<TrackingTexts, typeof found, "de"> = found;
