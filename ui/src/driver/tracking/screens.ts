import { withTrackingTexts } from "../../i18n/tracking";

/** The trips of a driver, with the texts that they need. */
export const trips = async () => (await Promise.all([import("./trips-page"), withTrackingTexts()]))[0];

/** One trip, or a new one. */
export const trip = async () => (await Promise.all([import("./trip-page"), withTrackingTexts()]))[0];

/** The working time of a driver. */
export const times = async () => (await Promise.all([import("./times-page"), withTrackingTexts()]))[0];

/** One stretch of working time, or a new one. */
export const time = async () => (await Promise.all([import("./time-page"), withTrackingTexts()]))[0];

/** What is said above every screen of what waits on this device. */
export const line = async () => (await Promise.all([import("./line"), withTrackingTexts()]))[0];

/** The question before somebody signs out who has something waiting. */
export const leave = async () => (await Promise.all([import("./leave"), withTrackingTexts()]))[0];

/** What stands in the place of a screen that needs a line. */
export const needsLine = async () => (await Promise.all([import("./needs-line"), withTrackingTexts()]))[0];
