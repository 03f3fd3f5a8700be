package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const licenceWanted = `{"package":"start","quantity":1,"expectsGross":12177,"language":"pl","buyer":{"name":"Anna Tajna","taxId":"5260250274",
	"street":"Sekretna","houseNumber":"7","apartmentNumber":"","postCode":"00-839","city":"Warszawa","country":"PL","email":"tajna@mail.example"}}`

// selling are the settings of an operator, for the program and for commands beside it.
var selling = []string{"SALDO_PAYMENTS=sandbox", "SALDO_OPERATOR_NAME=Saldo Test", "SALDO_OPERATOR_TAX_ID=5213017228",
	"SALDO_OPERATOR_STREET=Prosta 1", "SALDO_OPERATOR_PLACE=00-838 Warszawa", "SALDO_OPERATOR_EMAIL=operator@mail.example"}

// decide does something on the page of the sandbox; false: the process did not answer.
func decide(t *testing.T, address, what string) bool {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Post(address, "application/x-www-form-urlencoded", strings.NewReader("do="+what))
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusSeeOther
}

// TestLicences_TheWholeProgram buys in the running demo, whose sandbox posts its events over HTTP, and does what operators do.
func TestLicences_TheWholeProgram(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			env := append(place(t, engine), selling...)
			p := start(t, env...)
			token := p.token(t)
			var order struct{ ID, Number, State string }
			if status := p.call(t, token, "POST", "/api/licences/orders", licenceWanted, "order", &order); status != 201 {
				t.Fatalf("ordering is answered %d", status)
			}
			var paying struct{ State, RedirectURL string }
			if status := p.call(t, token, "POST", "/api/licences/orders/"+order.ID+"/pay", `{}`, "pay", &paying); status != 202 {
				t.Fatalf("paying is answered %d", status)
			}
			if !decide(t, paying.RedirectURL, "twice") {
				t.Fatal("the page of the sandbox did not take it")
			}
			testkit.Eventually(t, "the order is paid", func() bool {
				return p.call(t, token, "GET", "/api/licences/orders/"+order.ID, "", "", &order) == 200 && order.State == "success"
			})
			run := func(fails bool, args ...string) string {
				t.Helper()
				out, err := program(t, env, args...).CombinedOutput()
				if (err != nil) != fails {
					t.Errorf("%v: %v %s", args, err, out)
				}
				return string(out)
			}
			if out := run(false, "licences", "list"); !strings.Contains(out, "L/DEMO/1") || !strings.Contains(out, "success") || !strings.Contains(out, "FL/2") {
				t.Error(out)
			}
			if out := run(false, "licences", "reconcile"); !strings.Contains(out, "0 payments were asked about") {
				t.Error(out)
			}
			if out := run(true, "licences", "refund", "L/DEMO/9", "all", "all", "no such order"); !strings.Contains(out, "there is no order") {
				t.Error(out)
			}
			if out := run(true, "licences", "refund", "L/DEMO/1", "1,5", "all", "a comma"); !strings.Contains(out, "write it as 123.45") {
				t.Error(out)
			}
			for _, wrong := range [][]string{{"licences"}, {"licences", "sell"}, {"licences", "refund"}, {"licences", "list", "a", "b", "c", "d"}} {
				run(true, wrong...)
			}
			if out := run(false, "licences", "refund", "L/DEMO/1", "21.77", "10", "complaint"); !strings.Contains(out, "21.77 PLN of L/DEMO/1 go back, and 10 units; 930 are left") {
				t.Error(out)
			}
			d := databaseOf(t, engine, env)
			who := demoPartner(t, d)
			testkit.Eventually(t, "the correction is written", func() (done bool) {
				testkit.Read(t, d, who, func(tx *db.Tx) error {
					n, err := db.One[int64](tx, `SELECT COUNT(*) FROM licence_documents WHERE tenant_id = $1 AND kind = 'correction' AND gross = -2177`)
					done = n == 1
					return err
				})
				return done
			})
			if out := run(false, "verify"); !strings.Contains(out, "0 problems") {
				t.Error(out)
			}
			for _, secret := range []string{"Tajna", "Sekretna", "5260250274", "tajna@mail.example"} {
				if strings.Contains(p.out.String(), secret) {
					t.Errorf("%q is in the log", secret)
				}
			}
			stop(t, p)
			testkit.Write(t, d, who, func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE licence_balances SET granted = granted + 1 WHERE tenant_id = $1`)
				return err
			})
			if out := run(true, "verify"); !strings.Contains(out, "units are those of grants and orders less refunds") {
				t.Error(out)
			}
		})
	}
}

// TestKilledPurchases_AreAsTheProviderSaysAfterOneReconciliation kills the program at any moment of paying orders.
func TestKilledPurchases_AreAsTheProviderSaysAfterOneReconciliation(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			env := append(place(t, engine), append(selling, "SALDO_LOG_LEVEL=error")...)
			p := start(t, env...)
			token := p.token(t)
			d := databaseOf(t, engine, env)
			who := demoPartner(t, d)
			for round := range kills() / 2 {
				var order struct{ ID string }
				if status := p.call(t, token, "POST", "/api/licences/orders", licenceWanted, fmt.Sprint("order ", round), &order); status != 201 {
					t.Fatalf("ordering is answered %d", status)
				}
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					time.Sleep(rand.N(150 * time.Millisecond))
					_ = p.Process.Kill()
				}()
				var paying struct{ RedirectURL string }
				if p.call(t, token, "POST", "/api/licences/orders/"+order.ID+"/pay", `{}`, fmt.Sprint("pay ", round), &paying) == 202 && paying.RedirectURL != "" {
					decide(t, paying.RedirectURL, "pay")
				}
				<-ended
				_ = p.Wait()
				fallSilent(t, d)
				p = start(t, env...)
				token = p.token(t)
			}
			if out, err := program(t, env, "licences", "reconcile").CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			testkit.Read(t, d, who, func(tx *db.Tx) error {
				states, err := db.One[struct{ Paid, Orders, Given, Invoices int64 }](tx, `SELECT
					(SELECT COUNT(*) FROM payment_attempts a JOIN sandbox_payments b ON b.unique_key = a.id WHERE a.tenant_id = $1 AND b.state = 'paid') AS paid,
					(SELECT COUNT(*) FROM licence_orders WHERE tenant_id = $1 AND state = 'success') AS orders,
					(SELECT COUNT(*) FROM licence_entries WHERE tenant_id = $1 AND kind = 'order') AS given,
					(SELECT COUNT(*) FROM licence_documents WHERE tenant_id = $1) AS invoices FROM licence_balances WHERE tenant_id = $1`)
				if states.Orders != states.Paid || states.Given != states.Paid || states.Invoices != states.Paid {
					t.Errorf("%+v", states)
				}
				t.Logf("%+v", states)
				return err
			})
			if out, err := program(t, env, "verify").CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			stop(t, p)
		})
	}
}
