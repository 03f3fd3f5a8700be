package config

import (
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func TestOneSettingChoosesTheCountry(t *testing.T) {
	for code, want := range map[string]struct {
		currency          money.Currency
		zone, language    string
		standard, reduced money.Rate
	}{
		"pl": {money.PLN, "Europe/Warsaw", "pl", 2300, 800},
		"de": {money.EUR, "Europe/Berlin", "de", 1900, 700},
	} {
		s, err := Read(environment("SALDO_INSTANCE", code))
		if err != nil {
			t.Fatal(err)
		}
		i := s.Instance
		vat := i.VATOn("2026-11-15")
		if i.Currency != want.currency || i.Location().String() != want.zone || i.Language != want.language ||
			vat.Standard != want.standard || vat.Reduced != want.reduced || vat.Zero != 0 {
			t.Errorf("%s: %+v, VAT %+v", code, i, vat)
		}
	}
	if s, err := Read(environment()); err != nil || s.Instance.Code != "pl" {
		t.Errorf("nothing set: %+v %v", s.Instance, err)
	}
}

func TestRatesAreThoseOfTheirDay(t *testing.T) {
	german, err := InstanceOf("de")
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range map[calendar.Date]money.Rate{"2020-06-30": 1900, "2020-07-01": 1600, "2020-12-31": 1600, "2021-01-01": 1900} {
		if got := german.VATOn(day).Standard; got != want {
			t.Errorf("%s: %d, want %d", day, got, want)
		}
	}
}

func TestTheTimeZonesTravelWithTheProgram(t *testing.T) {
	for _, i := range instances {
		_, summer := time.Date(2026, 7, 1, 12, 0, 0, 0, i.Location()).Zone()
		_, winter := time.Date(2026, 1, 1, 12, 0, 0, 0, i.Location()).Zone()
		if summer != 7200 || winter != 3600 {
			t.Errorf("%s is %d s from UTC in summer and %d s in winter", i.Zone, summer, winter)
		}
	}
}

func TestAWrongSettingIsNamed(t *testing.T) {
	for name, value := range map[string]string{"SALDO_INSTANCE": "fr", "SALDO_PUBLIC_URL": "saldo", "SALDO_WORKERS": "0", "SALDO_MAILS_PER_DAY": "0", "SALDO_MAILS_PER_ADDRESS": "many", "SALDO_LOG": "xml", "SALDO_KSEF_URL": "https://connector.example", "SALDO_OPERATOR_KSEF_URL": "ksef", "SALDO_FUEL_URL": "http://fuel.example", "SALDO_KSEF": "on", "SALDO_KSEF_API": "https://ksef.example"} {
		if _, err := Read(environment(name, value)); err == nil || !strings.HasPrefix(err.Error(), name+" is ") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}

func TestKSeFIsOffUnlessAnEnvironmentIsNamed(t *testing.T) {
	s, err := Read(environment())
	if err != nil || s.KSeF != "" {
		t.Errorf("%q %v", s.KSeF, err)
	}
	for _, name := range []string{"test", "demo", "production"} {
		if s, err := Read(environment("SALDO_KSEF", name)); err != nil || s.KSeF != name || s.KSeFAPI != nil {
			t.Errorf("%q %v", s.KSeF, err)
		}
		if _, err := Read(environment("SALDO_KSEF", name, "SALDO_INSTANCE", "de")); err == nil {
			t.Errorf("%s is taken in Germany", name)
		}
	}
	if s, err := Read(environment("SALDO_KSEF", "test", "SALDO_KSEF_API", "https://ksef.example/v2")); err != nil || s.KSeFAPI == nil {
		t.Error(err)
	}
	if _, err := Read(environment("SALDO_KSEF", "production", "SALDO_KSEF_API", "https://ksef.example/v2")); err == nil {
		t.Error("certificates of production go elsewhere")
	}
}

func TestAnEmptyVariableMeansTheDefault(t *testing.T) {
	s, err := Read(environment("SALDO_ADDR", "", "SALDO_PUBLIC_URL", "https://saldo.example.com/"))
	if err != nil || s.Addr != "localhost:8080" || s.PublicURL != "https://saldo.example.com" || !s.Secure() {
		t.Errorf("%+v %v", s, err)
	}
}

func TestMailsAreShownOnlyToThisMachine(t *testing.T) {
	for _, c := range []struct {
		addr, public, smtp string
		want               bool
	}{
		{"localhost:8080", "http://localhost:8080", "", true},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", "", true},
		{"[::1]:8080", "http://[::1]:8080", "", true},
		{"localhost:8080", "http://localhost:8080", "smtp://mail.example.com", false},
		{"localhost:8080", "https://saldo.example.com", "", false},
		{"localhost:8080", "http://192.0.2.7:8080", "", false},
		{"localhost:8080", "http://localhost.example.com", "", false},
		{":8080", "http://localhost:8080", "", false},
		{"0.0.0.0:8080", "http://localhost:8080", "", false},
		{"[::]:8080", "http://localhost:8080", "", false},
		{"192.0.2.7:8080", "http://localhost:8080", "", false},
	} {
		s, err := Read(environment("SALDO_ADDR", c.addr, "SALDO_PUBLIC_URL", c.public, "SALDO_SMTP_URL", c.smtp))
		if err != nil || s.Mailbox() != c.want {
			t.Errorf("%s at %s with %q: %v %v", c.public, c.addr, c.smtp, s.Mailbox(), err)
		}
	}
}
