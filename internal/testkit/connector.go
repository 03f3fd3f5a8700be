package testkit

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// Refuelling is what a connector knows of one.
type Refuelling struct {
	Card  string
	On    calendar.Date
	Gross int64 // grosze
	Bill  string
}

// Connector is a connector to issuers of fuel cards: it keeps the transactions of one fleet, for one account, and gives those of the days
// that are asked for, as the issuer's file has them. A test sets its faults.
type Connector struct {
	*httptest.Server
	Fleet string

	mu       sync.Mutex
	password string
	rows     []Refuelling
	logins   map[string]int
	asked    []string // from/to of each request that was let in
	fault    func(w http.ResponseWriter, r *http.Request) bool
}

// NewConnector starts one with a certificate of its own, for the account anna.
func NewConnector(t testing.TB) *Connector {
	t.Helper()
	c := &Connector{Fleet: "0012345", password: DrivePassword, logins: map[string]int{}}
	c.Server = httptest.NewTLSServer(http.HandlerFunc(c.answer))
	t.Cleanup(c.Close)
	return c
}

func (c *Connector) answer(w http.ResponseWriter, r *http.Request) {
	account, password, _ := r.BasicAuth()
	query := r.URL.Query()
	c.mu.Lock()
	c.logins[password]++
	fault, right := c.fault, account == "anna" && password == c.password
	if right {
		c.asked = append(c.asked, query.Get("from")+"/"+query.Get("to"))
	}
	c.mu.Unlock()
	switch {
	case !right:
		w.WriteHeader(http.StatusUnauthorized)
	case fault != nil && fault(w, r):
	case r.Method != http.MethodGet || r.URL.Path != "/connector/fuel/orlen/transactions" || query.Get("fleet") != c.Fleet:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		_, _ = w.Write([]byte(c.file(calendar.Date(query.Get("from")), calendar.Date(query.Get("to")))))
	}
}

// file is what the connector gives for some days.
func (c *Connector) file(from, to calendar.Date) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return OrlenFile(c.rows, from, to)
}

// OrlenFile is a statement of those refuellings that are of these days.
func OrlenFile(rows []Refuelling, from, to calendar.Date) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Zestawienie transakcji\nOkres: %s - %s\n\n%s\n", from, to, strings.Join([]string{"Numer karty", "Typ karty",
		"Numer rejestracyjny / Użytkownik", "Data transakcji", "Godzina", "Data księgowania", "Numer stacji", "Miejscowość", "Produkt", "Ilość",
		"J.m.", "Cena jedn. brutto", "Rabat brutto", "Wartość netto", "Stawka VAT", "Kwota VAT", "Wartość brutto", "Stan licznika",
		"Numer WZ"}, ";"))
	var all int64
	for _, r := range rows {
		if r.On < from || r.On > to {
			continue
		}
		all += r.Gross
		amount := strings.ReplaceAll(money.Amount(r.Gross).String(), ".", ",")
		day := string(r.On[8:10] + "." + r.On[5:7] + "." + r.On[:4])
		fmt.Fprintf(&out, "%s;K;OKAZICIEL;%s;06:10;%s;4100;Łódź;Verva ON;30,00;l;6,59;0,00;;23%%;;%s;;%s\n", r.Card, day, day, amount, r.Bill)
	}
	fmt.Fprintf(&out, "Razem:;;;;;;;;;;;;;;;;%s;;\n", strings.ReplaceAll(fmt.Sprintf("%.2f", float64(all)/100), ".", ","))
	return out.String()
}

// Address is what the program is told of it.
func (c *Connector) Address() *url.URL {
	u, err := url.Parse(c.URL + "/connector")
	if err != nil {
		panic(err)
	}
	return u
}

// Trust is what a client needs to believe it.
func (c *Connector) Trust() *tls.Config {
	return c.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
}

// Book adds refuellings, as the issuer does, some of them late.
func (c *Connector) Book(rows ...Refuelling) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows = append(c.rows, rows...)
}

// Forget drops all refuellings.
func (c *Connector) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows = nil
}

// SetPassword is somebody who changes the password at the other side.
func (c *Connector) SetPassword(password string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.password = password
}

// Logins is how many requests came with a password.
func (c *Connector) Logins(password string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.logins[password]
}

// Asked are the days of each request that was let in, as from/to.
func (c *Connector) Asked() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.asked...)
}

// When lets something else happen instead of an answer where it says so; nil: nothing.
func (c *Connector) When(fault func(w http.ResponseWriter, r *http.Request) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fault = fault
}
