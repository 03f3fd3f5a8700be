package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"saldo/internal/contracts"
	"saldo/internal/kernel/access"
	"saldo/internal/testkit"
)

const documentsPath = "/api/partner-documents"

// contractData are complete for a Polish contract.
func contractData() map[string]any {
	return map[string]any{
		"personal": map[string]any{"firstNames": "Oleh", "lastName": "Bondar", "birthDate": "1944-05-14", "citizenship": "UA", "pesel": "44051401359",
			"idKind": "passport", "idNumber": "FA123456", "phone": "+48 600 100 200", "email": "oleh@drivers.example",
			"registered": map[string]any{"street": "Długa", "house": "1", "postCode": "80-831", "city": "Gdańsk"}},
		"contract": map[string]any{"kinds": []string{"civil_contract"}, "date": "2026-11-15", "place": "Gdańsk", "from": "2026-11-16",
			"settlementFrequency": 1, "ibanPayout": string(testkit.Account(77))},
		"statements": map[string]any{"taxOffice": "Gdańsk", "nfz": "11", "taxResidence": "PL"},
	}
}

// documentSums are those of the documents that the data make now.
func (w *world) documentSums(t *testing.T, who string) string {
	t.Helper()
	status, _, header := w.ask(t, who, "POST", documentsPath+"/fill-data", map[string]any{"data": contractData(), "language": "uk"},
		fmt.Sprint("sums-", w.keys.Add(1)))
	if status != http.StatusOK || header.Get("X-Document-Sums") == "" {
		t.Fatal(status, header)
	}
	return header.Get("X-Document-Sums")
}

// signing is what a wizard sends to sign, for a driver of north and a draft of a version.
func (w *world) signing(t *testing.T, who, driver string, version int64) formed {
	t.Helper()
	sums := w.documentSums(t, who)
	var shown []map[string]any
	for order := range strings.Count(sums, ":") {
		shown = append(shown, map[string]any{"order": order + 1, "pages": 1, "ms": 900})
	}
	var declared []map[string]any
	for _, id := range contracts.Declarations {
		declared = append(declared, map[string]any{"id": id, "textSum": contracts.TextHash(contracts.DeclarationText("uk", id))})
	}
	return formOf("data", asText(contractData()), "sums", sums, "shown", asText(shown), "declarations", asText(declared), "language", "uk",
		"consentSum", contracts.TextHash(contracts.ConsentText("uk")), "typedName", "Олег Бондар", "driverUUID", driver, "version", fmt.Sprint(version))
}

// contractPDF is a PDF that the partner north uploaded.
func (w *world) contractPDF(t *testing.T) string {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", documentsPath+"/template-files",
		form("a.pdf", testkit.PDF(true, testkit.PDFPage{Lines: []string{"Umowa"}})), &made); status != http.StatusCreated {
		t.Fatal(status, text)
	}
	return made.ID
}

// contractDraft leaves a new draft of the partner for a driver of north.
func (w *world) contractDraft(t *testing.T) {
	t.Helper()
	at := documentsPath + "/draft?driverUUID=" + w.driverOf(t, "north")
	w.call(t, "partner", "DELETE", at, nil, nil)
	if status, text := w.call(t, "partner", "PUT", at, map[string]any{"step": 4, "version": 0, "data": contractData()}, nil); status != 200 {
		t.Fatal(status, text)
	}
}

type contractMade struct {
	ContractID, State, Number string
	Version                   int64
	Documents                 []struct {
		Order      int64
		Title      string
		Sealed     bool
		VerifyCode string
	}
}

// contracted is a contract that a driver of north has signed on a device of the partner.
func (w *world) contracted(t *testing.T) (made contractMade) {
	t.Helper()
	w.contractDraft(t)
	status, text := w.call(t, "partner", "POST", documentsPath+"/signed", w.signing(t, "partner", w.driverOf(t, "north"), 1), &made)
	if status != http.StatusCreated {
		t.Fatal(status, text)
	}
	return made
}

func (w *world) activeContract(t *testing.T) (made contractMade) {
	t.Helper()
	c := w.contracted(t)
	status, text := w.call(t, "partner", "POST", documentsPath+"/contracts/"+c.ContractID+"/countersign", map[string]any{"version": c.Version}, &made)
	if status != http.StatusOK {
		t.Fatal(status, text)
	}
	return made
}

func contractText() map[string]any {
	return map[string]any{"name": "Zgoda", "language": "pl", "kind": "other", "form": "simple", "order": 50, "for": []string{},
		"required": false, "active": false, "body": "# Zgoda\n\nDla {{driver.name}}.\n\n[signature:driver]", "revision": 1}
}

func (w *world) contractTemplate(t *testing.T) string {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", documentsPath+"/templates", contractText(), &made); status != http.StatusCreated {
		t.Fatal(status, text)
	}
	return made.ID
}

