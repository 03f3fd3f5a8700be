// Ant Design is for partners' people: a driver's phone never loads it.
export { Kit } from "../kit/kit";
export { partnerScreens } from "./partner-screens";
// A partner's first screen has the menu beside it.
export * from "./wide";
