package pipeline

import (
	"slices"
	"time"

	"saldo/internal/imports/providers/mapped"
	"saldo/internal/platform/db"
)

// Mapping is what a partner said of the files with one head, remembered.
type Mapping struct {
	ID, Name             string
	Version              int64
	Signature            string
	Head                 Head
	Rules                Rules
	ImportID             string // the file that it was made for
	CreatedAt, UpdatedAt time.Time
	CreatedBy, UpdatedBy string
}

// Head is the columns of a file.
type Head []string

// Rules are a mapping as it is stored.
type Rules struct{ mapped.Mapping }

// Scan reads the head back.
func (h *Head) Scan(value any) error { return db.ScanJSON(value, h) }

// Scan reads the rules back.
func (r *Rules) Scan(value any) error { return db.ScanJSON(value, r) }

// usedMappings are those that read a part of the file.
func (rd *reading) usedMappings() (used []Mapping) {
	for _, p := range rd.parts {
		if p.Kind != mapped.Kind {
			continue
		}
		n := slices.IndexFunc(rd.file.Mappings, func(m Mapping) bool { return m.Signature == mapped.Signature(p.Head) })
		if n >= 0 && !slices.ContainsFunc(used, func(m Mapping) bool { return m.ID == rd.file.Mappings[n].ID }) {
			used = append(used, rd.file.Mappings[n])
		}
	}
	return used
}
