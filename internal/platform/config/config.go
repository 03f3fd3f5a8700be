// Package config reads the settings of the program from its environment and
// knows what differs between the Polish and the German instance.
package config

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the time zones travel with the program

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/outbound"
)

// Settings are everything an operator can set. docs/operate/settings.md
// says what each is for.
type Settings struct {
	Addr, PublicURL   string
	Data              string
	DatabaseURL       string
	Instance          Instance
	SMTPURL, MailFrom string
	MailsPerDay       int64 // of one partner
	MailsPerAddress   int64 // of one partner in an hour
	BlobURL           string
	Key, KeyFile      string
	BackupRecipient   string // for whom backups are encrypted
	MetricsAddr       string
	LogFormat         string
	LogLevel          string
	Workers           int
	Proxies           []netip.Prefix
	Identity          Identity
	KSeFURL           string   // of a connector for the operator's invoices; empty: there is none
	KSeF              string   // environment of KSeF that partners' invoices go to; empty: none
	KSeFAPI           *url.URL // in its place, for tests; nil: the environment's own
	FuelURL           *url.URL // of the connector to issuers of fuel cards; nil: there is none
	GoogleDriveID     string   // of Saldo, as the operator registered it at Google; empty: drives of Google are not offered
	GoogleDriveSecret string
	ServicesPrivate   bool           // partners may connect services in private networks
	ServicesTrust     *x509.CertPool // of those services; nil: the system's
	StampsURL         string
	Reader            string // path of saldo-reader
	Payments          Payments
	Operator          Operator
	Demo              bool   // an invented world, started by saldo demo
	Self              string // path of this program, which starts itself to open files of others; empty: it opens them itself
}

// Secure says whether people reach Saldo by https.
func (s Settings) Secure() bool { return strings.HasPrefix(s.PublicURL, "https://") }

// From is the sender of mails.
func (s Settings) From() (netmail.Address, error) {
	from, err := netmail.ParseAddress(s.MailFrom)
	if err != nil {
		return netmail.Address{}, fmt.Errorf("SALDO_MAIL_FROM is %q: write it as Saldo <saldo@example.com>", s.MailFrom)
	}
	return *from, nil
}

// MailFolder is where mails are written that are not sent.
func (s Settings) MailFolder() string { return filepath.Join(s.Data, "mails") }

// Mailbox says whether mails are shown on a page instead of being sent: only
// without a mail server, and only where nobody but this machine reaches Saldo,
// since mails hold links that let people in. What is listened on decides that;
// the public address is only what people are told.
func (s Settings) Mailbox() bool {
	public, err := url.Parse(s.PublicURL)
	if err != nil || s.SMTPURL != "" {
		return false
	}
	host, _, err := net.SplitHostPort(s.Addr)
	return err == nil && Local(host) && Local(public.Hostname())
}

