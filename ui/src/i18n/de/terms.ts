import type { terms as english } from "../en/terms";
import type { Words } from "../words";

export const terms: Words<typeof english, "de"> = {
  lead: "Bitte lesen und akzeptieren Sie die Nutzungsbedingungen, um fortzufahren.",
  declaration: "Ich habe die Nutzungsbedingungen gelesen und akzeptiere sie im Namen meines Unternehmens.",
  accept: "Bedingungen akzeptieren",
  notAccepted: "Die Bedingungen wurden nicht akzeptiert.",
};
