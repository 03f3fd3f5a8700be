import type { signIn as english } from "../en/sign-in";
import type { Words } from "../words";

export const signIn: Words<typeof english, "de"> = {
  title: "Anmeldung",
  welcome: "Guten Tag",
  lead: "Öffnen Sie den Anmeldelink Ihres Betreibers oder fügen Sie den Code hier ein.",
  code: "Anmeldecode",
  submit: "Anmelden",
  working: "Anmeldung läuft …",
  expired: "Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an, dann sind Sie wieder an derselben Stelle.",
  failed: "Die Anmeldung ist fehlgeschlagen.",
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
