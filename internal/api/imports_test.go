package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports"
	"saldo/internal/imports/providers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// formed is a body with its media type.
type formed struct {
	mediaType string
	content   []byte
}

// form is an upload: a file and fields in pairs.
func form(name string, content []byte, fields ...string) formed {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(content)
	}
	for i := 0; i+1 < len(fields) && err == nil; i += 2 {
		err = w.WriteField(fields[i], fields[i+1])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return formed{w.FormDataContentType(), b.Bytes()}
}

// sheetOf is a file of our own template: rows of day, driver, type, amount and text.
func sheetOf(rows ...string) []byte {
	return []byte("date;driver_identifier;driver_name;type;amount;description\n" + strings.Join(rows, "\n") + "\n")
}

type importMade struct{ ID, Status string }

type oneImport struct {
	Import struct {
		ID, Status, Provider, Kind, Fault, DuplicateOf, FileName, PeriodFrom, UploadedBy string
		FaultParams                                                                      map[string]string
		Counts                                                                           struct {
			Drivers, Transactions struct{ All, New, Unassigned, Ignored, Existing, Failed, Fleet int64 }
		}
	}
	Preview struct {
		Rows  []struct{ Cells []string }
		Parts []struct {
			HeadLine            int64
			Encoding, Delimiter string
		}
		RowErrors []struct {
			Code  string
			Count int64
		}
		Warnings []struct{ Code, ImportID string }
		Matches  struct{ ByEmail int64 }
	}
	Progress struct{ State string }
}

func (w *world) send(t *testing.T, who, name string, content []byte, fields ...string) (made importMade) {
	t.Helper()
	if status, text := w.call(t, who, "POST", "/api/imports", form(name, content, fields...), &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made
}

// freshSheet is a file that nobody has sent yet, about somebody nobody knows.
func (w *world) freshSheet() []byte {
	return sheetOf(fmt.Sprintf("2026-11-02;%sperson-%d;%snorth;TRIP;1;x", canary, w.keys.Load(), canary))
}

func (w *world) sent(t *testing.T) string {
	t.Helper()
	return w.send(t, "partner", canary+"north.csv", w.freshSheet(), "provider", "PARTNER").ID
}

// imported is an import of north that was confirmed and written.
func (w *world) imported(t *testing.T) string {
	t.Helper()
	id := w.sent(t)
	w.must(t, 202, "partner", "POST", "/api/imports/"+id+"/confirm", map[string]any{})
	w.drain(t, id)
	return id
}

// stranger is an unmatched driver of north.
func (w *world) stranger(t *testing.T) (id string) {
	t.Helper()
	w.imported(t)
	var box struct{ Identities []struct{ ID string } }
	if status, text := w.call(t, "partner", "GET", "/api/unmatched-drivers?state=waiting", nil, &box); status != 200 || len(box.Identities) == 0 {
		t.Fatalf("%d %s", status, text)
	}
	return box.Identities[0].ID
}

// drain does the work of imports until one has left the running states.
func (w *world) drain(t *testing.T, id string) (one oneImport) {
	t.Helper()
	store := w.files(t)
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	service := &imports.Service{DB: w.app.DB(), Blobs: store, Instance: instance, Layouts: providers.Layouts()}
	q := jobs.NewQueue(w.app.DB(), slog.New(slog.DiscardHandler))
	q.Poll = 5 * time.Millisecond
	q.Handle(imports.AnalyzeKind, service.Analyze)
	q.Handle(imports.ConfirmKind, service.Import)
	running, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, 2) }()
	defer func() { cancel(); <-ended }()
	testkit.Eventually(t, "the import ends", func() bool {
		one = w.importOf(t, id)
		return one.Import.Status != "running" && one.Import.Status != "analyzing"
	})
	return one
}

func (w *world) importOf(t *testing.T, id string) (one oneImport) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", "/api/imports/"+id, nil, &one); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return one
}

