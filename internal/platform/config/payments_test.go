package config

import (
	"slices"
	"strings"
	"testing"
)

func TestPayments_WrongSettingsNameTheVariableAndNoKey(t *testing.T) {
	read := func(set map[string]string) (Settings, error) {
		return Read(func(name string) (string, bool) { v, ok := set[name]; return v, ok })
	}
	for _, c := range []struct {
		set  map[string]string
		says string
	}{
		{map[string]string{"SALDO_PAYMENTS": "paypal"}, "SALDO_PAYMENTS has"},
		{map[string]string{"SALDO_PAYMENTS": "stripe,stripe"}, "SALDO_PAYMENTS has"},
		{map[string]string{"SALDO_PAYMENTS": "stripe", "SALDO_STRIPE_KEY": "sk_live_secret"}, "SALDO_STRIPE_EVENT_SECRETS"},
		{map[string]string{"SALDO_PAYMENTS": "stripe", "SALDO_STRIPE_EVENT_SECRETS": "whsec_secret"}, "SALDO_STRIPE_KEY"},
		{map[string]string{"SALDO_PAYMENTS": "przelewy24", "SALDO_P24_KEY": "secret", "SALDO_P24_CRC": "secret"}, "SALDO_P24_MERCHANT"},
		{map[string]string{"SALDO_PAYMENTS": "przelewy24", "SALDO_P24_MERCHANT": "12", "SALDO_P24_SHOP": "x"}, "SALDO_P24_SHOP"},
		{map[string]string{"SALDO_PAYMENTS": "przelewy24", "SALDO_P24_MERCHANT": "12", "SALDO_P24_KEY": "secret"}, "SALDO_P24_CRC"},
		{map[string]string{"SALDO_PAYMENTS_TEST": "perhaps"}, "SALDO_PAYMENTS_TEST"},
	} {
		_, err := read(c.set)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v", c.set, err)
		}
	}
	s, err := read(map[string]string{"SALDO_PAYMENTS": " stripe , przelewy24", "SALDO_STRIPE_KEY": "k", "SALDO_STRIPE_EVENT_SECRETS": "a, b",
		"SALDO_P24_MERCHANT": "12", "SALDO_P24_KEY": "k", "SALDO_P24_CRC": "c"})
	if p := s.Payments; err != nil || !slices.Equal(p.Providers, []string{Stripe, Przelewy24}) || !slices.Equal(p.StripeEventSecrets, []string{"a", "b"}) ||
		p.P24Shop != 12 || p.Test || s.Payable() != nil {
		t.Errorf("%+v %v", p, err)
	}
}

// TestPayable_TheSandboxIsForTryingOut has it refused where people reach the program from outside.
func TestPayable_TheSandboxIsForTryingOut(t *testing.T) {
	s := Settings{Payments: Payments{Providers: []string{Sandbox}}, PublicURL: "http://localhost:8080"}
	if err := s.Payable(); err != nil {
		t.Error(err)
	}
	s.PublicURL = "https://saldo.example"
	if err := s.Payable(); err == nil || !strings.Contains(err.Error(), "SALDO_PAYMENTS has sandbox") {
		t.Error(err)
	}
	if err := s.AsDemo().Payable(); err != nil {
		t.Error(err)
	}
	own := s
	own.Operator, own.Payments.Providers = Operator{Name: "Own"}, []string{Stripe}
	if demo := own.AsDemo(); demo.Operator.Name != "Own" || demo.Payments.Providers[0] != Stripe {
		t.Errorf("%+v", demo)
	}
}