// Local says whether a host is this machine, as seen from itself.
func Local(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// Variable is one setting as docs/operate/settings.md shows it.
type Variable struct{ Name, Default, Meaning string }

// Variables lists every setting in the order of that document.
func Variables() []Variable {
	return append([]Variable{
		{"SALDO_ADDR", "localhost:8080", "Address to listen on; `:8080` for all interfaces, `localhost:0` for a free port, which is printed"},
		{"SALDO_PUBLIC_URL", "http://localhost:8080", "Address people type; links in mails and token issuer follow it"},
		{"SALDO_DATA", "./data", "Data folder: SQLite database, files, mails without SMTP, key file of the demo"},
		{"SALDO_DATABASE_URL", "", "Empty: SQLite in the data folder; `postgres://user:password@host:5432/name`: PostgreSQL"},
		{"SALDO_INSTANCE", "pl", "`pl` (PLN, VAT 23/8/0, Europe/Warsaw, Polish) or `de` (EUR, VAT 19/7/0, Europe/Berlin, German)"},
		{"SALDO_SMTP_URL", "",
			"`smtp://user:password@host:587`; empty: mails are written to the data folder and, " +
				"where only this machine can reach Saldo, shown at `/mailbox/`"},
		{"SALDO_MAIL_FROM", "Saldo <saldo@localhost>", "Sender of mails"},
		{"SALDO_MAILS_PER_DAY", "20000", "Mails that one partner may send on a day; what is over it is refused"},
		{"SALDO_MAILS_PER_ADDRESS", "60", "Mails that one partner may send to one address in an hour"},
		{"SALDO_BLOB_URL", "", "Empty: files in the data folder; `s3://key:secret@host/bucket?region=…`: S3-compatible store"},
		{"SALDO_IDP_UPSTREAM", "",
			"Empty: people sign in at Saldo itself; `http://keycloak:8080`: at this Keycloak, which Saldo shows under `/auth/`"},
		{"SALDO_OIDC_ISSUER", "",
			"Instead of the upstream, for a Keycloak that people reach by its own address: `https://sso.example.com/realms/saldo`"},
		{"SALDO_IDP_REALM", "saldo", "Realm of Saldo's people"},
		{"SALDO_IDP_ADMIN_CLIENT_ID", "app-backend", "Client whose service account manages people in Keycloak"},
		{"SALDO_IDP_ADMIN_CLIENT_SECRET", "", "Secret of that client"},
		{"SALDO_TRUSTED_PROXIES", "127.0.0.0/8,::1/128", "Networks of reverse proxies whose `X-Forwarded-For` is believed"},
		{"SALDO_KEY", "", "Key for data at rest, 32 bytes as base64; or use the file"},
		{"SALDO_KEY_FILE", "", "File with that key, mode 0600; empty: `saldo.key` in the data folder"},
		{"SALDO_BACKUP_RECIPIENT", "", "For whom backups are encrypted, as `saldo backup-key` prints it: `age1…`"},
		{"SALDO_METRICS_ADDR", "", "Address of the Prometheus metrics, as `localhost:9090`; empty: none"},
		{"SALDO_LOG", "text", "`text` or `json`"},
		{"SALDO_LOG_LEVEL", "info", "`debug`, `info`, `warn` or `error`"},
		{"SALDO_KSEF", "off",
			"`test`, `demo` or `production`: partners upload their KSeF certificate, and Saldo sends their self-billed invoices there; " +
				"`off`: none are sent and PDFs say OFFLINE"},
		{"SALDO_KSEF_API", "",
			"Another address of that environment, for tests with a KSeF of one's own: `https://ksef.example.com/v2`"},
		{"SALDO_OPERATOR_KSEF_URL", "",
			"Connector that hands the operator's own invoices for licences to KSeF (`POST …/invoices`); empty: they are not sent"},
		{"SALDO_TSA_URL", "",
			"Time stamping authority (RFC 3161) for the seals of signed contracts; empty: seals have no time stamp of others"},
		{"SALDO_FUEL_URL", "",
			"Connector to issuers of fuel cards (`GET …/fuel/orlen/transactions`), https; empty: partners upload files or connect a mailbox"},
		{"SALDO_SERVICES_PRIVATE", "",
			"`1`: drives, mailboxes and the fuel connector may be in the network that Saldo stands in; empty: only in the public one"},
		{"SALDO_SERVICES_CA", "",
			"File with certificates (PEM) that drives, mailboxes and the fuel connector may be certified by, besides those of the system"},
		{"SALDO_READER", "",
			"Path of `saldo-reader`, which reads pictures of invoices; empty: beside `saldo`, in `reader/` beside it, or in `PATH`"},
		{"SALDO_WORKERS", "4", "Jobs done at the same time by this process"},
	}, paymentVariables...)
}

// trusted are the certificates of the system and those of a file; no file: nil.
func trusted(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("SALDO_SERVICES_CA: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("SALDO_SERVICES_CA is %q, which has no certificate: write the path of a PEM file", file)
	}
	return pool, nil
}

// Read takes the settings from the environment. Its errors name the variable
// and say what to write.
func Read(lookup func(string) (string, bool)) (Settings, error) {
	values := map[string]string{}
	for _, v := range Variables() {
		values[v.Name] = v.Default
		if set, ok := lookup(v.Name); ok && set != "" {
			values[v.Name] = set
		}
	}
	s := Settings{
		Addr: values["SALDO_ADDR"], PublicURL: strings.TrimSuffix(values["SALDO_PUBLIC_URL"], "/"), Data: values["SALDO_DATA"],
		DatabaseURL: values["SALDO_DATABASE_URL"], SMTPURL: values["SALDO_SMTP_URL"], MailFrom: values["SALDO_MAIL_FROM"],
		BlobURL: values["SALDO_BLOB_URL"], Key: values["SALDO_KEY"], KeyFile: values["SALDO_KEY_FILE"],
		MetricsAddr: values["SALDO_METRICS_ADDR"], LogFormat: values["SALDO_LOG"], LogLevel: values["SALDO_LOG_LEVEL"],
		KSeFURL: values["SALDO_OPERATOR_KSEF_URL"], StampsURL: values["SALDO_TSA_URL"], Reader: values["SALDO_READER"],
		BackupRecipient: values["SALDO_BACKUP_RECIPIENT"],
	}
	public, err := url.Parse(s.PublicURL)
	if err != nil || public.Host == "" || (public.Scheme != "http" && public.Scheme != "https") {
		return s, fmt.Errorf("SALDO_PUBLIC_URL is %q: write it as https://saldo.example.com", s.PublicURL)
	}
	if connector, err := url.Parse(s.KSeFURL); s.KSeFURL != "" &&
		(err != nil || connector.Host == "" || (connector.Scheme != "http" && connector.Scheme != "https")) {
		return s, fmt.Errorf("SALDO_OPERATOR_KSEF_URL is %q: write it as https://connector.example.com", s.KSeFURL)
	}
	if former, ok := lookup("SALDO_KSEF_URL"); ok && former != "" {
		return s, errors.New("SALDO_KSEF_URL is not used any more: set SALDO_KSEF to test, demo or production, so that Saldo sends partners' " +
			"invoices itself, and SALDO_OPERATOR_KSEF_URL where a connector hands on the operator's own invoices; then remove SALDO_KSEF_URL")
	}
	if s.KSeF, s.KSeFAPI, err = ksefOf(values); err != nil {
		return s, err
	}
	if stamps, err := url.Parse(s.StampsURL); s.StampsURL != "" &&
		(err != nil || stamps.Host == "" || (stamps.Scheme != "http" && stamps.Scheme != "https")) {
		return s, fmt.Errorf("SALDO_TSA_URL is %q: write it as https://tsa.example.com", s.StampsURL)
	}
	if connector := values["SALDO_FUEL_URL"]; connector != "" {
		if s.FuelURL, err = outbound.Address(connector); err != nil {
			return s, fmt.Errorf("SALDO_FUEL_URL is %q: write it as https://connector.example.com", connector)
		}
	}
	if private := values["SALDO_SERVICES_PRIVATE"]; private != "" && private != "1" {
		return s, fmt.Errorf("SALDO_SERVICES_PRIVATE is %q: write 1, or nothing", private)
	}
	s.ServicesPrivate = values["SALDO_SERVICES_PRIVATE"] == "1"
	s.GoogleDriveID, s.GoogleDriveSecret = values["SALDO_GOOGLE_DRIVE_ID"], values["SALDO_GOOGLE_DRIVE_SECRET"]
	if s.ServicesTrust, err = trusted(values["SALDO_SERVICES_CA"]); err != nil {
		return s, err
	}
	if s.Instance, err = InstanceOf(values["SALDO_INSTANCE"]); err != nil {
		return s, err
	}
	if s.KSeF != "" && s.Instance.Code != "pl" {
		return s, fmt.Errorf("SALDO_KSEF is %q: KSeF is in Poland alone, leave it off", s.KSeF)
	}
	if s.Identity, err = identityOf(values); err != nil {
		return s, err
	}
	if s.Payments, err = paymentsOf(values); err != nil {
		return s, err
	}
	s.Operator = operatorOf(values)
	if s.Workers, err = strconv.Atoi(values["SALDO_WORKERS"]); err != nil || s.Workers < 1 || s.Workers > 64 {
		return s, fmt.Errorf("SALDO_WORKERS is %q: write a number from 1 to 64", values["SALDO_WORKERS"])
	}
	for name, number := range map[string]*int64{"SALDO_MAILS_PER_DAY": &s.MailsPerDay, "SALDO_MAILS_PER_ADDRESS": &s.MailsPerAddress} {
		if *number, err = strconv.ParseInt(values[name], 10, 64); err != nil || *number < 1 || *number > 10_000_000 {
			return s, fmt.Errorf("%s is %q: write a number from 1 to 10000000", name, values[name])
		}
	}
	for network := range strings.SplitSeq(values["SALDO_TRUSTED_PROXIES"], ",") {
		prefix, err := netip.ParsePrefix(strings.TrimSpace(network))
		if err != nil {
			return s, fmt.Errorf("SALDO_TRUSTED_PROXIES has %q: write networks as 10.0.0.0/8, with commas between them", network)
		}
		s.Proxies = append(s.Proxies, prefix)
	}
	if s.LogFormat != "text" && s.LogFormat != "json" {
		return s, fmt.Errorf("SALDO_LOG is %q: write text or json", s.LogFormat)
	}
	return s, nil
}

func ksefOf(values map[string]string) (environment string, api *url.URL, err error) {
	switch environment = values["SALDO_KSEF"]; environment {
	case "off":
		environment = ""
	case "test", "demo", "production":
	default:
		return "", nil, fmt.Errorf("SALDO_KSEF is %q: write off, test, demo or production", environment)
	}
	if address := values["SALDO_KSEF_API"]; address != "" {
		if api, err = outbound.Address(address); err != nil || environment != "test" {
			return "", nil, fmt.Errorf("SALDO_KSEF_API is %q: write it as https://ksef.example.com/v2, with SALDO_KSEF=test", address)
		}
	}
	return environment, api, nil
}

// Instance is what differs between the countries.
type Instance struct {
	Code     string
	Currency money.Currency
	Zone     string
	Language string
	vat      []VAT
	hourly   []HourlyRate
}

// HourlyRate is the least pay for an hour of a civil contract, from a day on.
type HourlyRate struct {
	From   calendar.Date
	Amount money.Amount
}

// VAT are the rates in force from a day on.
type VAT struct {
	From                    calendar.Date
	Standard, Reduced, Zero money.Rate
}

var instances = []Instance{
	{Code: "pl", Currency: money.PLN, Zone: "Europe/Warsaw", Language: "pl",
		vat:    []VAT{{From: day("2011-01-01"), Standard: 2300, Reduced: 800}},
		hourly: []HourlyRate{{From: day("2025-01-01"), Amount: 30_50}, {From: day("2026-01-01"), Amount: 31_40}}},
	{Code: "de", Currency: money.EUR, Zone: "Europe/Berlin", Language: "de",
		vat: []VAT{
			{From: day("2007-01-01"), Standard: 1900, Reduced: 700},
			{From: day("2020-07-01"), Standard: 1600, Reduced: 500}, // second half of 2020 only
			{From: day("2021-01-01"), Standard: 1900, Reduced: 700},
		}},
}

func day(text string) calendar.Date {
	d, err := calendar.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// InstanceOf finds an instance by its code.
func InstanceOf(code string) (Instance, error) {
	for _, i := range instances {
		if i.Code == code {
			return i, nil
		}
	}
	return Instance{}, fmt.Errorf("SALDO_INSTANCE is %q: write pl or de", code)
}

// HourlyRateOn is the least pay for an hour of a civil contract on a day; 0: none is known, or the country has none.
func (i Instance) HourlyRateOn(d calendar.Date) (least money.Amount) {
	for _, h := range i.hourly {
		if h.From <= d {
			least = h.Amount
		}
	}
	return least
}

// Location is the time zone in which days and weeks are counted.
func (i Instance) Location() *time.Location {
	zone, err := time.LoadLocation(i.Zone)
	if err != nil {
		panic(err) // the zones are part of the program
	}
	return zone
}

// HasVAT says whether the newest rates of the country that are not zero have this one.
func (i Instance) HasVAT(rate money.Rate) bool {
	newest := i.vat[len(i.vat)-1]
	return rate == newest.Standard || rate == newest.Reduced
}

// VATOn are the rates in force on a day.
func (i Instance) VATOn(d calendar.Date) VAT {
	rates := i.vat[0]
	for _, v := range i.vat {
		if v.From <= d {
			rates = v
		}
	}
	return rates
}
