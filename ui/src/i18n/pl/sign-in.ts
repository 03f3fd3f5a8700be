import type { signIn as english } from "../en/sign-in";
import type { Words } from "../words";

export const signIn: Words<typeof english, "pl"> = {
  title: "Logowanie",
  welcome: "Dzień dobry",
  lead: "Zaloguj się, żeby zobaczyć rozliczenia i wypłaty.",
  submit: "Zaloguj się",
  expired: "Sesja wygasła. Zaloguj się ponownie, a wrócisz w to samo miejsce.",
  failed: "Logowanie się nie powiodło. Sprawdź adres i hasło i spróbuj jeszcze raz.",
  closed: "Konto zostało usunięte.",
  new: "Pierwszy raz?",
  register: "Załóż konto kierowcy",
  languages: "Język",
  promise: "Ile, kiedy i dlaczego.",
  promisePlace: "Na jednym ekranie.",
  sample: "Przykład",
  payable: "Do wypłaty",
  when: "na koncie jutro",
  rides: "Przejazdy z aplikacji",
  cash: "Gotówka, którą masz",
  fees: "Opłata i paliwo",
};
