package bankfile_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/money"
	"saldo/internal/payouts/bankfile"
	"saldo/internal/testkit"
)

var fleet = bankfile.Party{Name: "Flota Testowa Sp. z o.o.", Street: "ul. Żółta 1", Place: "00-001 Warszawa", Account: "PL49114020040000330200112177"}

// sample is the order of the example files: one ordinary payment and a split one.
func sample() bankfile.Order {
	const account = "PL61109010140000071219812874"
	return bankfile.Order{ID: "W46-1", MadeAt: time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC), On: "2026-11-17", Currency: money.PLN, From: fleet, Payments: []bankfile.Payment{
		{Reference: "R2026W46D0001", Amount: 1367_50, To: bankfile.Party{Name: "Łucja Gąsienica", Street: "ul. Źródlana 2", Place: "30-001 Kraków", Account: account}, Title: "Rozliczenie 09-15.11.2026"},
		{Reference: "R2026W46D0002", Amount: 2160_00, To: bankfile.Party{Name: "Jan Kowalski Transport", Street: "ul. Testowa 1", Place: "00-001 Warszawa", Account: account}, Title: "tydzien 46",
			Split: &bankfile.Split{VAT: 160_00, TaxID: "5260250274", Invoice: "SF/2026/11/0001"}},
	}}
}

func write(t *testing.T, profile string, o bankfile.Order) bankfile.File {
	t.Helper()
	f, err := bankfile.Write(profile, o)
	if err != nil {
		t.Fatal(profile, err)
	}
	return f
}

func TestAFileIsWhatTheBankShowsAsItsExample(t *testing.T) {
	one := sample()
	one.Payments = one.Payments[:1]
	for name, made := range map[string]bankfile.File{
		"elixir_pko_unquoted_iso8859-2.txt": write(t, "pko", one), "elixir_quoted_cp1250.pli": write(t, "alior", sample()), "elixir_quoted_utf8.pli": write(t, "mbank", sample()),
		"elixir_quoted_iso8859-2.pli": write(t, "elixir", sample()), "elixir_quoted_cp852.pli": write(t, "elixir-cp852", sample()), "santander_erste_4120414_cp1250.txt": write(t, "santander", sample()),
	} {
		want, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(made.Content, want) {
			t.Errorf("%s:\n%q\nis not\n%q", name, made.Content, want)
		}
		if len(made.Changes) > 0 {
			t.Errorf("%s: %+v", name, made.Changes)
		}
	}
}

func TestTheSameOrderGivesTheSameBytes(t *testing.T) {
	for _, p := range bankfile.Profiles() {
		o := payable(p, sample())
		if one, two := write(t, p.Key, o), write(t, p.Key, o); !bytes.Equal(one.Content, two.Content) || one.Name != "W46-1"+p.Extension {
			t.Error(p.Key, one.Name)
		}
	}
}

// payable is the order as a profile can take it.
func payable(p bankfile.Profile, o bankfile.Order) bankfile.Order {
	if p.Currency != "" {
		o.Currency = p.Currency
	}
	o.Payments = append([]bankfile.Payment{}, o.Payments...)
	for n := range o.Payments {
		if !p.Splits {
			o.Payments[n].Split = nil
		}
	}
	return o
}

