import tracking from "../../../../locales/ru/tracking.json";
import type { Complete, TrackingTexts } from "../words";

const found = { tracking };
export const texts: Complete<TrackingTexts, typeof found, "ru"> = found;