// contractBodies are what the operations on contracts are asked with.
func (w *world) contractBodies(t *testing.T, bodies map[string]func() any, ids map[string]func() string, queries map[string]string) {
	t.Helper()
	driver := "?driverUUID=" + w.driverOf(t, "north")
	for _, name := range []string{"fill-documents", "contract-data", "last-contract-data", "save-contract-draft", "drop-contract-draft"} {
		queries[name] = driver
	}
	queries["contracts"] = "?driverUuid=" + w.driverOf(t, "north")
	queries["delete-contract"] = "?contractId={id}"
	w.contracted(t)
	bodies["fill-documents"] = func() any { return map[string]any{} }
	bodies["fill-documents-with-data"] = func() any { return map[string]any{"data": contractData()} }
	bodies["contract-pages"] = bodies["fill-documents-with-data"]
	bodies["save-contract-draft"] = func() any {
		w.call(t, "partner", "DELETE", documentsPath+"/draft"+driver, nil, nil)
		return map[string]any{"step": 1, "version": 0, "data": contractData()}
	}
	bodies["sign-contract"] = func() any {
		w.contractDraft(t)
		return w.signing(t, "partner", w.driverOf(t, "north"), 1)
	}
	for _, name := range []string{"contract-file", "delete-contract", "countersign-contract", "withdraw-contract", "scan-contract", "contract-evidence"} {
		ids[name] = func() string { return w.contracted(t).ContractID }
	}
	ids["end-contract"] = func() string { return w.activeContract(t).ContractID }
	ids["verify-document"] = func() string { return w.contracted(t).Documents[0].VerifyCode }
	bodies["check-countersignatures"] = func() any { return map[string]any{"ids": []string{w.contracted(t).ContractID}} }
	bodies["countersign-contract"] = func() any { return map[string]any{"version": 1} }
	bodies["withdraw-contract"] = func() any { return map[string]any{"version": 1, "reason": "wrong"} }
	bodies["end-contract"] = func() any { return map[string]any{"version": 2, "reason": "over"} }
	bodies["scan-contract"] = func() any { return form("a.png", w.pictured(), "order", "1", "version", "1") }
	for _, name := range []string{"contract-template", "save-contract-template", "remove-contract-template"} {
		ids[name] = func() string { return w.contractTemplate(t) }
	}
	bodies["add-contract-template"] = func() any { return contractText() }
	bodies["save-contract-template"] = func() any { return contractText() }
	bodies["preview-contract-template"] = func() any { return map[string]any{"body": "# {{driver.name}}\n\n[signature:driver]"} }
	bodies["add-contract-pdf"] = func() any { return form("a.pdf", testkit.PDF(true, testkit.PDFPage{Lines: []string{"Umowa"}})) }
	ids["contract-pdf"] = func() string { return w.contractPDF(t) }
	bodies["save-contract-settings"] = func() any { return map[string]any{"standing": false, "signatory": "", "prefix": "", "version": 0} }
}

// A driver fills in, reads, signs and withdraws; asked again with one key there is one contract.
func TestADriver_SignsOnTheirPhone(t *testing.T) {
	w := newWorld(t, testkit.Engines[0])
	w.linked(t, w.earner(t))
	w.tokens["driver"] = w.mint.Token(t, principals["driver"].Subject, access.Driver, time.Hour, map[string]any{"auth_time": w.clock.Now().Unix()})
	var filled struct {
		Version      int64
		Source       string
		Documents    []struct{ ID string }
		Missing      []struct{ Name, Code string }
		Declarations []struct{ ID, Text, Sum string }
	}
	if status, text := w.call(t, "driver", "GET", documentsPath+"/signed-data?language=uk", nil, &filled); status != 200 || filled.Source != "profile" ||
		len(filled.Missing) == 0 || filled.Declarations[0].Sum != contracts.TextHash(filled.Declarations[0].Text) {
		t.Fatal(status, text)
	}
	if status, text := w.call(t, "driver", "PUT", documentsPath+"/draft", map[string]any{"step": 3, "version": 0, "data": contractData()}, &filled); status != 200 ||
		filled.Version != 1 || len(filled.Missing) != 0 || len(filled.Documents) != 3 {
		t.Fatal(status, text)
	}
	sent := w.signing(t, "driver", "", 1)
	var first, again contractMade
	for _, made := range []*contractMade{&first, &again} {
		status, text, _ := w.ask(t, "driver", "POST", documentsPath+"/signed", sent, "one-key-for-both-requests")
		if err := json.Unmarshal([]byte(text), made); status != http.StatusCreated || err != nil {
			t.Fatal(status, text)
		}
	}
	if first.ContractID != again.ContractID || first.State != "signed_by_driver" || len(first.Documents) != 3 {
		t.Fatalf("%+v and %+v", first, again)
	}
	var listed struct{ Contracts []contractMade }
	if status, text := w.call(t, "driver", "GET", documentsPath+"/signed", nil, &listed); status != 200 || len(listed.Contracts) != 1 {
		t.Fatal(status, text)
	}
	status, content, header := w.ask(t, "driver", "GET", documentsPath+"/signed/"+first.ContractID+"/1", nil, "")
	if status != 200 || !strings.HasPrefix(content, "%PDF") || header.Get("X-Sealed") == "" || header.Get("Cache-Control") != "no-store" {
		t.Fatal(status, header)
	}
	if status, text := w.call(t, "driver", "POST", documentsPath+"/contracts/"+first.ContractID+"/withdraw",
		map[string]any{"version": first.Version, "reason": "Pomyłka"}, &first); status != 200 || first.State != "withdrawn" {
		t.Fatal(status, text)
	}
	if status, text := w.call(t, "driver", "GET", documentsPath+"/last-contract-data", nil, nil); status != 200 || !strings.Contains(text, "44051401359") {
		t.Fatal(status, text)
	}
}

