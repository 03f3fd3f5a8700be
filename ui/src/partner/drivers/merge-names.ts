/** What each field of a merge is called; what is not here follows by itself and needs no words. */
const names = {
  firstName: "drivers:firstName",
  lastName: "drivers:lastName",
  email: "drivers:email",
  phone: "drivers:phone",
  iban: "drivers:iban",
  taxId: "drivers:taxId",
  schemaNumber: "merge:schemaNumber",
  contractNumber: "drivers:contractNumber",
  passportName: "drivers:passportName",
  summaryLanguage: "drivers:summaryLanguage",
  settlementFrequency: "drivers:settlementFrequency",
  smallBusiness: "drivers:smallBusiness",
  bailiffSeizure: "drivers:bailiffSeizure",
  blocked: "drivers:blocked",
  active: "drivers:active",
  linked: "merge:linked",
} as const;

export const mergeNames: Partial<Record<string, (typeof names)[keyof typeof names]>> = names;
