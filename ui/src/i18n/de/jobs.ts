import type { jobs as english } from "../en/jobs";
import type { Words } from "../words";

export const jobs: Words<typeof english, "de"> = {
  title: "Hintergrundaufgaben",
  bell_one: "Hintergrundaufgaben, {{count}} fehlgeschlagen",
  bell_other: "Hintergrundaufgaben, {{count}} fehlgeschlagen",
  bellQuiet: "Hintergrundaufgaben",
  emptyTitle: "Im Hintergrund läuft nichts",
  emptyBody: "Hier erscheinen Versand, Importe und Dateien, die länger dauern.",
  loadFailed: "Die Aufgaben konnten nicht geladen werden",
  waiting: "Wartet",
  running: "Läuft",
  failed: "Fehlgeschlagen",
  done: "Fertig",
  progress: "{{done, number}} von {{total, number}}",
  retry: "Wiederholen",
  retryNamed: "Wiederholen: {{name}}",
  retryFailed: "Die Aufgabe wurde nicht neu gestartet.",
  kindMail: "E-Mail-Versand",
  kindOther: "Aufgabe",
  statusRunning_one: "{{count}} Hintergrundaufgabe läuft",
  statusRunning_other: "{{count}} Hintergrundaufgaben laufen",
  statusFailed_one: "{{count}} Hintergrundaufgabe ist fehlgeschlagen",
  statusFailed_other: "{{count}} Hintergrundaufgaben sind fehlgeschlagen",
};