func TestContractPages_AreThoseThatAreSigned(t *testing.T) {
	w := newWorld(t, "sqlite")
	var got struct {
		Documents []struct {
			Order, Pages int64
			Sum          string
			Lines        []string
		}
	}
	asked := map[string]any{"data": contractData(), "language": "uk"}
	w.call(t, "partner", "POST", documentsPath+"/pages", asked, &got)
	sums := map[string]string{}
	if err := json.Unmarshal([]byte(w.documentSums(t, "partner")), &sums); err != nil {
		t.Fatal(err)
	}
	if len(got.Documents) != len(sums) {
		t.Fatalf("%+v", got)
	}
	all := ""
	for _, d := range got.Documents {
		if d.Sum != sums[fmt.Sprint(d.Order)] || d.Pages < 1 || !strings.HasPrefix(d.Lines[0], "# ") {
			t.Errorf("document %d: %+v", d.Order, d)
		}
		all += strings.Join(d.Lines, "\n")
	}
	if !strings.Contains(all, "44051401359") || !strings.Contains(all, "Bondar") || strings.Contains(all, "{{") {
		t.Error("the words lack what was filled in")
	}
	status, picture, header := w.ask(t, "partner", "POST", documentsPath+"/fill-data?page=1&width=600", asked, "page-1")
	if status != http.StatusOK || header.Get("Content-Type") != "image/jpeg" || len(picture) < 5000 {
		t.Error(status, header, len(picture))
	}
	if status, _, _ := w.ask(t, "partner", "POST", documentsPath+"/fill-data?page=400", asked, "page-400"); status != http.StatusNotFound {
		t.Error("a page that is not there:", status)
	}
	w.call(t, "partner", "POST", documentsPath+"/pages", map[string]any{"data": map[string]any{"personal": map[string]any{},
		"contract": map[string]any{}, "statements": map[string]any{}}}, &got)
	if len(got.Documents) == 0 || got.Documents[0].Sum != "" {
		t.Error("nothing filled in could be signed")
	}
}

func TestTexts_HaveAHistoryAndNameWhatADriverLacks(t *testing.T) {
	w := newWorld(t, "sqlite")
	id := w.contractTemplate(t)
	type text struct {
		Body    string
		Version int64
		History []struct {
			Version int64
			By      string
		}
	}
	var now, old text
	at := documentsPath + "/templates/" + id
	changed := with(contractText(), "body", "# Inna zgoda\n\n{{driver.birthPlace}} {{driver.name}}\n\n[signature:driver]")
	if status, said := w.call(t, "partner", "PUT", at, changed, nil); status != 200 {
		t.Fatal(status, said)
	}
	if status, said := w.call(t, "partner", "PUT", at, changed, nil); status != http.StatusConflict {
		t.Errorf("saved over a newer text: %d %s", status, said)
	}
	w.call(t, "partner", "GET", at, nil, &now)
	w.call(t, "partner", "GET", at+"?version=1", nil, &old)
	if now.Version != 2 || len(now.History) != 2 || now.History[0].Version != 2 || !strings.HasPrefix(old.Body, "# Zgoda") {
		t.Errorf("%+v, the first was %+v", now, old)
	}
	// a ready text is there whatever the partner made of it
	var ready text
	at = documentsPath + "/templates/pl-rodo"
	w.call(t, "partner", "PUT", at, with(with(contractText(), "revision", 0), "name", "RODO"), nil)
	w.call(t, "partner", "GET", at+"?ready=true", nil, &ready)
	if strings.HasPrefix(ready.Body, "# Zgoda") || ready.Body == "" {
		t.Errorf("%.40s", ready.Body)
	}
	status, _, header := w.ask(t, "partner", "POST", documentsPath+"/preview", map[string]any{"body": changed["body"],
		"driverUUID": w.driverOf(t, "north")}, "preview")
	if status != 200 || header.Get("X-Missing-Values") != `["driver.birthPlace"]` {
		t.Error(status, header)
	}
}
