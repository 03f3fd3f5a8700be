package api_test

import (
	"archive/zip"
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/documents"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// documentForm is an upload of both sides of a document, with fields in pairs.
func documentForm(content []byte, fields ...string) formed {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, side := range []string{"front", "back"} {
		part, err := w.CreateFormFile(side, side+".png")
		if err == nil {
			_, err = part.Write(content)
		}
		if err != nil {
			panic(err)
		}
	}
	for i := 0; i+1 < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return formed{w.FormDataContentType(), b.Bytes()}
}

func documentTypeForm(version int64) map[string]any {
	return map[string]any{"names": map[string]string{"pl": "Karta paliwowa"}, "subject": "driver", "sides": 1, "required": false, "expires": true,
		"warns": false, "remindDays": []int{7, 30}, "active": true, "version": version}
}

type shownDocument struct {
	ID, TypeID, Vehicle, State, Number, ValidTo, Note, UploadedBy string
	Erased                                                        bool
	Version                                                       int64
	Images                                                        []struct{ ID, Side, FileType string }
}

type documentPlaces struct {
	DriverUUID string
	Places     []struct {
		TypeID, Vehicle, State    string
		Current, Waiting, Refused *shownDocument
	}
}

func (p *documentPlaces) state(id string) string {
	for _, place := range p.Places {
		if place.TypeID == id {
			return place.State
		}
	}
	return ""
}

// shownDocument is the id of a document of a driver of north and that of its front.
func (w *world) shownDocument(t *testing.T) string {
	t.Helper()
	var made shownDocument
	status, text := w.call(t, "partner", "POST", "/api/driver-documents?driverUUID="+w.driverOf(t, "north"),
		documentForm(w.pictured(), "type", "driving_licence", "validTo", "2030-01-01", "number", canary+"north 1"), &made)
	if status != http.StatusCreated {
		t.Fatal(status, text)
	}
	return made.ID + " " + made.Images[0].ID
}

// A driver sends a document, the partner rejects it, the driver sends a better one, which is accepted: what both see at every step, who
// looked at it, and what the partner takes away.
func TestDriverDocuments_AreUploadedRejectedAndAccepted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		var places documentPlaces
		if status, text := w.call(t, "driver", "GET", "/api/driver-documents", nil, &places); status != 200 || places.state("driving_licence") != "missing" {
			t.Fatal(status, text)
		}
		for name, wrong := range map[string]formed{
			"validTo": documentForm(w.pictured(), "type", "driving_licence"),
			"type":    documentForm(w.pictured(), "type", "library_card", "validTo", "2030-01-01"),
			"vehicle": documentForm(w.pictured(), "type", "insurance", "validTo", "2030-01-01"),
		} {
			if status, text := w.call(t, "driver", "POST", "/api/driver-documents", wrong, nil); status != 422 || !strings.Contains(text, `"name":"`+name+`"`) {
				t.Error(name, status, text)
			}
		}
		if status, text := w.call(t, "driver", "POST", "/api/driver-documents", documentForm(w.pictured(), "type", "driving_licence", "validTo", "2026-11-14"),
			nil); status != 422 {
			t.Error("expired when it came:", status, text)
		}
		if status, text := w.call(t, "driver", "POST", "/api/driver-documents", documentForm([]byte("<html>"), "type", "driving_licence", "validTo", "2030-01-01"),
			nil); status != 415 || !strings.Contains(text, "documents.file_type") {
			t.Error(status, text)
		}
		var first, second shownDocument
		w.call(t, "driver", "POST", "/api/driver-documents", documentForm(w.pictured(), "type", "driving_licence", "validTo", "2030-01-01", "number",
			"ABC 123"), &first)
		if first.State != "waiting" || len(first.Images) != 2 {
			t.Fatalf("%+v", first)
		}
		picture := "/api/driver-documents/" + first.ID + "/document-image/" + first.Images[0].ID + "/preview"
		for _, path := range []string{picture + "?blurred=true", picture, picture} {
			if status, text := w.call(t, "partner", "GET", path, nil, nil); status != 200 || !strings.HasPrefix(text, "\xff\xd8") {
				t.Error(path, status, len(text))
			}
		}
		if status, _ := w.call(t, "driver", "GET", picture, nil, nil); status != 200 {
			t.Error("the driver's own:", status)
		}
		reject := map[string]any{"version": 1, "text": "Cut off on the left."}
		if status, text := w.call(t, "partner", "POST", "/api/driver-documents/"+first.ID+"/reject", reject, nil); status != 200 {
			t.Fatal(status, text)
		}
		if status, text := w.call(t, "partner", "POST", "/api/driver-documents/"+first.ID+"/accept", map[string]any{"version": 1, "validTo": "2030-01-01"},
			nil); status != 409 {
			t.Error("accepted as it was before:", status, text)
		}
		w.call(t, "driver", "GET", "/api/driver-documents", nil, &places)
		if places.state("driving_licence") != "rejected" || places.Places[0].Refused.Note != "Cut off on the left." {
			t.Errorf("%+v", places.Places[0])
		}
		var board struct {
			Notes []struct{ Kind, Document, Topic, Content string }
		}
		if w.call(t, "driver", "GET", "/api/direct-messages/board?lang=pl", nil, &board); len(board.Notes) == 0 || board.Notes[0].Kind != "document_rejected" ||
			board.Notes[0].Document != "driving_licence" {
			t.Errorf("%+v", board)
		}
		w.call(t, "driver", "POST", "/api/driver-documents", documentForm(w.pictured(), "type", "driving_licence", "validTo", "2030-01-01"), &second)
		var accepted shownDocument
		w.call(t, "partner", "POST", "/api/driver-documents/"+second.ID+"/accept", map[string]any{"version": 1, "validTo": "2031-02-03", "number": "X1"}, &accepted)
		if accepted.State != "accepted" || accepted.ValidTo != "2031-02-03" {
			t.Errorf("%+v", accepted)
		}
		places = documentPlaces{}
		w.call(t, "driver", "GET", "/api/driver-documents", nil, &places)
		if p := places.Places[0]; p.State != "accepted" || p.Current.Number != "X1" || p.Waiting != nil || p.Refused != nil {
			t.Errorf("%+v", p)
		}
		if status, text := w.call(t, "driver", "DELETE", "/api/driver-documents/"+second.ID+"?version=2", nil, nil); status != 409 {
			t.Error("an accepted one is taken away by the driver:", status, text)
		}
		var opened struct {
			Trail []struct{ Action, Name string }
		}
		w.call(t, "partner", "GET", "/api/driver-documents/"+first.ID, nil, &opened)
		var actions []string
		for _, e := range opened.Trail {
			actions = append(actions, e.Action)
		}
		if want := []string{"documents.upload", "documents.view", "documents.view", "documents.reject"}; !slices.Equal(actions, want) {
			t.Errorf("the trail is %v, want %v", actions, want)
		}
		status, text := w.call(t, "partner", "GET", "/api/driver-documents/"+driver+"/zip", nil, nil)
		archive, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
		if status != 200 || err != nil || len(archive.File) != 2 || !strings.HasSuffix(archive.File[0].Name, "_driving-licence_2031-02-03_front.jpg") {
			t.Errorf("%d %v %v", status, err, archive)
		}
		if status, _ := w.call(t, "partner", "GET", "/api/driver-documents/"+driver+"/tar", nil, nil); status == 200 {
			t.Error("another ending is answered too")
		}
	})
}