func TestWhatABankWouldRefuseIsRefusedHere(t *testing.T) {
	for name, one := range map[string]struct {
		profile string
		spoil   func(*bankfile.Order)
		want    bankfile.Refusal
	}{
		"nobody":              {"mbank", func(o *bankfile.Order) { o.Payments = nil }, bankfile.Refusal{Payment: -1, Reason: bankfile.NoPayments}},
		"too many":            {"pko", func(o *bankfile.Order) { o.Payments = make([]bankfile.Payment, 5001) }, bankfile.Refusal{Payment: -1, Reason: bankfile.TooMany, Found: "5001"}},
		"euro":                {"mbank", func(o *bankfile.Order) { o.Currency = money.EUR }, bankfile.Refusal{Payment: -1, Reason: bankfile.WrongCurrency, Found: "EUR"}},
		"zloty in SEPA":       {"sepa", func(*bankfile.Order) {}, bankfile.Refusal{Payment: -1, Reason: bankfile.WrongCurrency, Found: "PLN"}},
		"no day":              {"mbank", func(o *bankfile.Order) { o.On = "2026-02-30" }, bankfile.Refusal{Payment: -1, Reason: bankfile.WrongDate, Found: "2026-02-30"}},
		"an id with a slash":  {"pain09", func(o *bankfile.Order) { o.ID = "W/46" }, bankfile.Refusal{Payment: -1, Reason: bankfile.WrongReference, Found: "W/46"}},
		"an id twice":         {"mbank", func(o *bankfile.Order) { o.Payments[1].Reference = "R2026W46D0001" }, bankfile.Refusal{Payment: 1, Reason: bankfile.WrongReference, Found: "R2026W46D0001"}},
		"nothing to pay":      {"mbank", func(o *bankfile.Order) { o.Payments[1].Amount = 0 }, bankfile.Refusal{Payment: 1, Reason: bankfile.WrongAmount, Found: "0.00"}},
		"less than nothing":   {"pain03", func(o *bankfile.Order) { o.Payments[0].Amount = -1 }, bankfile.Refusal{Payment: 0, Reason: bankfile.WrongAmount, Found: "-0.01"}},
		"the payer's account": {"mbank", func(o *bankfile.Order) { o.From.Account = "" }, bankfile.Refusal{Payment: -1, Reason: bankfile.NoAccount}},
		"a wrong account":     {"mbank", func(o *bankfile.Order) { o.Payments[0].To.Account = "PL61109010140000071219812875" }, bankfile.Refusal{Payment: 0, Reason: bankfile.NoAccount}},
		"a foreign account":   {"santander", func(o *bankfile.Order) { o.Payments[0].To.Account = "LT121000011101001000" }, bankfile.Refusal{Payment: 0, Reason: bankfile.ForeignAccount, Found: "LT"}},
		"nobody's name":       {"mbank", func(o *bankfile.Order) { o.Payments[0].To.Name = " |\t" }, bankfile.Refusal{Payment: 0, Reason: bankfile.NoName, Field: bankfile.Name}},
		"no title":            {"pain09", func(o *bankfile.Order) { o.Payments[0].Title = "" }, bankfile.Refusal{Payment: 0, Reason: bankfile.NoTitle, Field: bankfile.Title}},
		"a sign of Georgia":   {"mbank", func(o *bankfile.Order) { o.Payments[0].To.Name = "Nino ნ" }, bankfile.Refusal{Payment: 0, Reason: bankfile.Unwritable, Field: bankfile.Name, Found: "ნ"}},
		"more VAT than money": {"mbank", func(o *bankfile.Order) { o.Payments[1].Split.VAT = 2160_01 }, bankfile.Refusal{Payment: 1, Reason: bankfile.WrongSplit, Found: "SF/2026/11/0001"}},
		"a wrong tax number":  {"pko", func(o *bankfile.Order) { o.Payments[1].Split.TaxID = "5260250275" }, bankfile.Refusal{Payment: 1, Reason: bankfile.WrongSplit, Found: "SF/2026/11/0001"}},
		"a split in ISO":      {"pain03", func(*bankfile.Order) {}, bankfile.Refusal{Payment: 1, Reason: bankfile.NoSplit}},
		"no bank":             {"x", func(*bankfile.Order) {}, bankfile.Refusal{Payment: -1, Reason: bankfile.UnknownProfile, Found: "x"}},
	} {
		o := sample()
		if one.profile == "pain09" {
			o = payable(bankfile.Profile{}, o)
		}
		one.spoil(&o)
		f, err := bankfile.Write(one.profile, o)
		var refusal bankfile.Refusal
		if !errors.As(err, &refusal) || refusal != one.want || f.Content != nil {
			t.Errorf("%s: %v, not %v", name, err, one.want)
		}
	}
}

