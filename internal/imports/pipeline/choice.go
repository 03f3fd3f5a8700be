package pipeline

import (
	"slices"
	"strings"

	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/imports/unmatched"
	"saldo/internal/platform/db"
)

// choiceRows is how many rows are looked at to tell two providers by their people.
const choiceRows = 500

// knownByProvider are the people of those providers whose files look alike. Where the provider is chosen nobody asks for them.
func knownByProvider(tx *db.Tx, layouts []statement.Layout, chosen string) (map[string]bool, error) {
	known := map[string]bool{}
	asked := []string{}
	for _, l := range layouts {
		if l.Provider != "" && len(l.Choices) > 1 && !slices.Contains(l.Choices, chosen) {
			asked = append(asked, l.Choices...)
		}
	}
	slices.Sort(asked)
	for _, provider := range slices.Compact(asked) {
		values, err := unmatched.KnownTo(tx, provider)
		if err != nil {
			return nil, err
		}
		for _, value := range values {
			known[provider+"\x00"+strings.ToLower(value)] = true
		}
	}
	return known, nil
}

// providersBefore says as whose files of a kind were read so far; empty: of several providers. Only what a person has told counts, also
// of files that are not confirmed yet.
func providersBefore(tx *db.Tx, f File) (map[string]string, error) {
	found, err := db.Select[struct{ Kind, Provider string }](tx, `SELECT DISTINCT kind, provider FROM imports WHERE tenant_id = $1 AND id <> $2
		AND kind <> '' AND provider <> '' AND status IN ('success', 'preview', 'running')`, f.ImportID)
	before := map[string]string{}
	for _, one := range found {
		if other, taken := before[one.Kind]; taken && other != one.Provider {
			one.Provider = ""
		}
		before[one.Kind] = one.Provider
	}
	return before, err
}

// providerOf tells whose file it is, among providers whose files look alike, by the people whom it names: those of one provider only.
// If nobody is known, it is whose all files of this kind were. Empty: nobody can tell, and a person is asked.
func (rd *reading) providerOf(t table.Table, p *Part, found providers.Found) string {
	seen := map[string]bool{}
	given := rd.given
	given.Provider = found.Choices[0]
	read := found.Open(found.Head, given)
	out := statement.Out{
		Entries: func(e statement.Entry) {
			for _, k := range e.Person.Keys {
				for _, choice := range found.Choices {
					if rd.known[choice+"\x00"+k.Compared()] {
						seen[choice] = true
					}
				}
			}
		},
		Errors: func(statement.RowError) {}, Warnings: func(statement.RowWarning) {}, Skipped: func(int64, string) {},
	}
	rows := 0
	for row, err := range t.Rows() {
		if err != nil || rows == choiceRows {
			break
		}
		if row.Line > found.Head.Line {
			rows++
			read(statement.Row(row), out)
		}
	}
	if before := rd.before[found.Kind]; len(seen) == 0 && slices.Contains(found.Choices, before) {
		p.asBefore = true
		return before
	}
	if len(seen) != 1 {
		return ""
	}
	for choice := range seen {
		return choice
	}
	return ""
}
