package bankfile

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
)

// The lines of a text of Elixir.
const (
	lineWidth = 35
	lineCount = 4
)

// elixir writes one line a payment: type, day, amount in grosze, the two sorting codes and accounts, who pays, who is paid, title and
// class.
func (w *writer) elixir() []byte {
	var out bytes.Buffer
	w.at = wholeOrder
	from := w.party(w.order.From)
	day := strings.ReplaceAll(string(w.order.On), "-", "")
	for n, p := range w.order.Payments {
		w.at = n
		class, title := "53", []string(nil)
		if p.Split != nil {
			title = pieces(w.splitTitle(p), lineWidth, beforeTag)
		} else {
			class, title = "51", lines(w.title(p.Title, lineWidth*lineCount), lineWidth, lineCount)
		}
		fields := []string{"110", day, fmt.Sprint(int64(p.Amount)), sortCode(w.order.From.Account), "0",
			w.field(string(w.order.From.Account[2:])), w.field(string(p.To.Account[2:])), from, w.party(p.To),
			"0", sortCode(p.To.Account), w.field(w.joined(title)), w.field(""), w.field(""), w.field(class), w.field(w.profile.note(p.Reference))}
		w.line(&out, strings.Join(fields, ",")+"\r\n")
	}
	return out.Bytes()
}

// sortCode is the number of the bank of a Polish account, which stands behind the country and the check digits.
func sortCode(account official.Account) string { return string(account[4:12]) }

// field is a value as it stands between commas.
func (w *writer) field(value string) string {
	if w.profile.quoted || strings.Contains(value, ",") {
		return `"` + value + `"`
	}
	return value
}

// party is a name in two lines and an address in two.
func (w *writer) party(p Party) string {
	name := lines(w.name(p.Name, 2*lineWidth), lineWidth, 2)
	if w.profile.fourths {
		name = append(name, make([]string, 2-len(name))...)
	}
	return w.field(w.joined(append(name, w.text(Street, p.Street, lineWidth), w.text(Place, p.Place, lineWidth))))
}

func (w *writer) name(name string, maximum int) string {
	is := w.text(Name, name, maximum)
	if is == "" {
		w.refuse(NoName, Name, "")
	}
	return is
}

func (w *writer) title(title string, maximum int) string {
	is := w.text(Title, title, maximum)
	if is == "" {
		w.refuse(NoTitle, Title, "")
	}
	return is
}

// joined is a text of lines; empty ones stand only where the bank wants all four.
func (w *writer) joined(parts []string) string {
	if w.profile.fourths {
		return strings.Join(append(parts, make([]string, lineCount-len(parts))...), "|")
	}
	var full []string
	for _, part := range parts {
		if part != "" {
			full = append(full, part)
		}
	}
	return strings.Join(full, "|")
}

// splitTitle names the VAT, the seller, the invoice and a text, each with its own limit. Together they fit into four lines.
func (w *writer) splitTitle(p Payment) string {
	vat := strings.ReplaceAll(p.Split.VAT.String(), ".", ",")
	return fmt.Sprintf("/VAT/%s/IDC/%s/INV/%s/TXT/%s", vat, p.Split.TaxID, w.tagless(Invoice, p.Split.Invoice, 35),
		w.tagless(Title, p.Title, 33))
}

// tagOf is a tag of a split payment, also one that the tags around a text would complete.
var tagOf = regexp.MustCompile(`(?i)(^|/)(VAT|IDC|INV|TXT)(/|$)`)

// tagless is a text of a split payment in which a bank finds no tag: dashes stand for the slashes of one. Looked at is what
// the file would hold, since other signs may become a tag on the way there.
func (w *writer) tagless(field Field, was string, maximum int) string {
	before := len(w.changes)
	text := w.text(field, was, maximum)
	if field == Title && text == "" {
		w.refuse(NoTitle, Title, "")
	}
	is := text
	for tagOf.MatchString(is) { // each time it has a slash less, or begins or ends with a dash
		is = tagOf.ReplaceAllString(is, "-$2-")
		if runes := []rune(is); len(runes) > maximum {
			is = string(runes[:maximum])
		}
	}
	if is != text {
		w.changes = append(w.changes[:before], Change{w.at, field, norm.NFC.String(was), is})
	}
	return is
}

// beforeTag is where a title of a split payment is cut: at the end of the line, or before a tag that would be cut in two.
func beforeTag(left []rune, width int) int {
	for from := width - 4; from < width; from++ {
		if end := from + 5; end <= len(left) && slices.Contains([]string{"/IDC/", "/INV/", "/TXT/"}, string(left[from:end])) {
			return from
		}
	}
	return width
}

// line encodes a line. Everything in it was found to be in the code page, but for digits and signs of ours, which all of them have.
func (w *writer) line(out *bytes.Buffer, line string) {
	if w.profile.signs == nil {
		out.WriteString(line)
		return
	}
	encoded, err := w.profile.signs.NewEncoder().String(line)
	if err != nil {
		w.refuse(Unwritable, "", "")
		return
	}
	out.WriteString(encoded)
}

// santander writes a head and one line a payment between bars.
func (w *writer) santander() []byte {
	var out bytes.Buffer
	w.line(&out, "4120414|1\n")
	for n, p := range w.order.Payments {
		w.at = n
		kind, title := "1", ""
		if p.Split == nil {
			title = w.title(p.Title, 140)
		} else {
			kind, title = "6", w.splitTitle(p)
		}
		address := strings.TrimSpace(w.text(Street, p.To.Street, 30) + " " + w.text(Place, p.To.Place, 29))
		w.line(&out, strings.Join([]string{kind, string(w.order.From.Account[2:]), string(p.To.Account[2:]), w.name(p.To.Name, w.profile.name),
			address,
			strings.ReplaceAll(p.Amount.String(), ".", ","), "1", title, backwards(w.order.On)}, "|")+"|\n")
	}
	return out.Bytes()
}

// backwards is a day as 17-11-2026.
func backwards(on calendar.Date) string {
	parts := strings.Split(string(on), "-")
	return parts[2] + "-" + parts[1] + "-" + parts[0]
}
