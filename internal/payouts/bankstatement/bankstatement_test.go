package bankstatement

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// describe is a file's content as the golden files write it down.
func describe(statements []Statement) string {
	var text strings.Builder
	for _, s := range statements {
		fmt.Fprintf(&text, "%s no %s: %s to %s %s\n", s.Account, s.Number, s.Opening, s.Closing, s.Currency)
		for _, e := range s.Entries {
			fmt.Fprintf(&text, "%s %s %s\n  account %s\n  name %s\n  title %s\n  end to end %s\n  reference %s\n", e.Day, e.Amount, e.Currency, e.Account, e.Name, e.Title, e.EndToEnd, e.Reference)
			if e.Returned {
				fmt.Fprintf(&text, "  returned %s\n", e.Reason)
			}
			fmt.Fprintf(&text, "  at %s\n", e.Place)
		}
	}
	return text.String()
}

// sample is the content of a file of testdata.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func samples(t testing.TB) []string {
	t.Helper()
	var names []string
	for _, ending := range []string{"*.sta", "*.xml"} {
		found, err := filepath.Glob(filepath.Join("testdata", ending))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			names = append(names, filepath.Base(name))
		}
	}
	if len(names) != 8 {
		t.Fatalf("%d samples", len(names))
	}
	return names
}

