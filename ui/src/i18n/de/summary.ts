import type { summary as english } from "../en/summary";
import type { Words } from "../words";

export const summary: Words<typeof english, "de"> = {
  title: "Abrechnung {{days}}",
  of: "{{name}}, Abrechnung {{days}}",
  settled: "Abgerechnet am {{day}}",
  paid: "Ausgezahlt am {{day}}",
  lines: "Wie der Betrag entstanden ist",
  toPayIn: "Auszahlung, {{currency}}",
  debtIn: "Schuld, {{currency}}",
  debtNote: "Es wird nichts ausgezahlt. Die Schuld geht auf den nächsten Zeitraum über.",
  logIn: "Anmelden für Details und Rechnungen",
  until: "Der Link gilt bis {{day}}. Jeder, der ihn hat, sieht diese Seite; geben Sie ihn nicht weiter.",
  phone: "{{name}}, Tel. {{phone}}",
  runs: "Läuft mit Saldo",
  language: "Sprache",
  loading: "Die Abrechnung wird geladen",
  invalidTitle: "Dieser Link gilt nicht mehr",
  invalidBody:
    "Er ist abgelaufen, oder die Abrechnung wurde zurückgenommen. Bitten Sie Ihren Partner um einen neuen Link oder melden Sie sich an, um Ihre Abrechnungen zu sehen.",
  enter: "Anmelden",
  failedTitle: "Die Abrechnung lässt sich gerade nicht zeigen",
  failedBody: "Prüfen Sie die Verbindung und versuchen Sie es erneut. Der Link gilt weiter.",
  waitBody: "Es waren zu viele Versuche. Warten Sie eine Minute und versuchen Sie es erneut.",
  again: "Erneut versuchen",
};
