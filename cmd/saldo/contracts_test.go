package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/app"
	"saldo/internal/contracts"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// What a driver of these tests says of themselves, found nowhere else.
const (
	secretPESEL   = "44051401359"
	secretID      = "ZZK918273"
	secretAccount = "PL61109010140000071219812874"
	secretStreet  = "Zaciszna Tajna"
	secretLicence = "QXJ55120/11"
)

func secretAnswers(n int) map[string]any {
	return map[string]any{
		"personal": map[string]any{"firstNames": "Jan", "lastName": fmt.Sprint("Kowalski ", n), "birthDate": "1944-05-14", "citizenship": "PL",
			"pesel": secretPESEL, "idKind": "identity_card", "idNumber": secretID, "phone": "+48 600 100 200",
			"email":      fmt.Sprintf("jan%d@mail.example", n),
			"registered": map[string]any{"street": secretStreet, "house": "1", "postCode": "80-831", "city": "Gdańsk"}},
		"contract": map[string]any{"kinds": []string{"civil_contract"}, "date": "2026-11-15", "place": "Gdańsk", "from": "2026-11-16",
			"settlementFrequency": 1, "ibanPayout": secretAccount},
		"statements": map[string]any{"taxOffice": "Gdańsk", "nfz": "11", "taxResidence": "PL", "disability": "severe", "healthConsent": true},
	}
}

// ask sends a form or a text and gives the answer, or nil when the process did not answer.
func (p *process) ask(t *testing.T, token, method, path, kind string, body []byte, key string) *http.Response {
	t.Helper()
	rq, err := http.NewRequest(method, p.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+token)
	rq.Header.Set("Idempotency-Key", key)
	rq.Header.Set("Content-Type", kind)
	answer, err := http.DefaultClient.Do(rq)
	if err != nil {
		return nil
	}
	content, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		return nil
	}
	answer.Body = io.NopCloser(bytes.NewReader(content))
	return answer
}