func TestAFileGoesFromUploadToTheLogAndBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.addDriver(t, "partner", with(driverOf("Babiak"), "email", "oleh@example.com"))
		content := sheetOf("2026-11-02;oleh@example.com;;TRIP;12,50;=1+1", "2026-11-03;X1;Jan Nowak;COST;-3;", "2026-11-03;oleh@example.com;;TRIP;=abc;@x")
		made := w.send(t, "partner", `C:\files\week.csv`, content, "provider", "PARTNER", "city", "Warszawa", "mergeByName", "true")
		one := w.importOf(t, made.ID)
		if one.Import.Status != "preview" || one.Import.FileName != "week.csv" || one.Import.Kind != "template" || len(one.Preview.Rows) != 3 || one.Preview.RowErrors[0].Code != "wrong_amount" ||
			one.Preview.Matches.ByEmail != 1 || one.Import.Counts.Transactions.New != 1 || one.Import.Counts.Transactions.Unassigned != 1 || one.Import.Counts.Transactions.Failed != 1 {
			t.Errorf("%+v", one)
		}
		if text := w.must(t, 409, "partner", "DELETE", "/api/imports/"+made.ID, nil); !strings.Contains(text, "imports.not_imported") {
			t.Error(text)
		}
		w.must(t, 202, "partner", "POST", "/api/imports/"+made.ID+"/confirm", map[string]any{})
		if one = w.drain(t, made.ID); one.Import.Status != "success" || one.Import.Counts.Transactions.All != 3 {
			t.Fatalf("%+v", one)
		}
		w.must(t, 202, "partner", "POST", "/api/imports/"+made.ID+"/confirm", map[string]any{}) // joins
		if text := w.must(t, 409, "partner", "POST", "/api/imports/"+made.ID+"/cancel", nil); !strings.Contains(text, "imports.over") {
			t.Error(text)
		}
		if text := w.must(t, 200, "partner", "GET", "/api/imports/"+made.ID+"/file", nil); text != string(content) {
			t.Errorf("%q", text)
		}
		if text := w.must(t, 200, "partner", "GET", "/api/imports/"+made.ID+"/refused", nil); !strings.Contains(text, "Kwota nie jest liczbą. Jest: =abc.") || !strings.Contains(text, "'@x") || strings.Contains(text, "X1") {
			t.Errorf("%q", text)
		}
		var rows struct {
			Rows []struct {
				State  string
				Amount int64
			}
		}
		w.call(t, "partner", "GET", "/api/imports/"+made.ID+"/rows", nil, &rows)
		if fmt.Sprint(rows.Rows) != "[{transaction 1250} {unassigned -300}]" {
			t.Error(rows)
		}
		var list struct{ Imports []struct{ ID string } }
		for query, want := range map[string]int{"": 1, "?status=success&provider=PARTNER": 1, "?status=removed": 0, "?provider=UBER": 0, "?limit=1&after=" + made.ID: 0} {
			if w.call(t, "partner", "GET", "/api/imports"+query, nil, &list); len(list.Imports) != want {
				t.Errorf("%s: %v", query, list)
			}
		}
		again := w.send(t, "partner", "other name.csv", content, "provider", "PARTNER")
		if again.Status != "duplicated" {
			t.Errorf("%+v", again)
		}
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error { // as sweeping does in time
			_, err := tx.Exec(`UPDATE imports SET blob_key = '' WHERE tenant_id = $1 AND id = $2`, again.ID)
			return err
		})
		for _, what := range []string{"file", "refused"} {
			if text := w.must(t, 404, "partner", "GET", "/api/imports/"+again.ID+"/"+what, nil); !strings.Contains(text, "imports.file_gone") {
				t.Error(text)
			}
		}
		w.must(t, 204, "partner", "DELETE", "/api/imports/"+made.ID, nil)
		if again := w.send(t, "partner", "week.csv", content, "provider", "PARTNER"); again.Status != "preview" {
			t.Errorf("%+v", again)
		}
		if text := w.must(t, 200, "partner", "GET", "/api/imports/template", nil); !strings.HasPrefix(text, "\ufeffdate;driver_identifier;driver_name;app;type;amount;") {
			t.Errorf("%q", text)
		}
	})
}

