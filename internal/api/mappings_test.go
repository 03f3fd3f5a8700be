package api_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// without is a body without some of its fields.
func without(body map[string]any, names ...string) map[string]any {
	body = maps.Clone(body)
	for _, name := range names {
		delete(body, name)
	}
	return body
}

// unknown is a file of north that no layout knows; its head is one that nobody has described.
func (w *world) unknown(t *testing.T) string {
	t.Helper()
	made := w.send(t, "partner", canary+"north.csv", fmt.Appendf(nil, "Report\nKarta;Data;Brutto;Col%d\n700%d;21.09.2026;10,50;x\n", w.keys.Load(), w.keys.Load()))
	if made.Status != "failed" {
		t.Fatalf("the file is %s", made.Status)
	}
	return made.ID
}

func mappingOf(importID string) map[string]any {
	return map[string]any{"name": canary + "north", "importId": importID, "part": "", "headLine": 2, "provider": "ORLEN", "decimal": ",", "dateForm": "DD.MM.YYYY", "sign": "negated", "type": "FUEL",
		"columns": []map[string]string{{"header": "Karta", "role": "card"}, {"header": "Data", "role": "date"}, {"header": "Brutto", "role": "amount"}}}
}

// mapped is a mapping of north.
func (w *world) mapped(t *testing.T) string {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/import-mappings", mappingOf(w.unknown(t)), &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

func TestADescribedFileIsReadAgainWithoutAnotherUpload(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.unknown(t)
		one := w.importOf(t, id)
		if one.Import.Fault != "imports.not_recognised" || len(one.Preview.Rows) != 3 || len(one.Preview.Parts) != 1 || one.Preview.Parts[0].HeadLine != 2 ||
			one.Preview.Parts[0].Delimiter != ";" || one.Preview.Parts[0].Encoding != "UTF-8" {
			t.Fatalf("what is kept of an unknown file: %+v", one)
		}
		var tried struct {
			Rows []struct {
				Line     int64
				On, Type string
				Amount   int64
				Keys     []struct{ Kind, Value string }
			}
		}
		if status, text := w.call(t, "partner", "POST", "/api/import-mappings/try", without(mappingOf(id), "name"), &tried); status != 200 || len(tried.Rows) != 1 ||
			tried.Rows[0].On != "2026-09-21" || tried.Rows[0].Amount != -1050 || tried.Rows[0].Type != "FUEL" || tried.Rows[0].Keys[0].Kind != "card" {
			t.Errorf("%d %s", status, text)
		}
		w.must(t, 201, "partner", "POST", "/api/import-mappings", mappingOf(id))
		if one := w.drain(t, id); one.Import.Status != "preview" || one.Import.Provider != "ORLEN" || one.Import.Kind != "mapped" || one.Import.Counts.Transactions.Unassigned != 1 {
			t.Errorf("it is %+v", one.Import)
		}
		status, text := w.call(t, "partner", "POST", "/api/import-mappings", mappingOf(id), nil)
		if status != 409 || !strings.Contains(text, "imports.mapping_taken") {
			t.Errorf("the same head twice: %d %s", status, text)
		}
	})
}

func TestAWrongMappingIsRefusedByField(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.unknown(t)
		column := func(header, role string) map[string]string {
			return map[string]string{"header": header, "role": role}
		}
		for _, path := range []string{"/api/import-mappings", "/api/import-mappings/try"} {
			for field, change := range map[string][]any{
				"amount":           {"columns", []any{column("Karta", "card"), column("Data", "date")}},
				"date":             {"columns", []any{column("Karta", "card"), column("Brutto", "amount")}},
				"driver":           {"columns", []any{column("Data", "date"), column("Brutto", "amount")}},
				"columns.1.header": {"columns", []any{column("Karta", "card"), column("Day", "date"), column("Brutto", "amount")}},
				"columns.1.role":   {"columns", []any{column("Karta", "date"), column("Data", "date"), column("Brutto", "amount")}},
				"provider":         {"provider", "LYFT"},
				"type":             {"type", ""},
				"headLine":         {"headLine", 99},
			} {
				body := with(mappingOf(id), change[0].(string), change[1])
				if strings.HasSuffix(path, "try") {
					body = without(body, "name")
				}
				status, text := w.call(t, "partner", "POST", path, body, nil)
				if status != 422 || !strings.Contains(text, fmt.Sprintf("%q", field)) {
					t.Errorf("%s %s: %d %s", path, field, status, text)
				}
			}
		}
		if status, text := w.call(t, "partner", "POST", "/api/import-mappings", with(mappingOf(id), "name", " "), nil); status != 422 || !strings.Contains(text, `"name"`) {
			t.Errorf("without a name: %d %s", status, text)
		}
	})
}