// submission is what the wizard sends to sign for a driver, on a device of the partner.
func (p *process) submission(t *testing.T, token, driver string, n int) (kind string, body []byte) {
	t.Helper()
	answers := secretAnswers(n)
	at := "/api/partner-documents/draft?driverUUID=" + driver
	if status := p.call(t, token, "PUT", at, db.JSON(map[string]any{"step": 4, "version": 0, "data": answers}), fmt.Sprint("draft-", n), nil); status != 200 {
		t.Fatal("the draft is answered ", status)
	}
	shown := p.ask(t, token, "POST", "/api/partner-documents/fill-data", "application/json",
		[]byte(db.JSON(map[string]any{"data": answers, "language": "uk"})), fmt.Sprint("fill-", n))
	if shown == nil || shown.StatusCode != 200 {
		t.Fatal("the documents are not shown", shown)
	}
	sums := shown.Header.Get("X-Document-Sums")
	read, declared := []map[string]any{}, []map[string]any{}
	for order := range strings.Count(sums, ":") {
		read = append(read, map[string]any{"order": order + 1, "pages": 1, "ms": 900})
	}
	for _, id := range contracts.Declarations {
		declared = append(declared, map[string]any{"id": id, "textSum": contracts.TextHash(contracts.DeclarationText("uk", id))})
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for name, value := range map[string]string{"data": db.JSON(answers), "sums": sums, "shown": db.JSON(read), "declarations": db.JSON(declared),
		"language": "uk", "consentSum": contracts.TextHash(contracts.ConsentText("uk")), "typedName": "Jan Kowalski", "driverUUID": driver, "version": "1"} {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), form.Bytes()
}

// ownPDF makes a document of a PDF of the partner, on which everything stands that must stand nowhere else.
func (p *process) ownPDF(t *testing.T, token string) {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "own.pdf")
	if err == nil {
		_, err = part.Write(testkit.PDF(true, testkit.PDFPage{Lines: []string{"Own contract"}}))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	uploaded := p.ask(t, token, "POST", "/api/partner-documents/template-files", w.FormDataContentType(), form.Bytes(), "own-pdf")
	var file struct{ ID string }
	if uploaded == nil || uploaded.StatusCode != http.StatusCreated || json.NewDecoder(uploaded.Body).Decode(&file) != nil {
		t.Fatal("the PDF is answered", uploaded)
	}
	placed := []map[string]any{{"name": "driver", "kind": "signature", "page": 1, "x": 20, "y": 200, "w": 50, "h": 25}}
	for n, name := range []string{"driver.pesel", "driver.idNumber", "driver.address", "account.payout", "statement.disability"} {
		placed = append(placed, map[string]any{"name": name, "kind": "text", "page": 1, "x": 20, "y": 20 + 10*n, "w": 120, "h": 8})
	}
	body := db.JSON(map[string]any{"name": "Own PDF", "language": "pl", "kind": "other", "form": "simple", "order": 900, "for": []string{},
		"required": true, "active": true, "fileId": file.ID, "placements": placed})
	if status := p.call(t, token, "POST", "/api/partner-documents/templates", body, "own-template", nil); status != http.StatusCreated {
		t.Fatal("the document is answered ", status)
	}
}

// licence uploads the driving licence of a driver, with its number.
func (p *process) licence(t *testing.T, token, driver string, n int) {
	t.Helper()
	var picture, form bytes.Buffer
	seen := image.NewGray(image.Rect(0, 0, 64, 64))
	seen.SetGray(n, n, color.Gray{255})
	if err := png.Encode(&picture, seen); err != nil {
		t.Fatal(err)
	}
	w := multipart.NewWriter(&form)
	for name, value := range map[string]string{"type": "driving_licence", "validTo": "2027-01-01", "number": secretLicence} {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, side := range []string{"front", "back"} {
		part, err := w.CreateFormFile(side, side+".png")
		if err == nil {
			_, err = part.Write(picture.Bytes())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	answer := p.ask(t, token, "POST", "/api/driver-documents?driverUUID="+driver, w.FormDataContentType(), form.Bytes(), fmt.Sprint("licence-", n))
	if answer == nil || answer.StatusCode != http.StatusCreated {
		t.Fatal("the licence is answered", answer)
	}
}

// The process is killed while contracts are signed and sealed: in the end there is one contract for each driver, every file of it is
// sealed, and nothing personal stands in what the process wrote: logs, mails, database, files, exports.
func TestKilledSealing_SealsEveryFileOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			people := kills()
			server, stamps := testkit.NewSMTP(t), testkit.NewStamps(t)
			stamps.Slow.Store(true)
			env := append(place(t, engine), "SALDO_LOG_LEVEL=debug", "SALDO_SMTP_URL="+server.URL(), "SALDO_TSA_URL="+stamps.URL)
			p := start(t, env...)
			token := p.token(t)
			p.ownPDF(t, token)
			d := databaseOf(t, engine, env)
			who := demoPartner(t, d)
			data := strings.TrimPrefix(env[0], "SALDO_DATA=")
			book := drivers.Service{Vault: testkit.Vault(t, app.KeyFile(config.Settings{Data: data})), Country: "PL"}
			var ids []string
			testkit.Write(t, d, who, func(tx *db.Tx) (err error) {
				added := make([]drivers.NewDriver, people)
				for n := range added {
					added[n].Details = drivers.Details{FirstName: "Jan", LastName: fmt.Sprint("Kowalski ", n), Email: fmt.Sprintf("jan%d@mail.example", n)}
				}
				ids, err = book.AddMany(tx, added)
				return err
			})
			var logs strings.Builder
			for n, id := range ids {
				kind, body := p.submission(t, token, id, n)
				p.licence(t, token, id, n)
				killed := time.AfterFunc(rand.N(400*time.Millisecond), func() { _ = p.Process.Kill() })
				p.ask(t, token, "POST", "/api/partner-documents/signed", kind, body, fmt.Sprint("sign-", n))
				_ = p.Wait()
				killed.Stop()
				fallSilent(t, d)
				logs.WriteString(p.out.String())
				p = start(t, env...)
				token = p.token(t) // its address is another one
				again := p.ask(t, token, "POST", "/api/partner-documents/signed", kind, body, fmt.Sprint("sign-", n))
				var made struct {
					ContractID string
					Version    int64
				}
				if again == nil || again.StatusCode != http.StatusCreated || json.NewDecoder(again.Body).Decode(&made) != nil {
					t.Fatalf("signing is answered %v", again)
				}
				if status := p.call(t, token, "POST", "/api/partner-documents/contracts/"+made.ContractID+"/countersign",
					db.JSON(map[string]any{"version": made.Version}), fmt.Sprint("counter-", n), nil); status != 200 {
					t.Fatal("countersigning is answered ", status)
				}
			}
			type state struct{ Contracts, Files, Sealed, Open int64 }
			var found state
			testkit.Eventually(t, "every file is sealed", func() bool {
				testkit.Read(t, d, who, func(tx *db.Tx) (err error) {
					found, err = db.One[state](tx, `SELECT (SELECT COUNT(*) FROM contracts WHERE tenant_id = $1) AS contracts, COUNT(*) AS files,
						SUM(CASE WHEN sealed_key <> '' AND stamp = 'done' THEN 1 ELSE 0 END) AS sealed,
						SUM(CASE WHEN sealed_key = '' THEN 1 ELSE 0 END) AS open FROM contract_files WHERE tenant_id = $1`)
					return err
				})
				return found.Open == 0
			})
			if found.Contracts != int64(people) || found.Sealed != found.Files || found.Files != int64(people)*8 {
				t.Errorf("%+v of %d people", found, people)
			}
			testkit.Eventually(t, "the drivers are told of their new accounts", func() bool { return len(server.Taken()) >= people })
			exported := p.ask(t, token, "GET", "/api/drivers/export?format=csv", "", nil, "")
			written := map[string]string{"logs": logs.String() + p.out.String(), "rows": rowsOf(t, engine, d)}
			if exported != nil && exported.StatusCode == http.StatusOK {
				content, _ := io.ReadAll(exported.Body)
				written["export"] = string(content)
			} else {
				t.Error("the export is not answered", exported)
			}
			for what, path := range map[string]string{"contracts": "/api/partner-documents/signed", "search by name": "/api/search?q=Kowalski",
				"search by personal number": "/api/search?q=" + secretPESEL, "search by document": "/api/search?q=" + secretID,
				"search by licence": "/api/search?q=" + url.QueryEscape(secretLicence)} {
				answer := p.ask(t, token, "GET", path, "", nil, "")
				if answer == nil || answer.StatusCode != http.StatusOK {
					t.Fatal(what, answer)
				}
				content, _ := io.ReadAll(answer.Body)
				written[what] = string(content)
			}
			stop(t, p)
			written["logs"] += p.out.String()
			for n, m := range server.Taken() {
				written[fmt.Sprint("mail ", n)] = m.Data + testkit.PlainText(t, m.Data)
			}
			err := filepath.WalkDir(data, func(name string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() || strings.Contains(name, "compiled") {
					return err
				}
				content, err := os.ReadFile(name)
				written[name] = string(content)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			for where, text := range written {
				for _, secret := range []string{secretPESEL, secretID, secretAccount, secretAccount[4:], secretStreet, secretLicence, `"disability":"severe"`, `disability\":\"severe`} {
					if where == "export" && strings.Contains(secretAccount, secret) {
						continue // the list of drivers has the account as the partner keeps it
					}
					if strings.Contains(text, secret) {
						at := strings.Index(text, secret)
						t.Errorf("%s holds %s: …%s", where, secret, text[max(0, at-80):at])
					}
				}
			}
			verified(t, env)
		})
	}
}

// rowsOf is every row of every table as text, on PostgreSQL; the files of SQLite are searched as they are.
func rowsOf(t *testing.T, engine string, d *db.DB) string {
	t.Helper()
	if engine != "postgres" {
		return ""
	}
	var all strings.Builder
	testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) error {
		tables, err := db.Select[string](tx.Across(), `SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'`)
		for _, table := range tables {
			rows, err := db.Select[string](tx.Across(), `SELECT CAST(x AS TEXT) FROM `+table+` x`)
			if err != nil {
				return err
			}
			all.WriteString(strings.Join(rows, "\n"))
		}
		return err
	})
	if all.Len() < 10_000 {
		t.Errorf("only %d characters of rows were read", all.Len())
	}
	return all.String()
}