func TestUnmatchedDriver_IsAssignedCreatedIgnoredAndUndone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", driverOf("Babiak"))
		made := w.send(t, "partner", "a.csv", sheetOf("2026-11-02;A-1;Jan Nowak;TRIP;1;", "2026-11-02;A-2;Ewa Lis;TRIP;2;", "2026-11-02;A-3;Iwo Kos;TRIP;4;"), "provider", "PARTNER")
		w.must(t, 202, "partner", "POST", "/api/imports/"+made.ID+"/confirm", map[string]any{})
		w.drain(t, made.ID)
		type box struct {
			Identities []struct {
				ID, Name, State, DriverUUID string
				Rows, Sum                   int64
			}
			Waiting, Assigned, Ignored int64
		}
		unmatched := func(query string) (b box) {
			w.call(t, "partner", "GET", "/api/unmatched-drivers"+query, nil, &b)
			return b
		}
		all := map[string]string{}
		for _, i := range unmatched("").Identities {
			all[i.Name] = i.ID
		}
		at := func(name, what string) string { return "/api/unmatched-drivers/" + all[name] + "/" + what }
		for _, wrong := range []string{"", "00000000-0000-0000-0000-000000000000", w.addDriver(t, "other", driverOf("Obcy"))} {
			if status, text := w.call(t, "partner", "POST", at("Jan Nowak", "assign"), map[string]string{"driverUUID": wrong}, nil); status != 404 && status != 422 {
				t.Errorf("%q: %d %s", wrong, status, text)
			}
		}
		if text := w.must(t, 200, "partner", "POST", at("Jan Nowak", "assign"), map[string]string{"driverUUID": driver}); !strings.Contains(text, `"rows":1`) {
			t.Error(text)
		}
		if text := w.must(t, 409, "partner", "POST", at("Jan Nowak", "ignore"), nil); !strings.Contains(text, "imports.identity_decided") {
			t.Error(text)
		}
		w.must(t, 201, "partner", "POST", at("Ewa Lis", "create"), map[string]any{})
		w.must(t, 204, "partner", "POST", at("Iwo Kos", "ignore"), nil)
		if b := unmatched("?state=assigned"); len(b.Identities) != 2 || b.Waiting != 0 || b.Assigned != 2 || b.Ignored != 1 {
			t.Errorf("%+v", b)
		}
		w.must(t, 200, "partner", "POST", at("Jan Nowak", "undo"), nil)
		w.must(t, 200, "partner", "POST", at("Iwo Kos", "undo"), nil)
		if text := w.must(t, 409, "partner", "POST", at("Iwo Kos", "undo"), nil); !strings.Contains(text, "imports.identity_undecided") {
			t.Error(text)
		}
		if b := unmatched("?state=waiting"); len(b.Identities) != 2 || b.Identities[0].Rows != 1 {
			t.Errorf("%+v", b)
		}
	})
}

