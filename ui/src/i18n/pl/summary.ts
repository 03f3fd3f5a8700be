import type { summary as english } from "../en/summary";
import type { Words } from "../words";

export const summary: Words<typeof english, "pl"> = {
  title: "Rozliczenie {{days}}",
  of: "{{name}}, rozliczenie {{days}}",
  settled: "Rozliczone {{day}}",
  paid: "Wypłacone {{day}}",
  lines: "Skąd wzięła się kwota",
  toPayIn: "Do wypłaty, {{currency}}",
  debtIn: "Dług, {{currency}}",
  debtNote: "Nic nie jest wypłacane. Dług przejdzie na następny okres.",
  logIn: "Zaloguj się po szczegóły i faktury",
  until: "Link działa do {{day}}. Widzi tę stronę każdy, kto ma link, więc nie przekazuj go dalej.",
  phone: "{{name}}, tel. {{phone}}",
  runs: "Działa na Saldo",
  language: "Język",
  loading: "Wczytujemy rozliczenie",
  invalidTitle: "Ten link już nie działa",
  invalidBody:
    "Stracił ważność albo rozliczenie zostało wycofane. Poproś partnera o nowy link albo zaloguj się, aby zobaczyć swoje rozliczenia.",
  enter: "Zaloguj się",
  failedTitle: "Nie możemy teraz pokazać rozliczenia",
  failedBody: "Sprawdź połączenie i spróbuj ponownie. Link nadal działa.",
  waitBody: "Było za dużo prób. Odczekaj minutę i spróbuj ponownie.",
  again: "Spróbuj ponownie",
};