func TestALetterThatTheFileLacksIsReplacedVisibly(t *testing.T) {
	for _, one := range []struct{ profile, was, is string }{
		{"mbank", "Олег Щербань", "Oleh Shcherban"}, {"pko", "Юрій Ґалаґан", "Yurii Galagan"}, {"alior", "Ørsted „A”", "Orsted „A”"}, {"sepa", "Łucja Müller & Söhne", "Lucja Mueller + Soehne"},
		{"mbank", "Jan|Kowalski\n110,2026", "Jan Kowalski 110,2026"}, {"pko", "Kowalski, Jan", "Kowalski Jan"}, {"elixir", "Jan & spółka", "Jan spółka"}, {"pain03", "Nguyễn", "Nguyen"},
	} {
		p, _ := bankfile.Of(one.profile)
		o := payable(p, sample())
		o.Payments[0].To.Name = one.was
		f := write(t, one.profile, o)
		if len(f.Changes) == 0 || f.Changes[len(f.Changes)-1] != (bankfile.Change{Payment: 0, Field: bankfile.Name, Was: one.was, Is: one.is}) && f.Changes[0].Is != one.is {
			t.Errorf("%s: %+v", one.profile, f.Changes)
		}
	}
	long := sample()
	long.Payments[0].Title = strings.Repeat("Rozliczenie ", 15)
	if c := write(t, "mbank", long).Changes; len(c) != 1 || c[0].Field != bankfile.Title || len(c[0].Is) > 140 {
		t.Errorf("%+v", c)
	}
}

// read is a reader of Elixir that shares nothing with the writer.
func read(t *testing.T, content []byte, signs encoding.Encoding) (records [][]string) {
	t.Helper()
	if signs != nil {
		decoded, err := signs.NewDecoder().Bytes(content)
		if err != nil {
			t.Fatal(err)
		}
		content = decoded
	}
	var record []string
	var field strings.Builder
	inside := false
	for i := 0; i < len(content); i++ {
		switch c := content[i]; {
		case c == '"':
			inside = !inside
		case c == ',' && !inside:
			record, field = append(record, field.String()), strings.Builder{}
		case c == '\r':
			if inside || i+1 == len(content) || content[i+1] != '\n' {
				t.Fatal("the end of a line inside a field")
			}
			records, record, field = append(records, append(record, field.String())), nil, strings.Builder{}
			i++
		case c < ' ':
			t.Fatalf("sign %d in a file", c)
		default:
			field.WriteByte(c)
		}
	}
	if inside || len(record) > 0 || field.Len() > 0 {
		t.Fatal("the file ends inside a record")
	}
	return records
}

// bare is a text without spaces and without the bars between its lines.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '|' {
			return -1
		}
		return r
	}, norm.NFC.String(text))
}

var alphabet = []rune("abcdefgŁłóżźćĄęß ÄöüAZ019 -./,;:&@$\"|'()\t\r\n\v\x00\u0085\u2028\u00a0\u200eабвїґщЮ’„”–…№éñ√")

func anything(r *rand.Rand, maximum int) string {
	text := make([]rune, r.IntN(maximum))
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(text)
}