func TestManyUnmatchedDrivers_AreCreatedAtOnceEachWithItsOutcome(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		babiak := w.addDriver(t, "partner", with(driverOf("Babiak"), "email", "oleh@example.com"))
		made := w.send(t, "partner", "a.csv", sheetOf("2026-11-02;A-1;Jan Nowak;TRIP;1;", "2026-11-02;A-2;Ewa Lis;TRIP;2;", "2026-11-03;A-2;Ewa Lis;TRIP;3;", "2026-11-02;A-3;;TRIP;4;",
			"2026-11-02;A-4;Cher;TRIP;5;", "2026-11-02;A-5;Babiak Oleh;TRIP;6;", "2026-11-02;A-6;Nowak  JAN;TRIP;7;", "2026-11-02;A-7;Iwo Kos;TRIP;8;"), "provider", "PARTNER")
		w.must(t, 202, "partner", "POST", "/api/imports/"+made.ID+"/confirm", map[string]any{})
		w.drain(t, made.ID)
		var box struct {
			Identities []struct {
				ID   string
				Keys []struct{ Value string }
			}
		}
		w.call(t, "partner", "GET", "/api/unmatched-drivers", nil, &box)
		ids := map[string]string{"none": "00000000-0000-0000-0000-000000000000"}
		for _, i := range box.Identities {
			ids[i.Keys[0].Value] = i.ID
		}
		w.must(t, 204, "partner", "POST", "/api/unmatched-drivers/"+ids["A-7"]+"/ignore", nil)
		drivers := func() int64 { return w.counted(t, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1`) }
		before := drivers()
		type answer struct {
			Outcomes []struct {
				ID, Outcome, DriverUUID string
				Rows                    int64
			}
		}
		ask := func(who, what string, keys ...string) (a answer) {
			list, people := []string{}, []any{}
			for _, key := range keys {
				list, people = append(list, ids[key]), append(people, map[string]any{"ids": []string{ids[key]}})
			}
			body := map[string]any{"people": people}
			if what == "undo" {
				body = map[string]any{"ids": list}
			}
			if status, text := w.call(t, who, "POST", "/api/unmatched-drivers/"+what, body, &a); status != 200 {
				t.Fatalf("%s: %d %s", what, status, text)
			}
			return a
		}
		for _, o := range ask("other", "create", "A-1", "A-2").Outcomes {
			if o.Outcome != "not_found" {
				t.Errorf("another partner: %+v", o)
			}
		}
		got := ""
		a := ask("partner", "create", "A-1", "A-2", "A-3", "A-4", "A-5", "A-6", "A-7", "none")
		for _, o := range a.Outcomes {
			got += fmt.Sprintf("%s %d, ", o.Outcome, o.Rows)
		}
		if want := "created 1, created 2, no_name 0, refused 0, same_name 0, same_name 0, decided 0, not_found 0, "; got != want {
			t.Errorf("%s instead of %s", got, want)
		}
		if a.Outcomes[4].DriverUUID != babiak || a.Outcomes[5].DriverUUID != a.Outcomes[0].DriverUUID {
			t.Errorf("who is the same: %+v", a.Outcomes)
		}
		if drivers() != before+2 || w.counted(t, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1`) != 3 ||
			w.counted(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'import_identities.assign'`) != 2 {
			t.Error("not exactly those who were made have rows and lines in the trail")
		}
		for _, o := range ask("partner", "create", "A-1", "A-2").Outcomes {
			if o.Outcome != "decided" {
				t.Errorf("again: %+v", o)
			}
		}
		undone := ask("partner", "undo", "A-2", "A-3", "none").Outcomes
		if undone[0].Outcome != "undone" || undone[0].Rows != 2 || undone[1].Outcome != "undecided" || undone[2].Outcome != "not_found" ||
			w.counted(t, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1`) != 1 {
			t.Errorf("%+v", undone)
		}
		for _, wrong := range []any{[]string{}, []string{ids["A-3"], ids["A-3"]}, make([]string, 501)} {
			for what, body := range map[string]any{"undo": map[string]any{"ids": wrong}, "create": map[string]any{"people": []any{map[string]any{"ids": wrong}}},
				"assign": map[string]any{"people": []any{map[string]any{"ids": wrong, "driverUUID": babiak}}}} {
				if status, text := w.call(t, "partner", "POST", "/api/unmatched-drivers/"+what, body, nil); status != 422 {
					t.Errorf("%s: %d %s", what, status, text)
				}
			}
		}
	})
}