// withPlace is a JPEG as cameras of phones make them, with the place where it was taken.
func withPlace(t *testing.T) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 200, 120))
	for x := range 200 {
		m.Set(x, 60, color.RGBA{200, 0, 0, 255})
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	exif := []byte("\xff\xe1\x00\x2cExif\x00\x00II*\x00\x08\x00\x00\x00GPS 52.2297 N 21.0122 E......")
	exif[3] = byte(len(exif) - 2)
	return slices.Concat(b.Bytes()[:2], exif, b.Bytes()[2:])
}

// What a camera wrote beside a picture is gone, at rest pictures cannot be read, and the number stands nowhere.
func TestDriverDocuments_KeepNothingButThePicture(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		var made shownDocument
		content := withPlace(t)
		if !bytes.Contains(content, []byte("52.2297")) {
			t.Fatal("the picture has no place")
		}
		status, text := w.call(t, "partner", "POST", "/api/driver-documents?driverUUID="+driver, documentForm(content, "type", "identity_card", "number",
			"ZZ9876543", "validTo", "2030-01-01"), &made)
		if status != 201 {
			t.Fatal(status, text)
		}
		status, text = w.call(t, "partner", "GET", "/api/driver-documents/"+made.ID+"/zip", nil, nil)
		archive, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
		if status != 200 || err != nil {
			t.Fatal(status, err)
		}
		from, err := archive.File[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		kept, err := io.ReadAll(from)
		if err != nil || bytes.Contains(kept, []byte("52.2297")) || bytes.Contains(kept, []byte("Exif")) || !bytes.HasPrefix(kept, []byte("\xff\xd8")) {
			t.Error("the place is kept", err)
		}
		// a file lies in the store sealed
		store := w.files(t)
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			keys, err := db.Select[string](tx, `SELECT blob_key FROM driver_document_images WHERE tenant_id = $1 AND document_id = $2`, made.ID)
			if err != nil || len(keys) != 2 {
				t.Errorf("%v %v", keys, err)
			}
			for _, key := range keys {
				if from, _, err := store.Get(t.Context(), key); err != nil {
					t.Error(err)
				} else {
					_ = from.Close()
				}
			}
			for _, query := range []string{`SELECT COUNT(*) FROM driver_documents WHERE tenant_id = $1 AND number_sealed LIKE '%ZZ9876543%'`,
				`SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND (before_state || after_state) LIKE '%ZZ9876543%'`,
				`SELECT COUNT(*) FROM idempotency_keys WHERE tenant_id = $1 AND answer LIKE '%ZZ9876543%'`} {
				if n, err := db.One[int64](tx, query); err != nil || n != 0 {
					t.Errorf("%s: %d %v", query, n, err)
				}
			}
			return nil
		})
		if status, text = w.call(t, "partner", "GET", "/api/driver-documents/expiring/export?within=366", nil, nil); status != 200 ||
			strings.Contains(text, "ZZ9876543") {
			t.Error(status, text)
		}
	})
}

