import type { tags as english } from "../en/tags";
import type { Words } from "../words";

export const tags: Words<typeof english, "de"> = {
  title: "Etiketten",
  add: "Etikett hinzufügen",
  search: "Etiketten suchen",
  count_one: "{{count, number}} Etikett",
  count_other: "{{count, number}} Etiketten",
  matching: "{{count, number}} von {{total, number}}",
  caption: "Liste der Etiketten",
  name: "Name",
  createdAt: "Hinzugefügt",
  actions: "Aktionen",
  remove: "Löschen",
  removeNamed: "Etikett „{{name}}“ löschen",
  removed: "Etikett „{{name}}“ gelöscht",
  removeFailed: "Das Etikett „{{name}}“ wurde nicht gelöscht.",
  restoreFailed: "Das Etikett „{{name}}“ wurde nicht wiederhergestellt.",
  emptyTitle: "Noch keine Etiketten",
  emptyBody:
    "Kennzeichnen Sie damit Fahrer, zum Beispiel nach Stadt oder Vertrag, und finden Sie sie in jeder Liste wieder.",
  noMatchTitle: "Kein Etikett passt zu „{{query}}“",
  noMatchBody_one: "Ohne die Suche gibt es {{count, number}} Etikett.",
  noMatchBody_other: "Ohne die Suche gibt es {{count, number}} Etiketten.",
  clearSearch: "Suche löschen",
  loadFailed: "Die Etiketten konnten nicht geladen werden",
  loadFailedBody: "Es wurde nichts geändert.",
  addTitle: "Neues Etikett",
  addNote: "Ein Fahrer kann viele Etiketten haben.",
  addFailed: "Das Etikett wurde nicht hinzugefügt.",
  nameHelp: "1 bis 50 Zeichen",
};
