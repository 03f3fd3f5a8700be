package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Operator is whoever runs this Saldo and sells licences, as its invoices name it.
type Operator struct {
	Name, TaxID, Street, Place string
	Account, Series, Email     string
}

// Payments are the ways in which licences are paid.
type Payments struct {
	Providers []string // in the order in which they are offered; none: nothing is sold
	Test      bool     // providers in their test mode, where no money is real
	Packages  string   // file of what is sold; empty: what comes with the program

	StripeKey          string
	StripeEventSecrets []string
	P24Merchant        int64
	P24Shop            int64
	P24Key, P24CRC     string
}

// The providers.
const (
	Sandbox    = "sandbox"
	Stripe     = "stripe"
	Przelewy24 = "przelewy24"
)

var paymentVariables = []Variable{
	{"SALDO_PAYMENTS", "", "How partners pay for licences: `stripe`, `przelewy24` or both with a comma; the first is the usual one. Empty: " +
		"licences are not sold; the demo uses `sandbox`, which takes no money"},
	{"SALDO_PAYMENTS_TEST", "", "`yes`: the payment providers are in their test mode, where no money is real"},
	{"SALDO_STRIPE_KEY", "", "Secret or restricted key of Stripe: checkout sessions and refunds written, payment intents and charges read"},
	{"SALDO_STRIPE_EVENT_SECRETS", "", "What Stripe signs events with (`whsec_…`); two with a comma while one replaces the other"},
	{"SALDO_P24_MERCHANT", "", "Merchant id at Przelewy24"},
	{"SALDO_P24_SHOP", "", "Shop id (posId) at Przelewy24; empty: the merchant id"},
	{"SALDO_P24_KEY", "", "Key for reports of Przelewy24"},
	{"SALDO_P24_CRC", "", "CRC key of Przelewy24"},
	{"SALDO_PACKAGES", "", "JSON file of the packages that are sold; empty: those that come with Saldo"},
	{"SALDO_OPERATOR_NAME", "", "Name of the operator on invoices for licences; empty: licences are not sold"},
	{"SALDO_OPERATOR_TAX_ID", "", "NIP of the operator; in Germany the USt-IdNr or the Steuernummer"},
	{"SALDO_OPERATOR_STREET", "", "Street and house number of the operator"},
	{"SALDO_OPERATOR_PLACE", "", "Post code and town of the operator"},
	{"SALDO_OPERATOR_ACCOUNT", "", "IBAN of the operator on invoices; empty: they name none"},
	{"SALDO_OPERATOR_SERIES", "FL", "How numbers of invoices for licences begin, as in `FL/2026/1`"},
	{"SALDO_OPERATOR_EMAIL", "", "Where the operator is told of payments that need a look; empty: the log alone"},
}

func operatorOf(values map[string]string) Operator {
	return Operator{values["SALDO_OPERATOR_NAME"], values["SALDO_OPERATOR_TAX_ID"], values["SALDO_OPERATOR_STREET"],
		values["SALDO_OPERATOR_PLACE"], values["SALDO_OPERATOR_ACCOUNT"], values["SALDO_OPERATOR_SERIES"], values["SALDO_OPERATOR_EMAIL"]}
}

// paymentsOf reads how licences are paid. Its errors name the variable and no key.
func paymentsOf(values map[string]string) (p Payments, err error) {
	p = Payments{Packages: values["SALDO_PACKAGES"], StripeKey: values["SALDO_STRIPE_KEY"], P24Key: values["SALDO_P24_KEY"],
		P24CRC: values["SALDO_P24_CRC"]}
	switch values["SALDO_PAYMENTS_TEST"] {
	case "", "no":
	case "yes":
		p.Test = true
	default:
		return p, fmt.Errorf("SALDO_PAYMENTS_TEST is %q: write yes or no", values["SALDO_PAYMENTS_TEST"])
	}
	for name := range strings.SplitSeq(values["SALDO_PAYMENTS"], ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.Contains([]string{Sandbox, Stripe, Przelewy24}, name) || slices.Contains(p.Providers, name) {
			return p, fmt.Errorf("SALDO_PAYMENTS has %q: write stripe, przelewy24 or both with a comma", name)
		}
		p.Providers = append(p.Providers, name)
	}
	for secret := range strings.SplitSeq(values["SALDO_STRIPE_EVENT_SECRETS"], ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			p.StripeEventSecrets = append(p.StripeEventSecrets, secret)
		}
	}
	if p.has(Stripe) && (p.StripeKey == "" || len(p.StripeEventSecrets) == 0) {
		return p, fmt.Errorf("SALDO_PAYMENTS has stripe: set SALDO_STRIPE_KEY and SALDO_STRIPE_EVENT_SECRETS too")
	}
	if !p.has(Przelewy24) {
		return p, nil
	}
	if p.P24Merchant, err = strconv.ParseInt(values["SALDO_P24_MERCHANT"], 10, 64); err != nil || p.P24Merchant < 1 {
		return p, fmt.Errorf("SALDO_P24_MERCHANT is no number: write the merchant id that Przelewy24 gave")
	}
	if p.P24Shop = p.P24Merchant; values["SALDO_P24_SHOP"] != "" {
		if p.P24Shop, err = strconv.ParseInt(values["SALDO_P24_SHOP"], 10, 64); err != nil || p.P24Shop < 1 {
			return p, fmt.Errorf("SALDO_P24_SHOP is no number: write the shop id that Przelewy24 gave, or leave it empty")
		}
	}
	if p.P24Key == "" || p.P24CRC == "" {
		return p, fmt.Errorf("SALDO_PAYMENTS has przelewy24: set SALDO_P24_KEY and SALDO_P24_CRC too")
	}
	return p, nil
}

func (p Payments) has(provider string) bool { return slices.Contains(p.Providers, provider) }

// Payable says whether the ways to pay fit the program: where people reach it from outside only real ones do, as whoever knows an address
// of
// the sandbox pays without money.
func (s Settings) Payable() error {
	if s.Payments.has(Sandbox) && s.Secure() && !s.Demo {
		return fmt.Errorf("SALDO_PAYMENTS has sandbox, in which licences cost nothing: it works in the demo and where SALDO_PUBLIC_URL " +
			"is not https; use stripe or przelewy24")
	}
	return nil
}

// AsDemo are the settings of the demo: what is not set for selling licences has an invented operator and takes no money.
func (s Settings) AsDemo() Settings {
	s.Demo = true
	if len(s.Payments.Providers) == 0 {
		s.Payments.Providers = []string{Sandbox}
	}
	if s.Operator.Name == "" {
		email := s.Operator.Email
		s.Operator = Operator{Name: "Saldo Demo sp. z o.o.", TaxID: "5213017228", Street: "ul. Przykładowa 1", Place: "00-001 Warszawa",
			Account: "PL61109010140000071219812874", Series: "FL", Email: email}
		if s.Instance.Code == "de" {
			s.Operator = Operator{Name: "Saldo Demo GmbH", TaxID: "DE136695976", Street: "Beispielstr. 1", Place: "10115 Berlin",
				Account: "DE75512108001245126199", Series: "FL", Email: email}
		}
	}
	return s
}