func TestEveryBanksFileSaysWhatIsWrittenDown(t *testing.T) {
	for _, name := range samples(t) {
		statements, err := Read(sample(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := describe(statements); got != string(sample(t, name+".golden")) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestWhatCannotBeReadRefusesTheFileWithItsPlace(t *testing.T) {
	const begin = ":20:X\n:25:PL61109010140000071219812874\n:28C:1\n:60F:C261116PLN100,00\n"
	const end = ":62F:C261117PLN90,00\n"
	const line = ":61:2611171117D10,00NTRFNONREF\n"
	if _, err := Read([]byte(begin + line + end)); err != nil {
		t.Fatal(err)
	}
	camt := string(sample(t, "camt_02.xml"))
	for _, one := range []struct {
		name, file string
		code       Code
		place      string
	}{
		{"nothing", " \r\n", Empty, "the file"},
		{"other text", "Data;Kwota\n1;2\n", Unknown, "line 1"},
		{"no balance", ":20:X\n" + line + end, NoBalance, "line 2 :61:"},
		{"no closing balance", begin + line, Cut, "line 1 :20:"},
		{"cut before the next", begin + line + ":20:Y\n", Cut, "line 1 :20:"},
		{"an entry after the end", begin + line + end + line, Malformed, "line 7 :61:"},
		{"an entry is lost", begin + end, Unequal, "line 5 :62F:"},
		{"an entry is doubled", begin + line + line + end, Unequal, "line 7 :62F:"},
		{"no such day", begin + strings.Replace(line, "1117", "1131", 1) + end, Malformed, "line 5 :61:"},
		{"no such booking day", begin + ":61:2611170230D10,00NTRFNONREF\n" + end, Malformed, "line 5 :61:"},
		{"three decimals", begin + strings.Replace(line, "10,00", "10,000", 1) + end, Malformed, "line 5 :61:"},
		{"no direction", begin + strings.Replace(line, "D10", "10", 1) + end, Malformed, "line 5 :61:"},
		{"expected, not booked", begin + strings.Replace(line, "D10", "ED10", 1) + end, Malformed, "line 5 :61:"},
		{"two opening balances", begin + ":60F:C261116PLN100,00\n" + line + end, Malformed, "line 5 :60F:"},
		{"another currency at the end", begin + line + strings.Replace(end, "PLN", "EUR", 1), Currency, "line 6 :62F:"},
		{"a huge amount", begin + strings.Replace(line, "10,00", "99999999999999999999,00", 1) + end, Malformed, "line 5 :61:"},
		{"pages that do not meet", begin + line + strings.Replace(end, "62F", "62M", 1) + strings.Replace(begin, "60F", "60M", 1) + line + end, Unequal, "line 10 :60M:"},
		{"broken XML", camt[:len(camt)-40], Malformed, "the XML"},
		{"another message", strings.ReplaceAll(camt, "camt.053", "camt.054"), Unknown, "Document"},
		{"an entity of its own", strings.Replace(strings.Replace(camt, "<Document", `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document`, 1), "Account closed", "&x;", 1), Malformed, "the XML"},
		{"parts that are not the sum", strings.Replace(camt, ">1000.00<", ">1000.01<", 1), Divided, "Stmt[1]/Ntry[1]"},
		{"a part without an amount", strings.Replace(camt, `<Amt Ccy="EUR">1000.00</Amt></TxAmt>`, `</TxAmt>`, 1), Divided, "Stmt[1]/Ntry[1]"},
		{"a part in another currency", strings.Replace(camt, `<Amt Ccy="EUR">1000.00</Amt></TxAmt>`, `<Amt Ccy="PLN">1000.00</Amt></TxAmt>`, 1), Currency, "Stmt[1]/Ntry[1]/TxDtls[1]"},
		{"another closing balance", strings.Replace(camt, ">1000<", ">1000.01<", 1), Unequal, "Stmt[1]"},
		{"no closing balance in XML", strings.Replace(camt, "CLBD", "CLAV", 1), NoBalance, "Stmt[1]"},
		{"no direction in XML", strings.Replace(camt, "<CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK", "<Sts>BOOK", 1), Malformed, "Stmt[1]/Ntry[1]"},
		{"no day in XML", strings.Replace(camt, "<BookgDt><Dt>2026-11-17</Dt></BookgDt>", "", 1), Malformed, "Stmt[1]/Ntry[1]"},
		{"a field without end", begin + line + ":86:x\n" + strings.Repeat("y\n", linesMost) + end, TooLarge, "line 6 :86:"},
		{"too many elements", strings.Replace(camt, "<Ntry>", strings.Repeat("<Ntry/>", 2*EntriesMost+1000)+"<Ntry>", 1), TooLarge, "the XML"},
		{"too many entries", begin + strings.Repeat(line, EntriesMost+1), TooLarge, fmt.Sprintf("line %d :61:", EntriesMost+5)},
		{"another field first", ":25:X\n" + begin + line + end, Unknown, "line 1"},
		{"too large", strings.Repeat(" ", SizeMost+1), TooLarge, "the file"},
	} {
		_, err := Read([]byte(one.file))
		refused := new(Refused)
		if !errors.As(err, &refused) || refused.Code != one.code || refused.Place != one.place {
			t.Errorf("%s: %v", one.name, err)
		}
	}
}

func TestABatchWithoutAmountsOfItsPartsStaysOneSum(t *testing.T) {
	camt := string(sample(t, "camt_02.xml"))
	for _, amount := range []string{"1000.00", "523.45"} {
		camt = strings.Replace(camt, `<AmtDtls><TxAmt><Amt Ccy="EUR">`+amount+`</Amt></TxAmt></AmtDtls>`, "", 1)
	}
	statements, err := Read([]byte(camt))
	if err != nil || len(statements[0].Entries) != 2 || statements[0].Entries[0].Amount != -1523_45 || statements[0].Entries[0].Place != "Stmt[1]/Ntry[1]" {
		t.Errorf("%+v %v", statements, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range samples(f) {
		f.Add(sample(f, name))
	}
	f.Add([]byte(":20:X\n:60F:C261116PLN100,00\n:61:2611171117D10,00NTRF\n:86:020~00~~20\n~\n:62F:C261117PLN90,00\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		statements, err := Read(file)
		if refused := new(Refused); err != nil && (!errors.As(err, &refused) || refused.Place == "" || refused.Code == "") {
			t.Fatalf("%v", err)
		}
		for _, s := range statements {
			if err := s.check("again"); err != nil {
				t.Fatal(err)
			}
			for _, e := range s.Entries {
				if !e.Day.Exists() || e.Place == "" || strings.ContainsAny(e.Name+e.Title+e.EndToEnd+e.Reference+e.Account, "\n\r\x00") {
					t.Fatalf("%+v", e)
				}
			}
		}
	})
}