// Whoever leaves the fleet has their documents erased a month later, unless there is a reason to keep one.
func TestDriverDocuments_OfWhoeverLeavesAreErased(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		var kept, erased shownDocument
		w.call(t, "driver", "POST", "/api/driver-documents", documentForm(w.pictured(), "type", "driving_licence", "validTo", "2030-01-01"), &kept)
		w.call(t, "driver", "POST", "/api/driver-documents", documentForm(w.pictured(), "type", "identity_card", "validTo", "2030-01-01", "number", "1"), &erased)
		if status, text := w.call(t, "partner", "POST", "/api/driver-documents/"+kept.ID+"/keep", map[string]any{"version": 1, "text": "A fine is open."},
			nil); status != 200 {
			t.Fatal(status, text)
		}
		if status, text := w.call(t, "driver", "DELETE", "/api/driver-accounts/partners", nil, nil); status != 204 {
			t.Fatal(status, text)
		}
		service := &documents.Service{DB: w.app.DB(), Blobs: w.files(t), Vault: w.vault}
		for _, step := range []struct {
			days   int
			erased bool
		}{{29, false}, {2, true}, {0, true}} {
			w.clock.Pass(time.Duration(step.days) * 24 * time.Hour)
			w.tokens["partner"] = w.mint.Token(t, principals["partner"].Subject, access.Partner, time.Hour, map[string]any{"auth_time": w.clock.Now().Unix()})
			testkit.Work(t, w.app.DB(), documents.SweepKind, service.Sweep)
			for id, gone := range map[string]bool{kept.ID: false, erased.ID: step.erased} {
				status, text := w.call(t, "partner", "GET", "/api/driver-documents/"+id+"/zip", nil, nil)
				if gone && (status != 404 || !strings.Contains(text, "documents.erased")) || !gone && status != 200 {
					t.Errorf("%d days later: %d %s", step.days, status, text)
				}
			}
		}
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM driver_document_images WHERE tenant_id = $1`)
			if n != 2 {
				t.Errorf("%d pictures are left", n)
			}
			return err
		})
	})
}
