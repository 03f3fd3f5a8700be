package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// pictured is a picture that no other is.
func (w *world) pictured() []byte {
	n := w.keys.Add(1)
	m := image.NewRGBA(image.Rect(0, 0, 48, 48))
	m.Set(int(n%48), int(n/48%48), color.RGBA{uint8(n), uint8(n >> 8), uint8(n >> 16), 255})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// invoiceFields are those of an invoice without a finding that must be confirmed.
func (w *world) invoiceFields() map[string]any {
	return map[string]any{"number": fmt.Sprint(canary, "north ", w.keys.Add(1)), "issueDate": "2026-10-28", "issuerTaxId": "5260250274",
		"net": 100_00 + w.keys.Load()*100, "vatStandard": 0, "gross": 100_00 + w.keys.Load()*100, "vatZeroBase": 100_00 + w.keys.Load()*100}
}

func asText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// invoiced is the id of an invoice of a driver of north that waits to be verified.
func (w *world) invoiced(t *testing.T) string {
	t.Helper()
	var made struct{ ID string }
	status, text := w.call(t, "partner", "POST", "/api/invoice-images/partner", form(canary+"north.png", w.pictured(), "driverUUID", w.driverOf(t, "north"),
		"data", asText(w.invoiceFields())), &made)
	if status != http.StatusCreated {
		t.Fatal(status, text)
	}
	return made.ID
}

type openedInvoice struct {
	Invoice struct {
		ID, State, WaitsFor, DescribedBy, Source, Feedback, RejectReason, DriverUUID string
		Version, FileVersion, SettlementNumber                                       int64
		VATReturn, Provision                                                         int64
		Fields                                                                       map[string]any
	}
	Findings []struct{ Code, Severity, Field, OtherID string }
	Trail    []struct{ By, Name, Action string }
	Reading  struct{ State, Source string }
}

// A driver sends an invoice, the partner corrects and approves it, and the settlement takes it: what the calls answer at every step, to
// both and to strangers.
func TestInvoiceImages_AreDescribedApprovedAndSettled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		file := w.pictured()
		fields := w.invoiceFields()
		fields["buyerTaxId"] = "5213103333"
		var made struct {
			ID, State string
			Version   int64
		}
		data := asText(fields)
		status, text := w.call(t, "driver", "POST", "/api/invoice-images", form("foto.png", file, "data", data), &made)
		if status != http.StatusCreated || made.State != "to_verify" {
			t.Fatal(status, text)
		}
		if status, text = w.call(t, "driver", "POST", "/api/invoice-images", form("foto.png", file), nil); status != http.StatusConflict ||
			!strings.Contains(text, "invoices.same_file") {
			t.Error("the same file again:", status, text)
		}
		var verified struct {
			OK       bool
			Findings []struct{ Code, Severity, OtherID string }
		}
		if status, text = w.call(t, "driver", "POST", "/api/invoice-images/verify-details", map[string]any{"fields": fields}, &verified); status != 200 ||
			verified.OK || verified.Findings[0].Code != "NUMBER_DUPLICATE" || verified.Findings[0].OtherID != made.ID {
			t.Error(status, text)
		}
		if status, text = w.call(t, "driver", "POST", "/api/invoice-images/verify-details",
			map[string]any{"fields": fields, "exceptId": made.ID}, &verified); status != 200 || !verified.OK {
			t.Error(status, text)
		}
		var opened openedInvoice
		at := "/api/invoice-images/" + made.ID
		if status, text = w.call(t, "partner", "GET", at, nil, &opened); status != 200 || opened.Invoice.DescribedBy != "driver" || len(opened.Trail) != 1 {
			t.Fatal(status, text)
		}
		change := func(action string, more ...any) formed {
			c := map[string]any{"fields": fields, "version": opened.Invoice.Version, "action": action}
			for i := 0; i+1 < len(more); i += 2 {
				c[more[i].(string)] = more[i+1]
			}
			return formOf("data", asText(c))
		}
		// a driver may not approve, and neither may a stranger
		if status, text = w.call(t, "driver", "PUT", at, change("approve"), nil); status != http.StatusForbidden {
			t.Error(status, text)
		}
		if status, text = w.call(t, "other", "PUT", at, change("approve"), nil); status != http.StatusNotFound {
			t.Error(status, text)
		}
		fields["net"], fields["vatStandard"], fields["gross"], fields["vatZeroBase"] = 200_00, 46_00, 246_00, 0
		if status, text = w.call(t, "partner", "PUT", at, change("approve"), &opened); status != 200 {
			t.Fatal(status, text)
		}
		if opened.Invoice.State != "approved" || opened.Invoice.DescribedBy != "partner" || opened.Invoice.VATReturn != 46_00 {
			t.Errorf("%+v", opened.Invoice)
		}
		var page struct {
			Items  []struct{ ID string }
			Totals struct{ Count, Gross, VAT, VATReturn, Provision int64 }
			Counts map[string]int64
		}
		if status, text = w.call(t, "driver", "GET", "/api/invoice-images?approvedOnly=true", nil, &page); status != 200 || len(page.Items) != 1 ||
			page.Totals.VATReturn != 46_00 || page.Counts["approved"] != 1 {
			t.Error(status, text)
		}
		if status, _ = w.call(t, "driver", "GET", "/api/invoice-images?partnerUUID=south", nil, nil); status != http.StatusNotFound {
			t.Error("another partner's invoices:", status)
		}
		var provision struct {
			PerInvoice []struct {
				ID                   string
				VATReturn, Provision int64
			}
		}
		if status, text = w.call(t, "driver", "GET", "/api/invoice-images/provision", nil, &provision); status != 200 || len(provision.PerInvoice) != 1 {
			t.Error(status, text)
		}
		// the picture is one that we drew, the original a download
		if status, text = w.call(t, "driver", "GET", at+"/preview?width=100", nil, nil); status != 200 || !strings.Contains(text[:16], "PNG") &&
			!strings.Contains(text[:16], "\xff\xd8") {
			t.Error(status, text[:min(len(text), 200)])
		}
		if status, text = w.call(t, "partner", "GET", at+"/file", nil, nil); status != 200 || text != string(file) {
			t.Error("the original:", status, len(text))
		}
		if status, text = w.call(t, "partner", "POST", "/api/invoice-images/reject/"+made.ID, map[string]any{"reason": "other", "text": "no"}, nil); status !=
			http.StatusConflict {
			t.Error("an approved one is rejected:", status, text)
		}
	})
}