// A hundred thousand names and titles, whatever is in them, leave as many records and fields as there were payments, and each
// text is the one that was given or the one that was named.
func TestNoTextAddsAFieldOrIsLostSilently(t *testing.T) {
	signs := map[string]encoding.Encoding{"pko": charmap.ISO8859_2, "millennium": nil, "mbank": nil, "alior": charmap.Windows1250, "elixir": charmap.ISO8859_2, "elixir-cp852": charmap.CodePage852}
	r := rand.New(rand.NewPCG(7, 1))
	const each = 200
	texts := 40_000
	if testkit.Soak() > 1 {
		texts = 200_000
	}
	for round := range texts / each / len(signs) {
		for profile, code := range signs {
			o := sample()
			o.Payments = nil
			for n := range each / 2 {
				p := sample().Payments[n%2]
				p.Reference, p.Amount = fmt.Sprintf("R%d-%d", round, n), money.Amount(1_000_00+r.Int64N(1e9))
				p.To.Name, p.Title = "N"+anything(r, 80), "T"+anything(r, 170)
				o.Payments = append(o.Payments, p)
			}
			f, err := bankfile.Write(profile, o)
			var refusal bankfile.Refusal
			if errors.As(err, &refusal) {
				p := o.Payments[refusal.Payment]
				if refusal.Reason != bankfile.Unwritable || refusal.Found == "" || !strings.Contains(p.To.Name+p.Title, refusal.Found) {
					t.Fatalf("%s: %v of %q %q", profile, err, p.To.Name, p.Title)
				}
				// without what cannot be written it can
				for n := range o.Payments {
					clean := strings.NewReplacer("√", "", "№", "No")
					o.Payments[n].To.Name, o.Payments[n].Title = clean.Replace(o.Payments[n].To.Name), clean.Replace(o.Payments[n].Title)
				}
				f = write(t, profile, o)
			}
			records := read(t, f.Content, code)
			if len(records) != len(o.Payments) {
				t.Fatalf("%s: %d records of %d payments", profile, len(records), len(o.Payments))
			}
			changed := map[string]string{}
			for _, c := range f.Changes {
				changed[fmt.Sprint(c.Payment, c.Field)] = c.Is
			}
			for n, record := range records {
				p := o.Payments[n]
				if len(record) != 16 || record[2] != fmt.Sprint(int64(p.Amount)) || record[6] != "61109010140000071219812874" {
					t.Fatalf("%s: %q", profile, record)
				}
				name, title := p.To.Name, p.Title
				if is, ok := changed[fmt.Sprint(n, bankfile.Name)]; ok {
					name = is
				}
				if is, ok := changed[fmt.Sprint(n, bankfile.Title)]; ok {
					title = is
				}
				if got, want := bare(record[8]), bare(name+p.To.Street+p.To.Place); got != want {
					t.Fatalf("%s: name %q, not %q", profile, got, want)
				}
				if p.Split != nil {
					title = fmt.Sprintf("/VAT/160,00/IDC/5260250274/INV/SF/2026/11/0001/TXT/%s", title)
				}
				if got, want := bare(record[11]), bare(title); got != want {
					t.Fatalf("%s: title %q, not %q", profile, got, want)
				}
				for _, line := range append(strings.Split(record[8], "|"), strings.Split(record[11], "|")...) {
					if len([]rune(line)) > 35 {
						t.Fatalf("%s: a line of more than 35 signs: %q", profile, line)
					}
				}
			}
		}
	}
}

func TestISOFilesReadBackAndAddUp(t *testing.T) {
	for _, profile := range []string{"pain03", "pain09", "sepa"} {
		p, _ := bankfile.Of(profile)
		o := payable(p, sample())
		o.Payments[1].To.Account = "LT121000011101001000"
		f := write(t, profile, o)
		var got struct {
			Group struct {
				MsgID   string `xml:"MsgId"`
				NbOfTxs int
				CtrlSum string
			} `xml:"CstmrCdtTrfInitn>GrpHdr"`
			Batch struct {
				NbOfTxs  int
				CtrlSum  string
				Payments []struct {
					EndToEndID string `xml:"PmtId>EndToEndId"`
					Amount     struct {
						Ccy  string `xml:",attr"`
						Text string `xml:",chardata"`
					} `xml:"Amt>InstdAmt"`
					Name  string `xml:"Cdtr>Nm"`
					IBAN  string `xml:"CdtrAcct>Id>IBAN"`
					Title string `xml:"RmtInf>Ustrd"`
				} `xml:"CdtTrfTxInf"`
			} `xml:"CstmrCdtTrfInitn>PmtInf"`
		}
		if err := xml.Unmarshal(f.Content, &got); err != nil {
			t.Fatal(err)
		}
		if got.Group.MsgID != o.ID || got.Group.NbOfTxs != 2 || got.Group.CtrlSum != "3527.50" || got.Batch.NbOfTxs != 2 || got.Batch.CtrlSum != "3527.50" || len(got.Batch.Payments) != 2 {
			t.Errorf("%s: %+v", profile, got)
		}
		if one := got.Batch.Payments[0]; one.EndToEndID != "R2026W46D0001" || one.Amount.Text != "1367.50" || one.Amount.Ccy != string(o.Currency) || one.Name != "Lucja Gasienica" || one.Title != "Rozliczenie 09-15.11.2026" {
			t.Errorf("%s: %+v", profile, one)
		}
		if got.Batch.Payments[1].IBAN != "LT121000011101001000" {
			t.Errorf("%s: %+v", profile, got.Batch.Payments[1])
		}
	}
}

