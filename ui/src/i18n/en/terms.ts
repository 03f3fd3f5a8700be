export const terms = {
  lead: "Please read the terms and accept them to go on.",
  declaration: "I have read the terms and accept them on behalf of my company.",
  accept: "Accept the terms",
  notAccepted: "The terms were not accepted.",
};
