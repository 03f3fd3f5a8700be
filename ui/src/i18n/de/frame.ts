import type { frame as english } from "../en/frame";
import type { Words } from "../words";

export const frame: Words<typeof english, "de"> = {
  mainMenu: "Hauptmenü",
  openMenu: "Menü öffnen",
  closeMenu: "Menü schließen",
  tabs: "Geöffnete Seiten",
  tabsAll_one: "{{count}} geöffnete Seite",
  tabsAll_other: "{{count}} geöffnete Seiten",
  closeTab: "Schließen: {{title}}",
  remaining_one: "Noch <b>{{count, number}}</b> Abrechnung",
  remaining_other: "Noch <b>{{count, number}}</b> Abrechnungen",
  remainingLabel_one: "Noch {{count, number}} Abrechnung",
  remainingLabel_other: "Noch {{count, number}} Abrechnungen",
  greeting: "Guten Tag, {{name}}",
  greetingLeft_one: "Ihre Lizenz umfasst noch {{count, number}} Abrechnung.",
  greetingLeft_other: "Ihre Lizenz umfasst noch {{count, number}} Abrechnungen.",
  greetingNone: "Ihre Lizenz ist aufgebraucht. Bis Sie sie verlängern, kann nichts abgerechnet werden.",
  account: "Konto: {{name}}, {{partner}}",
  language: "Sprache",
  appearance: "Darstellung",
  light: "Hell",
  dark: "Dunkel",
  system: "System",
  keyboard: "Tastatur",
  shortcuts: "Kürzel mit einer Taste",
  signOut: "Abmelden",
};
