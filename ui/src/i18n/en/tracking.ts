import tracking from "../../../../locales/en/tracking.json";
import type { Complete, TrackingTexts } from "../words";

const found = { tracking };
export const texts: Complete<TrackingTexts, typeof found, "en"> = found;
