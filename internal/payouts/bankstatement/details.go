package bankstatement

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	// an optional code of the operation, the sign before each part, the number of the first
	partedOf = regexp.MustCompile(`^[0-9A-Z]{0,4}([~?<^|+])(?:00|10|20)`)
	// parts of a purpose as German banks write it, each with what is before the plus
	purposeOf = regexp.MustCompile(`(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)\+`)
	// parts of a text as mBank writes it
	keyedOf  = regexp.MustCompile(`(?i)^\s*(z rach\.|na rach\.|rach\.|od|dla|tyt\.|tnr)\s*:\s*(.*)$`)
	returnOf = regexp.MustCompile(
		`(?i)\b(zwrot (przelewu|płatno[śs]ci|platnosci|[śs]rodk[óo]w)|przelew (zwr[óo]cony|odrzucony)|` +
			`odrzucon[ay] (p[łl]atno[śs][ćc]|przelew)|returned payment|return of (payment|transfer)|` +
			`r[üu]ck[üu]berweisung|r[üu]cklastschrift|retoure)\b`)
)

// pieceFull is how long a part is where its text goes on in the next one.
const pieceFull = 27

// describe reads the field :86: of an entry.
func (e *Entry) describe(lines []string) {
	if found := partedOf.FindStringSubmatch(lines[0]); found != nil {
		e.parted(strings.Join(lines, ""), found[1])
	} else {
		e.free(lines)
	}
	value := e.Title
	if e.Amount > 0 && !e.Returned && returnOf.MatchString(value) {
		e.Returned = true
	}
	if e.Returned && e.Reason == "" {
		e.Reason = value
	}
}

// parted reads numbered parts: 20 to 28 and, of German banks, 60 to 63 are the
// title, 29 or 38 the account, else 30 and 31, and 32 and 33 the name, which
// Polish banks carry on in 62 and 63.
func (e *Entry) parted(text, sign string) {
	parts := map[string]string{}
	pieces := strings.Split(text, sign)
	last := ""
	for _, piece := range pieces[1:] {
		if len(piece) >= 2 && digits(piece[:2]) {
			last = piece[:2]
			parts[last] += fill(piece[2:])
		} else {
			parts[last] += sign + piece // the sign stood in a text
		}
	}
	name, title := []string{"32", "33", "62", "63"}, []string{"20", "21", "22", "23", "24", "25", "26", "27", "28"}
	if sign == "?" {
		name, title = name[:2], append(title, "60", "61", "62", "63")
	}
	other := account(parts["29"])
	if len(other) < 15 || len(other) > 34 {
		title, other = append(title[:9:9], append([]string{"29"}, title[9:]...)...), ""
	}
	if own := account(parts["38"]); own != "" {
		other = own
	}
	if other == "" {
		other = joined(account(parts["30"]), account(parts["31"]))
	}
	e.Account, e.Name, e.Title = other, continued(parts, name), continued(parts, title)
	e.purpose(strings.Join(partsOf(parts, title), ""))
}

// fill is a part without what stands for an empty one.
func fill(part string) string {
	return strings.Trim(part, "ÿ˙\u00a0")
}

func partsOf(parts map[string]string, numbers []string) (found []string) {
	for _, number := range numbers {
		found = append(found, parts[number])
	}
	return found
}

// continued is a text of several parts: one that fills its part goes on in the
// next, a shorter one ended with a word.
func continued(parts map[string]string, numbers []string) string {
	var text strings.Builder
	for _, part := range partsOf(parts, numbers) {
		text.WriteString(part)
		if utf8.RuneCountInString(part) < pieceFull {
			text.WriteByte(' ')
		}
	}
	return tidy(text.String())
}

// purpose reads a title that has named parts; others stay as they are.
func (e *Entry) purpose(text string) {
	places := purposeOf.FindAllStringSubmatchIndex(text, -1)
	for i, p := range places {
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		value := tidy(text[p[1]:end])
		switch text[p[2]:p[3]] {
		case "EREF":
			if value != "NOTPROVIDED" {
				e.EndToEnd = strings.ReplaceAll(value, " ", "")
			}
		case "SVWZ":
			e.Title = value
		case "IBAN":
			e.Account = account(value)
		}
	}
}

// joined is an account of which a file has the bank and the number apart. Of a
// Polish one the check digits follow from the rest.
func joined(bank, number string) string {
	switch {
	case len(number) >= 15: // it is whole
		if len(bank) != 8 || len(number) != 16 || !digits(bank+number) {
			return number
		}
	case number == "" || bank == "":
		return number
	default:
		return bank + number
	}
	rest := 0
	for _, d := range bank + number + "252100" { // PL00
		rest = (rest*10 + int(d-'0')) % 97
	}
	return fmt.Sprintf("PL%02d%s%s", 98-rest, bank, number)
}

// free reads a text without numbered parts.
func (e *Entry) free(lines []string) {
	var whole strings.Builder
	for _, line := range lines {
		whole.WriteString(line)
		if utf8.RuneCountInString(line) < 65 { // a full line goes on in the next one
			whole.WriteByte(' ')
		}
	}
	keyed := false
	for part := range strings.SplitSeq(whole.String(), ";") {
		found := keyedOf.FindStringSubmatch(part)
		if found == nil {
			continue
		}
		keyed = true
		switch value := tidy(found[2]); strings.ToLower(found[1]) {
		case "od", "dla":
			e.Name = value
		case "tyt.":
			e.Title = value
		case "tnr":
			if e.Reference == "" {
				e.Reference = value
			}
		default:
			e.Account = account(value)
		}
	}
	if !keyed {
		e.Title = tidy(whole.String())
	}
}