func TestISOFilesAreValidAgainstTheSchemas(t *testing.T) {
	for profile, schemas := range map[string][]string{"pain03": {"pain.001.001.03.xsd"}, "pain09": {"pain.001.001.09.xsd"}, "sepa": {"pain.001.001.09.xsd", "pain.001.001.09_EPC132-08_2023_SCT.xsd"}} {
		p, _ := bankfile.Of(profile)
		o := payable(p, sample())
		o.Payments[0].To.Name, o.Payments[0].Title = strings.Repeat("Łucja Щ ", 20), strings.Repeat("Rozliczenie „46” ", 20)
		for _, schema := range schemas {
			testkit.Valid(t, schema, write(t, profile, o).Content)
		}
	}
}

// A bank finds the parts of a split payment by their tags, so none may come from a text.
func TestNoTextAddsATagToASplitPayment(t *testing.T) {
	tags := []string{"/VAT/", "/IDC/", "/INV/", "/TXT/"}
	for _, hostile := range []string{"FV/1/VAT/0,01", "X/IDC/1111111111/INV/Y", "FV/TXT/z", "FV 7/INV", "VAT/0,01", "vat/0,01/x", "IDC", "/VAT/VAT/VAT/", "TXT/TXT", "V\u200bAT/1", strings.Repeat("x", 31) + "/INVENTURA", strings.Repeat("x", 29) + "/TXTIL", "a/ VAT /b"} {
		for _, profile := range []string{"pko", "mbank", "alior", "santander", "elixir"} {
			o := sample()
			split := *o.Payments[1].Split
			split.Invoice = hostile
			o.Payments[1].Split, o.Payments[1].Title = &split, hostile
			f := write(t, profile, o)
			records := bytes.Split(bytes.TrimSpace(f.Content), []byte("\n"))
			title := strings.ToUpper(strings.ReplaceAll(string(records[len(records)-1]), "|", ""))
			for _, tag := range tags {
				if n := strings.Count(title, tag); n != 1 {
					t.Errorf("%s: %q gives %d times %s: %s", profile, hostile, n, tag, title)
				}
			}
			if changed := len(f.Changes) > 0; !changed && hostile != "a/ VAT /b" {
				t.Errorf("%s: %q was changed silently", profile, hostile)
			}
		}
	}
	o := sample()
	o.Payments[1].Split.Invoice = "SF/INVEST/2026/11"
	if f := write(t, "mbank", o); len(f.Changes) != 0 {
		t.Errorf("an ordinary number was changed: %+v", f.Changes)
	}
}

func TestSEPAFiles_RefuseAccountsOutsideSEPA(t *testing.T) {
	order := bankfile.Order{ID: "a", On: "2026-11-16", Currency: money.EUR, From: bankfile.Party{Name: "Flotte", Account: "DE89370400440532013000"},
		Payments: []bankfile.Payment{{Reference: "r", Amount: 1_00, To: bankfile.Party{Name: "Oleh", Account: "UA213223130000026007233566001"}, Title: "x"}}}
	var refusal bankfile.Refusal
	if _, err := bankfile.Write("sepa", order); !errors.As(err, &refusal) || refusal.Reason != bankfile.OutsideSEPA || refusal.Found != "UA" || refusal.Payment != 0 {
		t.Error(err)
	}
}

// TestWrite_KeepsTheNumberOfKSeFWhole has it before a title that is too long for any file, plain and by split payment.
func TestWrite_KeepsTheNumberOfKSeFWhole(t *testing.T) {
	const number = "5265877635-20250826-0100001AF629-AF"
	for _, p := range bankfile.Profiles() {
		for _, split := range []bool{false, p.Splits} {
			o := payable(p, sample())
			one := &o.Payments[0]
			one.Title = number + " " + strings.Repeat("Rozliczenie 412 ", 12)
			if split {
				one.Title = strings.Repeat("Rozliczenie 412 ", 12)
				one.Split = &bankfile.Split{VAT: 1_00, TaxID: "5260250274", Invoice: number}
			}
			content := string(write(t, p.Key, o).Content)
			if split { // its title is cut at the ends of lines, wherever they are
				content = strings.ReplaceAll(content, "|", "")
			}
			if !strings.Contains(content, number) {
				t.Errorf("%s, split %v: %s", p.Key, split, content)
			}
		}
	}
}
