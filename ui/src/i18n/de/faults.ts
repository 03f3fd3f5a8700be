import type { FaultWords, FieldWords } from "../words";

export const faults: FaultWords = {
  internal: "Bei uns ist etwas schiefgegangen.",
  "request.malformed": "Der Server konnte die Anfrage nicht lesen.",
  "request.invalid": "Einige Felder müssen korrigiert werden.",
  "request.too_large": "Die gesendeten Daten sind zu groß.",
  "request.timeout": "Der Server ist nicht rechtzeitig fertig geworden.",
  "request.not_found": "Unter dieser Adresse gibt es nichts.",
  "request.method_not_allowed": "Diese Aktion ist hier nicht möglich.",
  "request.unsupported_media_type": "Der Server nimmt Daten dieser Art nicht an.",
  "access.unauthenticated": "Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an.",
  "access.cross_origin": "Die Anfrage kam von einer anderen Website und wurde abgelehnt.",
  "access.forbidden": "Ihr Konto hat dafür keine Berechtigung.",
  "idempotency.key_required": "Die Anfrage kam ohne ihre Nummer an und wurde abgelehnt.",
  "idempotency.key_reused": "Diese Anfrage wurde bereits mit anderen Daten gestellt.",
  "identity.stranger":
    "Ihr Konto gehört zu keiner Flotte und ist kein Fahrerkonto. Bitten Sie den Betreiber um Zugang oder melden Sie sich mit einem anderen Konto an.",
  "identity.token_refused": "Ihre Anmeldung wird nicht mehr akzeptiert. Melden Sie sich erneut an.",
  "accounts.none": "Das Fahrerprofil ist noch nicht ausgefüllt.",
  "accounts.not_found": "Dieses Fahrerkonto gibt es nicht.",
  "accounts.exists": "Das Fahrerprofil ist bereits ausgefüllt. Sie können es in Ihrem Profil ändern.",
  "accounts.changed": "Das Profil wurde inzwischen geändert, vielleicht in einem anderen Fenster. Laden Sie es neu.",
  "accounts.incomplete": "Füllen Sie zuerst Ihr Profil aus.",
  "accounts.invalid": "Einige Angaben müssen korrigiert werden.",
  "accounts.no_partner": "Es ist noch kein Partner gewählt.",
  "accounts.partner_not_found": "Diesen Partner gibt es nicht mehr in der Liste.",
  "accounts.blocked": "Dieser Partner nimmt Ihre Anfrage nicht an. Wenden Sie sich direkt an ihn.",
  "accounts.consent_needed": "Ohne Einwilligung zur Weitergabe der Kontaktdaten kann kein Partner gewählt werden.",
  "accounts.invite_invalid": "Prüfen Sie Namen und E-Mail-Adresse des Partners.",
  "accounts.invited_already": "An diese Adresse ging heute bereits eine Einladung.",
  "accounts.too_many_invites":
    "Innerhalb eines Tages sind höchstens {{max}} Einladungen möglich. Versuchen Sie es morgen wieder.",
  "accounts.frequency_invalid": "Abgerechnet wird alle 1, 2 oder 4 Wochen.",
  "accounts.frequency_fixed": "Ihr Partner legt selbst fest, wie oft abgerechnet wird.",
  "drivers.not_found":
    "Dieser Fahrer steht nicht auf der Liste. Vielleicht wurde er mit einem anderen zusammengeführt.",
  "drivers.invalid": "Einige Angaben zum Fahrer müssen korrigiert werden.",
  "drivers.changed": "Jemand anderes hat diesen Fahrer inzwischen geändert.",
  "drivers.identity_taken": "Diese Kennung ({{provider}}) hat bereits ein anderer Fahrer.",
  "drivers.activation_sent": "Die Einladung zum Konto wurde schon gesendet. Das geht nur einmal.",
  "drivers.no_email": "Der Fahrer hat keine E-Mail-Adresse. Tragen Sie sie zuerst ein.",
  "driver_profiles.not_found":
    "Dieses Profil gibt es nicht. Der Fahrer ist vielleicht gegangen oder hat sein Konto gelöscht.",
  "driver_profiles.changed":
    "Der Fahrer hat seine Angaben inzwischen geändert. Prüfen Sie sie und entscheiden Sie erneut.",
  "driver_profiles.linked": "Dieses Profil ist bereits mit einem Fahrer verknüpft.",
  "driver_profiles.blocked": "Dieses Profil ist gesperrt. Entsperren Sie es zuerst.",
  "driver_profiles.driver_linked":
    "Dieser Fahrer ist bereits mit einem anderen Konto verknüpft. Lösen Sie zuerst diese Verknüpfung.",
  "driver_profiles.driver_blocked": "Dieser Fahrer ist gesperrt. Entsperren Sie ihn zuerst.",
  "driver_profiles.link_invalid": "Übernommen werden können nur Name, E-Mail oder Telefon.",
  "driver_profiles.invalid": "Wählen Sie 1 bis 500 Personen, jede einmal.",
  "drivers.merge_self": "Ein Fahrer kann nicht mit sich selbst zusammengeführt werden. Wählen Sie einen anderen.",
  "drivers.already_merged": "Einer dieser Fahrer wurde bereits mit jemandem zusammengeführt.",
  "drivers.merge_both_linked":
    "Beide Fahrer haben ein eigenes Konto, es melden sich also zwei Personen an. Trennen Sie zuerst eines der Konten.",
  "drivers.merge_identities":
    "Zusammen hätten sie mehr als {{max}} Kennungen bei Anbietern. Entfernen Sie zuerst die überflüssigen.",
  "drivers.merge_not_found": "Diese Zusammenführung gibt es nicht.",
  "drivers.merge_undone": "Diese Zusammenführung wurde bereits rückgängig gemacht.",
  "drivers.merge_settled": "Etwas vom Übernommenen ist inzwischen abgerechnet. Widerrufen Sie zuerst diese Abrechnung.",
  "drivers.merge_followed":
    "Dieser Fahrer wurde später noch einmal zusammengeführt. Machen Sie zuerst das Spätere rückgängig.",
  "drivers.not_told_apart": "Niemand hat diese Fahrer als zwei verschiedene Personen markiert.",
  "identity.fresh_login_needed":
    "Ihre Anmeldung liegt mehr als 5 Minuten zurück. Melden Sie sich zur Sicherheit noch einmal an.",
  "overload.disk_full":
    "Auf dem Server ist kein Speicherplatz mehr frei. Nichts wurde gespeichert. Informieren Sie, wer Saldo betreibt, und versuchen Sie es erneut.",
  "overload.busy": "Der Server ist gerade ausgelastet. Warten Sie einen Moment.",
  "partner.invalid": "Einige Felder müssen korrigiert werden.",
  "partner.changed": "Jemand anderes hat dieselben Daten inzwischen gespeichert.",
  "partner.picture_refused": "Das ist kein PNG- oder JPEG-Bild, oder es hat zu viele Pixel.",
  "schemas.not_found": "Dieses Schema gibt es nicht mehr. Vielleicht hat es jemand gelöscht.",
  "schemas.name_taken": "Ein Schema mit diesem Namen gibt es schon.",
  "schemas.too_many": "Es sind höchstens {{max}} Schemata möglich. Löschen Sie eines, das Sie nicht mehr brauchen.",
  "schemas.invalid": "Einige Felder müssen korrigiert werden.",
  "schemas.changed": "Jemand anderes hat dieses Schema inzwischen gespeichert.",
  "schemas.is_default": "Dies ist das Standardschema. Legen Sie zuerst ein anderes als Standard fest.",
  "schemas.attached":
    "Anzahl der Fahrer, die nach diesem Schema abgerechnet werden: {{drivers}}. Geben Sie ihnen zuerst ein anderes.",
  "tags.name_invalid": "Dieser Name kann nicht verwendet werden.",
  "tags.name_taken": "Ein Etikett mit diesem Namen gibt es schon.",
  "tags.not_found": "Dieses Etikett gibt es nicht mehr. Vielleicht hat es jemand gelöscht.",
  "tags.too_many": "Es sind höchstens {{max}} Etiketten möglich. Löschen Sie eines, das Sie nicht mehr brauchen.",
  "terms.none": "Es gibt keine Bedingungen zu akzeptieren.",
  "terms.changed": "Die Bedingungen wurden inzwischen geändert. Bitte lesen Sie die neuen.",
  "jobs.not_found": "Diese Aufgabe gibt es nicht mehr.",
  "jobs.not_failed": "Diese Aufgabe ist nicht fehlgeschlagen, es gibt nichts zu wiederholen.",
  "transactions.not_found": "Diese Transaktion gibt es nicht mehr. Vielleicht hat sie jemand gelöscht.",
  "transactions.driver_not_found": "Diesen Fahrer gibt es nicht.",
  "transactions.filter_invalid": "Prüfen Sie die Filter der Liste.",
  "transactions.invalid": "Einige Felder müssen korrigiert werden.",
  "transactions.settled":
    "Diese Transaktion ist bereits abgerechnet und kann nicht geändert werden. Widerrufen Sie zuerst die Abrechnung.",
  "transactions.changed": "Jemand hat diese Transaktion inzwischen geändert. Laden Sie sie neu.",
  "transactions.not_by_hand": "Nur von Hand Eingetragenes kann geändert oder gelöscht werden.",
  "transactions.not_deleted": "Diese Transaktion wurde nicht gelöscht, es gibt nichts wiederherzustellen.",
  "transactions.not_unknown": "Diese Transaktion kam mit einem Typ und braucht keinen.",
  "transactions.type_rule_not_found": "Dieser Typ ist nicht mehr gemerkt.",
  "transactions.type_refused": "Eine Transaktion dieses Anbieters kann diesen Typ nicht haben.",
  "transactions.retype_invalid": "Wählen Sie Transaktionen und einen Typ.",
  "transactions.evidence_refused": "Das ist weder ein PDF bis 10 MB noch ein PNG- oder JPEG-Bild bis 1 MB.",
  "transactions.no_evidence": "An dieser Transaktion hängt keine Datei.",
  "files.damaged":
    "Die gespeicherte Datei ist beschädigt oder wurde ausgetauscht und wird deshalb nicht ausgegeben. Wer den Server betreibt, kann sie aus einer Sicherung wiederherstellen.",
  "imports.not_found": "Diesen Import gibt es nicht.",
  "imports.invalid": "Einige Felder müssen korrigiert werden.",
  "imports.not_ready": "Die Datei wird noch gelesen. Warten Sie auf die Vorschau und bestätigen Sie sie dann.",
  "imports.over": "Dieser Import ist beendet. Laden Sie die Datei erneut hoch.",
  "imports.duplicated":
    "Dieselbe Datei wurde bereits importiert, daher wurde nichts hinzugefügt. Soll sie ein zweites Mal hinein, laden Sie sie mit „doppelte Dateien zulassen“ hoch.",
  "imports.same_money":
    "Dasselbe Geld hat bereits eine andere Datei in anderer Form gebracht. Entscheiden Sie, ob diese nur als Detail oder als eigenes Geld zählt.",
  "imports.restated":
    "Die Datei betrifft Wochen, die bereits mit anderen Beträgen eingelesen sind (Fahrer: {{count}}). Wählen Sie, ob sie ersetzt oder zusätzlich eingelesen werden sollen.",
  "imports.partly_covered":
    "Diese Datei umfasst nur einen Teil der Tage, die bereits als ein Betrag importiert sind (Fahrer: {{count}}). Ersetzen würde die übrigen Tage entfernen. Es wurde nichts geändert. Laden Sie den Bericht für den ganzen Zeitraum herunter oder entfernen Sie zuerst den früheren Import.",
  "imports.nothing_to_book":
    "In dieser Datei ist nichts zu importieren: Keine Zeile hat einen Betrag oder alle wurden abgelehnt. Korrigieren Sie die abgelehnten Zeilen, prüfen Sie, ob es der richtige Bericht ist, oder beschreiben Sie die Spalten.",
  "imports.settled":
    "Einige dieser Zeilen sind bereits abgerechnet (Anzahl der Abrechnungen: {{count}}). Nehmen Sie zuerst diese Abrechnungen zurück.",
  "imports.not_imported": "Dieser Import hat nichts hinzugefügt, es gibt also nichts zu entfernen.",
  "imports.empty": "Die Datei ist leer. Laden Sie sie erneut beim Anbieter herunter.",
  "imports.not_a_table": "Das ist weder CSV noch XLSX noch ein ZIP mit solchen Dateien.",
  "imports.encoding":
    "Die Datei enthält Zeichen, die sich nicht lesen lassen. Speichern Sie sie als CSV in UTF-8 oder als XLSX.",
  "imports.too_long":
    "Eine Zeile endet nicht, meist wegen eines nicht geschlossenen Anführungszeichens. Laden Sie die Datei erneut herunter.",
  "imports.too_wide": "Die Datei hat mehr Spalten als jede Abrechnung. Prüfen Sie, ob es die richtige ist.",
  "imports.too_large": "Entpackt ist die Datei zu groß. Teilen Sie sie in kürzere Zeiträume.",
  "imports.too_many": "Die Datei hat zu viele Blätter oder Teile. Laden Sie sie einzeln hoch.",
  "imports.broken": "Die Datei ist beschädigt oder abgeschnitten. Laden Sie sie erneut herunter.",
  "imports.protected":
    "Die Datei ist mit einem Passwort geschützt. Speichern Sie sie ohne Passwort und laden Sie sie erneut hoch.",
  "imports.old_workbook":
    "Das ist eine alte .xls-Arbeitsmappe. Speichern Sie sie als .xlsx und laden Sie sie erneut hoch.",
  "imports.not_recognised":
    "Diese Spalten gehören zu keiner bekannten Abrechnung. Wenn es eine Abrechnung ist, beschreiben Sie ihre Spalten oder nutzen Sie unsere Vorlage.",
  "imports.wrong_file":
    "In dieser Datei ist kein Geld zum Abrechnen. Laden Sie beim Anbieter einen anderen Bericht herunter.",
  "imports.provider_needed":
    "Wählen Sie, wessen Zeilen diese Datei enthält ({{choices}}), und laden Sie sie erneut hoch.",
  "imports.too_many_people": "Die Datei nennt mehr als {{max}} Personen. Teilen Sie sie auf.",
  "imports.file_changed":
    "Die gespeicherte Datei ist nicht die hochgeladene. Es wurde nichts importiert. Laden Sie sie erneut hoch.",
  "imports.file_gone":
    "Die Originaldatei wird nicht mehr aufbewahrt. Dateien, die nicht importiert wurden, werden nach 30 Tagen gelöscht.",
  "imports.gave_up":
    "Der Import ist mehrmals fehlgeschlagen. Es wurde nichts importiert. Laden Sie die Datei erneut hoch.",
  "imports.mapping_not_found": "Diese Spaltenbeschreibung gibt es nicht mehr.",
  "imports.mapping_invalid": "Die Spaltenbeschreibung muss korrigiert werden.",
  "imports.mapping_taken":
    "Die Spalten einer solchen Datei sind schon beschrieben. Korrigieren Sie diese Beschreibung oder lesen Sie die Datei erneut ein.",
  "imports.mapping_changed":
    "Jemand hat diese Beschreibung inzwischen geändert. Öffnen Sie sie erneut und wiederholen Sie Ihre Änderungen.",
  "imports.too_many_mappings":
    "Sie haben schon {{max}} Spaltenbeschreibungen. Löschen Sie, was Sie nicht mehr brauchen.",
  "imports.identity_not_found": "Diese Person steht nicht mehr bei den nicht zugeordneten.",
  "imports.identity_decided": "Darüber wurde bereits entschieden. Nehmen Sie die Entscheidung zuerst zurück.",
  "imports.identity_undecided": "Es gibt keine Entscheidung, die man zurücknehmen könnte.",
  "imports.identities_invalid": "Wählen Sie 1 bis 500 Personen, jede einmal.",
  "imports.driver_not_found": "Diesen Fahrer gibt es nicht.",
  "billing.not_found": "Dieses Dokument gibt es nicht.",
  "billing.nothing": "Diese Abrechnung zahlt nichts aus, also gibt es nichts zu berechnen.",
  "billing.no_tax_id":
    "Der Fahrer hat keine Steuernummer der Firma und kann keine Gutschrift erhalten. Tragen Sie sie beim Fahrer ein.",
  "billing.no_account":
    "Der Fahrer hat kein Bankkonto und kann kein Dokument erhalten. Tragen Sie die IBAN beim Fahrer ein.",
  "billing.no_partner_tax_id":
    "Im Profil des Partners fehlt die Steuernummer. Tragen Sie sie ein, um Dokumente auszustellen.",
  "billing.no_partner_address":
    "Im Profil des Partners fehlt die Adresse. Tragen Sie sie ein, um Dokumente auszustellen.",
  "billing.invalid": "Korrigieren Sie die markierten Felder. Es wurde nichts ausgestellt.",
  "billing.refused": "Das Format der Rechnung nimmt diese Daten nicht an ({{reason}}). Es wurde nichts ausgestellt.",
  "billing.no_file": "Dieses Dokument hat keine XML-Datei.",
  "billing.not_refused": "KSeF hat dieses Dokument nicht abgelehnt, es muss nicht erneut gesendet werden.",
  "billing.awaits_approval": "Wartet auf die Zustimmung des Fahrers.",
  "billing.draft_answered": "Zu diesem Entwurf gibt es schon eine andere Antwort.",
  "billing.draft_changed": "Diese Rechnung wurde inzwischen neu erstellt. Lesen Sie sie noch einmal und antworten Sie.",
  "billing.draft_too_late": "Die Frist für einen Widerspruch ist vorbei: Die Gutschrift gilt als genehmigt.",
  "billing.certificate": "Das ist kein gültiges KSeF-Zertifikat vom Typ Offline mit passendem Schlüssel.",
  "billing.other_tax_id":
    "Die Steuernummer des Fahrers hat sich seit der Ausstellung geändert. Nimm die Abrechnung zurück, rechne neu ab und stelle eine neue Gutschrift aus.",
  "billing.too_many": "Ein Archiv fasst höchstens {{max}} Dokumente. Grenze den Filter ein.",
  "billing.no_address":
    "Die Anschrift des Auftragnehmers fehlt. Öffne die Abrechnung und stelle das Dokument mit Anschrift aus: beim nächsten Mal wird sie übernommen.",
  "summaries.not_found": "Diese Sendung gibt es nicht.",
  "summaries.sending_not_found": "Diesen Versand gibt es nicht mehr. Beginnen Sie ihn neu.",
  "summaries.nothing":
    "Es gibt nichts zu senden. Prüfen Sie, wer eine E-Mail-Adresse hat und wem schon gesendet wurde. Nichts wurde gesendet.",
  "summaries.too_late": "Dieser Versand lässt sich nicht mehr abbrechen: Die Zeit dafür ist um.",
  "summaries.not_failed":
    "Diese Nachricht muss nicht wiederholt werden: Sie ist nicht gescheitert, oder eine neuere wurde gesendet.",
  "summaries.no_address": "Der Fahrer hat keine E-Mail-Adresse. Ergänzen Sie sie und versuchen Sie es erneut.",
  "summaries.blocked": "Der Fahrer ist gesperrt. Entsperren Sie ihn, um zu senden.",
  "summaries.link_invalid": "Dieser Link gilt nicht mehr. Bitten Sie Ihren Partner um einen neuen.",
  "request.too_many": "Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es erneut.",
  "settlements.not_found": "Diese Abrechnung gibt es nicht.",
  "settlements.nothing": "Es gibt nichts abzurechnen. Prüfen Sie Zeitraum und Filter oder lesen Sie Daten ein.",
  "settlements.blocked": "Die gewählten Fahrer sind gesperrt. Entsperren Sie sie, um abzurechnen.",
  "settlements.unfinished":
    "Dieser Zeitraum endet am {{lastDay}}. Bestätigen Sie, dass Sie ihn vorher abrechnen möchten.",
  "settlements.import_removing":
    "Ein Import wird gerade entfernt. Warten Sie, bis das fertig ist, und rechnen Sie dann ab.",
  "settlements.negative":
    "Negative Beträge können nicht abgerechnet werden. Die Schuld geht in den nächsten Zeitraum über. Nichts wurde abgerechnet.",
  "reports.days_invalid": "Geben Sie beide Tage in der Form 2026-11-01 an.",
  "reports.days_reversed": "Der letzte Tag liegt vor dem ersten.",
  "reports.too_long": "Ein Bericht umfasst höchstens {{days}} Tage.",
  "settlements.period_invalid": "Wählen Sie einen Zeitraum aus der Liste, zum Beispiel 2026-W45.",
  "settlements.invalid": "Korrigieren Sie die markierten Felder. Nichts wurde geändert.",
  "settlements.run_not_found": "Diesen Probelauf gibt es nicht mehr. Starten Sie ihn neu.",
  "settlements.paid": "Abrechnung Nr. {{number}} ist als ausgezahlt markiert. Nehmen Sie das zuerst zurück.",
  "settlements.not_paid": "Abrechnung Nr. {{number}} ist nicht als ausgezahlt markiert.",
  "settlements.revoked": "Abrechnung Nr. {{number}} wurde schon zurückgenommen.",
  "settlements.absorbed":
    "Dieser Zeitraum wurde zusammen mit {{period}} abgeschlossen. Tun Sie es bei jener Abrechnung.",
  "settlements.in_batch": "Die Abrechnung ist in der Sammelzahlung Nr. {{batch}}. Brechen Sie diese zuerst ab.",
  "payouts.not_found": "Diese Sammelzahlung gibt es nicht.",
  "payouts.invalid": "Berichtigen Sie die markierten Felder. Es wurde nichts gespeichert.",
  "payouts.statement":
    "Der Kontoauszug ist nicht lesbar. Es wurde nichts gespeichert. Laden Sie den ganzen Auszug als MT940 oder CAMT.053 von der Bank und versuchen Sie es erneut.",
  "payouts.other_account":
    "Dies ist ein Auszug des Kontos {{account}}, von dem nichts ausgezahlt wurde. Es wurde nichts gespeichert. Wählen Sie den Auszug des Kontos, von dem Sie zahlen.",
  "payouts.unpayable":
    "Stapel {{number}} kann nicht freigegeben werden: Die Abrechnungen {{settlements}} dürfen nicht mehr gezahlt werden (bezahlt, zurückgenommen oder Fahrer gesperrt). Stornieren Sie den Stapel und erstellen Sie einen neuen.",
  "payouts.not_in_batch": "Diese Abrechnung ist nicht mehr im Stapel {{number}}.",
  "payouts.nothing_returned":
    "Von der Abrechnung Nr. {{number}} kam nichts zurück. Markieren Sie die zurückgekommenen Überweisungen.",
  "payouts.nothing_said": "Dieser Auszug sagt nichts Neues über Überweisungen. Es wurde nichts gespeichert.",
  "payouts.settings_changed":
    "Jemand anderes hat diese Einstellungen gerade geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
  "payouts.changed":
    "Seit der Vorschau hat sich etwas geändert. Es wurde keine Sammelzahlung erstellt. Prüfen Sie die neue Vorschau.",
  "payouts.nothing": "Es gibt nichts auszuzahlen: Alle Abrechnungen sind ausgenommen. Die Liste nennt die Gründe.",
  "payouts.payer":
    "Ergänzen Sie im Firmenprofil Steuernummer und Konto für Überweisungen. Es wurde keine Sammelzahlung erstellt.",
  "payouts.cancelled": "Sammelzahlung Nr. {{number}} ist abgebrochen.",
  "payouts.not_released": "Sammelzahlung Nr. {{number}} wartet auf die Freigabe durch eine zweite Person.",
  "payouts.released": "Sammelzahlung Nr. {{number}} ist schon freigegeben.",
  "payouts.same_person":
    "Sammelzahlung Nr. {{number}} muss jemand anderes freigeben als die Person, die sie erstellt hat.",
  "payouts.paid":
    "In Sammelzahlung Nr. {{number}} sind Abrechnungen als ausgezahlt markiert ({{count}}). Nehmen Sie das zuerst zurück.",
  "payouts.no_file": "Sammelzahlung Nr. {{number}} wird bar ausgezahlt: Es gibt keine Datei für die Bank.",
  "mails.day_quota":
    "Ihre Flotte hat heute {{max}} E-Mails gesendet, das Tageslimit ist erreicht. Versuchen Sie es in {{minutes}} Min. erneut.",
  "mails.address_quota":
    "An diese Adresse wurden innerhalb einer Stunde {{max}} E-Mails gesendet, mehr sind nicht möglich. Versuchen Sie es in {{minutes}} Min. erneut.",
  "people.not_found": "Diese Person gibt es im Büro nicht.",
  "people.invalid": "Berichtigen Sie die markierten Felder.",
  "people.invited_already": "{{email}} ist bereits eingeladen. Sie können die Einladung in der Liste erneut senden.",
  "people.member_already": "Die Person mit der Adresse {{email}} steht bereits in der Liste.",
  "people.address_taken":
    "Diese E-Mail-Adresse hat schon ein anderes Konto in Saldo. Verwenden Sie eine andere Adresse.",
  "people.too_many": "Ein Büro kann höchstens {{people}} Personen haben und {{perDay}} Einladungen am Tag senden.",
  "people.sent_lately":
    "Diese Einladung wurde gerade eben oder zu oft gesendet. Warten Sie eine Minute; hilft das nicht, ziehen Sie sie zurück und laden Sie die Person neu ein.",
  "people.changed": "Jemand anderes hat das gerade geändert. Die Liste zeigt jetzt den neuen Stand.",
  "people.self": "Sie können sich den Zugang nicht selbst entziehen. Bitten Sie eine andere Person darum.",
  "people.two_needed":
    "Die Freigabe durch eine zweite Person braucht mindestens zwei aktive Personen. Laden Sie zuerst jemanden ein oder schalten Sie sie gemeinsam aus.",
  "payouts.one_person":
    "Dafür braucht es mindestens zwei aktive Personen. Laden Sie im Profil unter „Personen im Büro“ jemanden ein.",
  "payouts.off_alone":
    "Die Freigabe durch eine zweite Person kann niemand allein ausschalten. Beantragen Sie es im Profil; eine andere Person bestätigt.",
  "payouts.two_person_off": "Die Freigabe durch eine zweite Person ist schon ausgeschaltet.",
  "payouts.request_pending": "Ein Antrag auf Ausschalten wartet bereits auf Bestätigung.",
  "payouts.request_not_found": "Diesen Antrag gibt es nicht.",
  "payouts.request_decided": "Dieser Antrag ist nicht mehr offen: Er wurde schon entschieden oder zurückgezogen.",
  "payouts.own_request": "Über Ihren eigenen Antrag muss eine andere Person entscheiden.",
  "payouts.not_your_request": "Nur wer den Antrag gestellt hat, kann ihn zurückziehen. Sie können ihn ablehnen.",
  "settlements.carried": "Abrechnung Nr. {{number}} baut auf dieser auf. Nehmen Sie zuerst jene zurück.",
  "settlements.nothing_to_carry": "Abrechnung Nr. {{number}} hat keine Beträge zum Übertragen.",
  "licences.used_up":
    "Das Kontingent an Abrechnungen ist verbraucht. Kaufen Sie eine Lizenz, um weiterzumachen. Nichts wurde abgerechnet.",
  "licences.invalid": "Geben Sie eine Anzahl von 1 bis 10.000.000 an.",
  "network.unreachable": "Keine Verbindung zum Server. Prüfen Sie Ihr Netz.",
  "network.timeout": "Der Server hat nicht innerhalb von 30 s geantwortet.",
};

export const fields: FieldWords = {
  required: "Bitte ausfüllen",
  too_short: "Mindestens {{min}} Zeichen",
  too_long: "Höchstens {{max}} Zeichen",
  too_small: "Der kleinste erlaubte Wert ist {{min}}",
  too_large: "Der größte erlaubte Wert ist {{max}}",
  wrong_type: "Ein Wert dieser Art passt hier nicht",
  wrong_format: "Bitte die Schreibweise prüfen",
  not_allowed: "Dieser Wert ist nicht erlaubt",
  unknown: "Dieses Feld ist nicht bekannt",
  duplicate: "Dieser Wert wird schon verwendet",
  overlaps: "Dieser Bereich überschneidet sich mit einem anderen derselben Art",
  invalid: "Dieser Wert ist nicht richtig",
};
