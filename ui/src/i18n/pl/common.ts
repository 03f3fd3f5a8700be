import type { common as english } from "../en/common";
import type { Words } from "../words";

export const common: Words<typeof english, "pl"> = {
  brand: "Saldo",
  documentTitle: "{{page}} · Saldo",
  skip: "Przejdź do treści",
  loading: "Wczytywanie…",
  retry: "Spróbuj ponownie",
  cancel: "Anuluj",
  clear: "Wyczyść",
  close: "Zamknij",
  back: "Wstecz",
  home: "Strona główna",
  undo: "Cofnij",
  reload: "Odśwież stronę",
  copyRequestId: "Kopiuj nr {{id}}",
  copied: "Skopiowano",
  notifications: "Powiadomienia",
  discardTitle: "Odrzucić wpisane dane?",
  discardBody: "Nie zostały jeszcze zapisane.",
  discard: "Odrzuć",
  keep: "Wróć do edycji",
  signInAgain: "Zaloguj się ponownie",
  signInFirst:
    "Chodzi o pieniądze i dostęp do nich, więc najpierw zaloguj się jeszcze raz. Potem wrócisz do tego okna.",
  draftRestored: "Zachowaliśmy to, co było wpisane przed końcem sesji. Nic jeszcze nie zapisano.",
  forbiddenTitle: "Brak dostępu",
  forbiddenBody: "Ten ekran wymaga uprawnienia, którego to konto nie ma. Nic nie zostało zmienione.",
  notFoundTitle: "Nie ma takiej strony",
  notFoundBody: "Adres zawiera błąd albo strona została przeniesiona. Nic nie zginęło.",
  sessionFailedTitle: "Nie udało się wczytać sesji",
  sessionFailedBody: "Nic nie zostało zmienione, nadal jesteś po zalogowaniu.",
  configFailedTitle: "Nie udało się uruchomić aplikacji",
  configFailedBody: "Nic nie zostało zmienione.",
  crashedTitle: "Ten ekran przestał działać",
  crashedBody:
    "To, co zostało zapisane wcześniej, jest bezpieczne. Po wgraniu nowej wersji wystarczy odświeżyć stronę.",
};