// formOf is a form without a file.
func formOf(fields ...string) formed {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
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

// The worked cases that have invoices come out the same when drivers and the partner enter them by the calls.
func TestInvoiceImages_GiveTheFiguresOfTheWorkedCases(t *testing.T) {
	text, err := os.ReadFile("../settlements/engine/testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		workedCase
		Partner struct {
			CommissionBp    int64
			ProvisionCharge string
		}
		Invoices []struct {
			Gross, VATStandard, VATReduced int64
			DescribedBy                    string
		}
		Expected struct {
			To      calendar.Date
			Figures map[string]money.Amount
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, w *world) {
		compared := 0
		for _, one := range all {
			if len(one.Invoices) == 0 {
				continue
			}
			driver := w.workedDriver(t, one.workedCase, func(*rules.Rules) {})
			testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE partner_profiles SET commission = $2, provision_charge = $3, drivers_choose_frequency = TRUE,
					drivers_describe = TRUE WHERE tenant_id = $1`, one.Partner.CommissionBp, strings.ToLower(one.Partner.ProvisionCharge))
				return err
			})
			w.brings(t, driver, one.Transactions)
			for _, v := range one.Invoices {
				compared++
				fields := w.invoiceFields()
				fields["issueDate"], fields["gross"], fields["vatStandard"], fields["vatReduced"] = one.Expected.To, v.Gross, v.VATStandard, v.VATReduced
				fields["net"], fields["vatZeroBase"] = v.Gross-v.VATStandard-v.VATReduced, 0
				var made struct {
					ID      string
					Version int64
				}
				if v.DescribedBy == "DRIVER" {
					w.linkOnly(t, driver)
					w.call(t, "driver", "POST", "/api/invoice-images", form("a.png", w.pictured(), "data", asText(fields)), &made)
				} else {
					w.call(t, "partner", "POST", "/api/invoice-images/partner",
						form("a.png", w.pictured(), "driverUUID", driver, "data", asText(fields)), &made)
				}
				change := map[string]any{"fields": fields, "version": made.Version, "action": "approve"}
				if status, text := w.call(t, "partner", "PUT", "/api/invoice-images/"+made.ID, formOf("data", asText(change)), nil); status != 200 {
					t.Fatal(status, text)
				}
			}
			var pending struct{ Figures map[string]money.Amount }
			w.call(t, "partner", "GET", "/api/drivers/"+driver+"/pending-settlement?period="+string(one.Period), nil, &pending)
			for name, want := range one.Expected.Figures {
				if got := pending.Figures[name]; got != want {
					t.Errorf("%s: %s is %v, not %v", one.Name, name, got, want)
				}
			}
		}
		if compared != 3 {
			t.Errorf("%d invoices were entered", compared)
		}
	})
}
