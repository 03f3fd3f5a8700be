// Package ksef has what KSeF 2.0, the Polish system of invoices, asks for and needs no network: signed requests, sealed
// packages, numbers and codes. Nothing of it was tried at KSeF itself.
package ksef

// Env is one of the environments of KSeF.
type Env struct {
	API        string // without a slash at the end
	Codes      string // where printed codes lead to
	Lighthouse string // says whether KSeF works; empty: this environment has none
}

// The environments. What is sent to Test can be read by strangers.
var (
	Test = Env{"https://api-test.ksef.mf.gov.pl/v2", "https://qr-test.ksef.mf.gov.pl", "https://api-latarnia-test.ksef.mf.gov.pl"}
	Demo = Env{"https://api-demo.ksef.mf.gov.pl/v2", "https://qr-demo.ksef.mf.gov.pl", ""}
	// Production takes invoices that count.
	Production = Env{"https://api.ksef.mf.gov.pl/v2", "https://qr.ksef.mf.gov.pl", "https://api-latarnia.ksef.mf.gov.pl"}
)