func TestUnmatchedPeople_AreSeenOnceWithTheirMatchAndDecidedWhole(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bring := func(provider string, rows ...string) {
			made := w.send(t, "partner", provider+".csv", sheetOf(rows...), "provider", provider)
			w.must(t, 202, "partner", "POST", "/api/imports/"+made.ID+"/confirm", map[string]any{"reading": 1})
			w.drain(t, made.ID)
		}
		bring("PARTNER", "2026-11-02;jan@example.com;JAN KOWALSKI;TRIP;1;", "2026-11-02;A-2;Ewa Lis;TRIP;2;", "2026-11-02;A-3;Iwo Kos;TRIP;3;")
		bring("INTERNAL", "2026-11-02;B-1;Kowalski Jan;TRIP;4;", "2026-11-03;B-3;Iwo Kos;TRIP;5;")
		lis := w.addDriver(t, "partner", with(with(driverOf("Lis"), "firstName", "Ewa"), "email", "lis@example.com"))
		type page struct {
			People []struct {
				Identities                        []struct{ ID, Provider string }
				FirstName, LastName, Email, Phone string
				Rows, Sum                         int64
				Creatable                         bool
				Match                             *struct {
					DriverUUID string
					By         []string
					Certain    bool
				}
			}
			Next              string
			All, New, Certain int64
		}
		read := func(query string) (p page) {
			if status, text := w.call(t, "partner", "GET", "/api/unmatched-drivers/people"+query, nil, &p); status != 200 {
				t.Fatalf("%d %s", status, text)
			}
			return p
		}
		all := read("")
		if len(all.People) != 3 || all.All != 3 || all.New != 2 || all.Certain != 0 || all.Next != "" {
			t.Fatalf("%+v", all)
		}
		paged := read("?limit=1")
		if rest := read("?limit=2&after=" + paged.Next); len(paged.People) != 1 || len(rest.People) != 2 || rest.Next != "" || rest.All != 3 {
			t.Errorf("%+v %+v", paged, rest)
		}
		var jan, ewa, iwo []string
		for _, p := range all.People {
			ids := []string{}
			for _, i := range p.Identities {
				ids = append(ids, i.ID)
			}
			switch p.LastName {
			case "Kowalski":
				if jan = ids; p.FirstName != "Jan" || p.Email != "jan@example.com" || p.Rows != 2 || p.Sum != 500 || !p.Creatable || p.Match != nil {
					t.Errorf("%+v", p)
				}
			case "Lis":
				if ewa = ids; p.Creatable || p.Match == nil || p.Match.DriverUUID != lis || p.Match.Certain || p.Match.By[0] != "name" {
					t.Errorf("%+v", p)
				}
			case "Kos":
				iwo = ids
			}
		}
		// whoever belongs to another partner sees and decides nothing of it
		if text := w.must(t, 200, "other", "GET", "/api/unmatched-drivers/people", nil); !strings.Contains(text, `"people":[]`) {
			t.Error(text)
		}
		decide := func(what string, body any) string {
			return w.must(t, 200, "partner", "POST", "/api/unmatched-drivers/"+what, map[string]any{"people": []any{body}})
		}
		if text := decide("assign", map[string]any{"ids": ewa, "driverUUID": lis}); !strings.Contains(text, `"assigned"`) {
			t.Error(text)
		}
		if text := w.must(t, 201, "partner", "POST", "/api/unmatched-drivers/"+jan[0]+"/create", map[string]any{"also": jan[1:], "firstName": "Jan", "lastName": "Kowalski", "phone": "500 100 200"}); !strings.Contains(text, `"rows":2`) {
			t.Error(text)
		}
		w.must(t, 204, "partner", "POST", "/api/unmatched-drivers/"+iwo[0]+"/ignore", map[string]any{"also": iwo[1:]})
		if text := decide("create", map[string]any{"ids": iwo}); !strings.Contains(text, `"decided"`) {
			t.Error(text)
		}
		if left := read(""); left.All != 0 || w.counted(t, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1 AND last_name = 'Kowalski' AND email = 'jan@example.com' AND phone = '+48500100200'`) != 1 {
			t.Errorf("%+v", left)
		}
	})
}

func zipped(parts map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range parts {
		part, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(part, text)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestHostileFilesFailWithTheirReasonAndLeaveNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		valid := "date;driver_identifier;type;amount\n2026-11-02;X;TRIP;1\n"
		many := map[string]string{}
		for i := range 65 {
			many[fmt.Sprint(i, ".csv")] = valid
		}
		for name, c := range map[string]struct {
			file, want string
			content    []byte
		}{
			"nothing":           {"a.csv", "imports.empty", nil},
			"a picture":         {"a.csv", "imports.not_a_table", []byte("\x89PNG\r\n\x1a\n\x00\x00")},
			"late NUL":          {"a.csv", "imports.encoding", []byte(valid + strings.Repeat("2026-11-02;X;TRIP;1\n", 5000) + "2026-11-02;X;TRIP;\x00\n")},
			"an unclosed quote": {"a.csv", "imports.too_long", []byte(valid + `2026-11-02;"` + strings.Repeat("x\n", 900_000))},
			"too many columns":  {"a.csv", "imports.too_wide", []byte(valid + strings.Repeat(";", 2000))},
			"a bomb":            {"a.xlsx", "imports.too_large", zipped(map[string]string{"[Content_Types].xml": "<x/>", "xl/worksheets/sheet1.xml": strings.Repeat("<row/>", 12<<20)})},
			"too many parts":    {"a.zip", "imports.too_many", zipped(many)},
			"a cut archive":     {"a.zip", "imports.broken", zipped(map[string]string{"a.csv": valid})[:60]},
			"a password":        {"a.xlsx", "imports.protected", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1rest")},
			"an old workbook":   {"a.xls", "imports.old_workbook", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1rest")},
			"another table":     {"a.csv", "imports.not_recognised", []byte("a;b\n1;2\n")},
			"an archive inside": {"a.zip", "imports.not_a_table", zipped(map[string]string{"../../b.zip": string(zipped(many))})},
		} {
			started := time.Now()
			made := w.send(t, "partner", c.file, c.content, "provider", "PARTNER")
			if one := w.drain(t, made.ID); one.Import.Status != "failed" || one.Import.Fault != c.want {
				t.Errorf("%s: %s %s", name, one.Import.Status, one.Import.Fault)
			}
			if took := time.Since(started); took > 10*time.Second {
				t.Errorf("%s took %v", name, took)
			}
			if text := w.must(t, 409, "partner", "POST", "/api/imports/"+made.ID+"/confirm", map[string]any{}); !strings.Contains(text, "imports.over") {
				t.Error(text)
			}
		}
		// a sheet of our own says nothing of whose rows it holds
		if one := w.drain(t, w.send(t, "partner", "a.csv", []byte(valid)).ID); one.Import.Fault != "imports.provider_needed" || !strings.Contains(one.Import.FaultParams["choices"], "PARTNER") {
			t.Errorf("%+v", one.Import)
		}
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT (SELECT COUNT(*) FROM transactions WHERE tenant_id = $1) + (SELECT COUNT(*) FROM unmatched_rows WHERE tenant_id = $1)`)
			if n != 0 {
				t.Errorf("%d rows came of hostile files", n)
			}
			return err
		})
	})
}

func TestAnUploadIsRefusedByTheFieldThatIsWrong(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, c := range [][]string{{"provider", "MYTAXI"}, {"datesFrom", "02.11.2026"}, {"datesTo", "2026-02-30"}, {"bonusTo", "1999-12-31"}, {"city", strings.Repeat("a", 101)}} {
			if text := w.must(t, 422, "partner", "POST", "/api/imports", form("a.csv", w.freshSheet(), c...)); !strings.Contains(text, `"name":"`+c[0]+`"`) {
				t.Errorf("%v: %s", c, text)
			}
		}
		if text := w.must(t, 422, "partner", "POST", "/api/imports", form("a.csv", w.freshSheet(), "datesFrom", "2026-11-02", "datesTo", "2026-11-01")); !strings.Contains(text, `"name":"datesTo"`) {
			t.Error(text)
		}
		for _, query := range []string{"status=paid", "limit=101", "sort=x"} {
			w.must(t, 422, "partner", "GET", "/api/imports?"+query, nil)
		}
		if text := w.must(t, 422, "partner", "GET", "/api/imports/"+w.sent(t)+"/rows?after=x", nil); !strings.Contains(text, `"name":"after"`) {
			t.Error(text)
		}
		if list := w.must(t, 200, "partner", "GET", "/api/imports", nil); strings.Count(list, `"id":`) != 1 {
			t.Error(list)
		}
	})
}

func TestARepeatedUploadIsTheFirstOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		body := form("a.csv", w.freshSheet(), "provider", "PARTNER")
		answers := map[string]bool{}
		for range 3 {
			rq, err := http.NewRequest("POST", w.URL+"/api/imports", bytes.NewReader(body.content))
			if err != nil {
				t.Fatal(err)
			}
			rq.Header.Set("Authorization", "Bearer "+w.tokens["partner"])
			rq.Header.Set("Content-Type", body.mediaType)
			rq.Header.Set("Idempotency-Key", "the same")
			resp, err := http.DefaultClient.Do(rq)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != 201 {
				t.Fatalf("%d %s %v", resp.StatusCode, text, err)
			}
			answers[string(text)] = true
		}
		if len(answers) != 1 {
			t.Error(answers)
		}
		store := w.files(t)
		kept := 0
		for _, err := range store.List(context.Background(), "north/imports/") {
			if err != nil {
				t.Fatal(err)
			}
			kept++
		}
		if kept != 1 {
			t.Errorf("%d files are kept of one", kept)
		}
	})
}
