import type { signIn as english } from "../en/sign-in";
import type { Words } from "../words";

export const signIn: Words<typeof english, "de"> = {
  title: "Anmeldung",
  welcome: "Guten Tag",
  lead: "Melden Sie sich an, um Abrechnungen und Auszahlungen zu sehen.",
  submit: "Anmelden",
  expired: "Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an, dann sind Sie wieder an derselben Stelle.",
  failed: "Die Anmeldung ist fehlgeschlagen. Prüfen Sie Adresse und Passwort und versuchen Sie es noch einmal.",
  closed: "Das Konto wurde gelöscht.",
  new: "Zum ersten Mal hier?",
  register: "Fahrerkonto anlegen",
  languages: "Sprache",
  promise: "Wie viel, wann und warum.",
  promisePlace: "Auf einen Blick.",
  sample: "Beispiel",
  payable: "Auszahlung",
  when: "morgen auf dem Konto",
  rides: "Fahrten aus den Apps",
  cash: "Bargeld bei Ihnen",
  fees: "Gebühr und Kraftstoff",
};
