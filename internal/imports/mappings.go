package imports

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/providers/mapped"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

var (
	ErrMappingNotFound = fault.Declare(fault.NotFound, "imports.mapping_not_found")
	ErrMappingInvalid  = fault.Declare(fault.Invalid, "imports.mapping_invalid")
	// ErrMappingTaken is the answer to describing columns that are described already.
	ErrMappingTaken = fault.Declare(fault.Conflict, "imports.mapping_taken")
	// ErrMappingChanged is the answer to an edit of a version that is no longer the newest.
	ErrMappingChanged  = fault.Declare(fault.Conflict, "imports.mapping_changed")
	ErrTooManyMappings = fault.Declare(fault.Conflict, "imports.too_many_mappings")
)

// Limits of mappings.
const (
	mappingsMax    = 200
	mappingNameMax = 100
	// readAgainFor is how long a file that nobody knew is read again by itself once its columns are described.
	readAgainFor = 24 * time.Hour
)

const mappingKind = "import_mapping"

const mappingQuery = `SELECT id, name, version, signature, head, rules, import_id, created_at, updated_at, created_by, updated_by
	FROM import_mappings WHERE tenant_id = $1`

// Mappings lists what the partner described, by name.
func Mappings(tx *db.Tx) ([]pipeline.Mapping, error) {
	found, err := db.Select[pipeline.Mapping](tx, mappingQuery+` ORDER BY id`)
	slices.SortStableFunc(found, func(a, b pipeline.Mapping) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return found, err
}

// MappingOf is one of the partner's mappings.
func MappingOf(tx *db.Tx, id string) (pipeline.Mapping, error) {
	m, err := db.One[pipeline.Mapping](tx, mappingQuery+` AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return m, ErrMappingNotFound
	}
	return m, err
}

// NewMapping is a mapping that is being made for a file.
type NewMapping struct {
	Name     string
	ImportID string
	Part     string // of the file
	HeadLine int64  // where the partner says the head stands
	Rules    mapped.Mapping
}

// AddMapping remembers what the columns of a file hold, and has that file and those of the same head read again. There is one
// mapping for a head.
func (d *Service) AddMapping(tx *db.Tx, n NewMapping) (id string, err error) {
	preview, err := samplePreviewOf(tx, n.ImportID)
	if err != nil {
		return "", err
	}
	head, _, headed := preview.Below(n.Part, n.HeadLine)
	m := pipeline.Mapping{ID: tx.NewID(), Version: 1, Head: head, Rules: pipeline.Rules{Mapping: n.Rules}, ImportID: n.ImportID,
		Signature: mapped.Signature(head)}
	wrong := []fault.Field{}
	if !headed {
		wrong = append(wrong, fault.Field{Name: "headLine", Code: fault.NotOneOf})
	}
	if err := checkMapping(&m, n.Name, wrong); err != nil {
		return "", err
	}
	count, err := db.One[int64](tx, `SELECT COUNT(*) FROM import_mappings WHERE tenant_id = $1`)
	if err != nil {
		return "", err
	}
	if count >= mappingsMax {
		return "", ErrTooManyMappings.With("max", mappingsMax)
	}
	added, err := tx.Exec(`INSERT INTO import_mappings (tenant_id, id, name, version, signature, head, rules, import_id, created_at,
		created_by, updated_at, updated_by)
		VALUES ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9, $8, $9) ON CONFLICT DO NOTHING`, m.ID, m.Name, m.Signature, db.JSON(m.Head),
		db.JSON(m.Rules), m.ImportID, tx.Now, tx.Actor.Name)
	if err != nil {
		return "", err
	}
	if added == 0 {
		return "", ErrMappingTaken
	}
	if err := audit.Record(tx, audit.Change{Action: "mappings.add", Kind: mappingKind, ID: m.ID, After: auditView(m)}); err != nil {
		return "", err
	}
	return m.ID, readAgain(tx, m)
}

// SaveMapping replaces what a mapping says, if the edited version is still the newest, and has files read again that wait for
// confirmation as the mapping read them before. What is imported stays as it is.
func (d *Service) SaveMapping(tx *db.Tx, id string, version int64, name string, rules mapped.Mapping) error {
	before, err := MappingOf(tx, id)
	if err != nil {
		return err
	}
	if before.Version != version {
		return ErrMappingChanged
	}
	m := before
	m.Rules = pipeline.Rules{Mapping: rules}
	if err := checkMapping(&m, name, nil); err != nil {
		return err
	}
	if db.JSON(auditView(m)) == db.JSON(auditView(before)) {
		return nil
	}
	n, err := tx.Exec(`UPDATE import_mappings SET name = $4, rules = $5, version = version + 1, updated_at = $6, updated_by = $7
		WHERE tenant_id = $1 AND id = $2 AND version = $3`,
		id, version, m.Name, db.JSON(m.Rules), tx.Now, tx.Actor.Name)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrMappingChanged
	}
	if err := audit.Record(tx, audit.Change{Action: "mappings.save", Kind: mappingKind, ID: id, Before: auditView(before),
		After: auditView(m)}); err != nil {
		return err
	}
	if db.JSON(m.Rules) == db.JSON(before.Rules) { // a new name reads nothing otherwise
		return nil
	}
	return readAgain(tx, m)
}

// RemoveMapping forgets a mapping. Files that it has read already stay as they are: previews keep what they were read by.
func RemoveMapping(tx *db.Tx, id string) error {
	before, err := MappingOf(tx, id)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM import_mappings WHERE tenant_id = $1 AND id = $2`, id); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "mappings.remove", Kind: mappingKind, ID: id, Before: auditView(before)})
}

// auditView is what the trail keeps of a mapping.
func auditView(m pipeline.Mapping) any {
	return struct {
		Name  string         `json:"name"`
		Rules pipeline.Rules `json:"rules"`
	}{m.Name, m.Rules}
}

// checkMapping gives the mapping its name and finds everything that is wrong with it.
func checkMapping(m *pipeline.Mapping, name string, wrong []fault.Field) error {
	m.Name = strings.Join(strings.Fields(norm.NFC.String(name)), " ")
	switch {
	case m.Name == "":
		wrong = append(wrong, fault.Field{Name: "name", Code: fault.Required})
	case utf8.RuneCountInString(m.Name) > mappingNameMax || strings.ContainsFunc(m.Name, unicode.IsControl):
		wrong = append(wrong, fault.Field{Name: "name", Code: fault.TooLong, Params: map[string]string{"max": fmt.Sprint(mappingNameMax)}})
	}
	return invalid(append(wrong, wrongRules(m.Rules.Mapping, m.Head)...))
}

func wrongRules(rules mapped.Mapping, head []string) []fault.Field {
	wrong := rules.Check()
	if len(head) > 0 {
		for _, field := range rules.CheckHead(head) {
			if !slices.ContainsFunc(wrong, func(other fault.Field) bool { return other.Name == field.Name }) {
				wrong = append(wrong, field)
			}
		}
	}
	return wrong
}

func invalid(wrong []fault.Field) error {
	if len(wrong) == 0 {
		return nil
	}
	err := *ErrMappingInvalid
	err.Fields = wrong
	return &err
}

// mappingsFor are the mappings by which an import is read: all that there are while it is analyzed, and from then on those by
// which it was.
func mappingsFor(tx *db.Tx, i Import) ([]pipeline.Mapping, error) {
	if i.Status == Analyzing {
		return db.Select[pipeline.Mapping](tx, mappingQuery+` ORDER BY id`)
	}
	preview, err := PreviewOf(tx, i.ID)
	return preview.Mappings, err
}

// ReadAgain has a file analyzed again without another upload, and as the same import: one that failed, one that waits for
// confirmation, or one whose content is imported already, if the order allows that. A nil order is the one that it has.
func ReadAgain(tx *db.Tx, id string, order *Order) (Status, error) {
	i, err := Of(tx, id)
	if err != nil {
		return "", err
	}
	if order != nil {
		if i.Order, err = order.Checked(); err != nil {
			return "", err
		}
	}
	switch i.Status {
	case Analyzing:
		if order == nil {
			return Analyzing, nil
		}
		return "", ErrNotReady
	case Failed, InPreview, Duplicated:
	default:
		return "", ErrOver
	}
	if i.DuplicateOf, err = twinOf(tx, i); err != nil {
		return "", err
	}
	if i.DuplicateOf != "" && !i.AllowDuplicates {
		return "", ErrDuplicated.With("import", i.DuplicateOf)
	}
	if i.BlobKey == "" {
		return "", ErrFileGone
	}
	n, err := tx.Exec(`UPDATE imports SET chosen = $3, city = $4, dates_from = $5, dates_to = $6, bonus_from = $7, bonus_to = $8,
		allow_duplicates = $9, merge_by_name = $10, duplicate_of = $11, status = CASE WHEN status = 'duplicated' THEN 'failed' ELSE status END
		WHERE tenant_id = $1 AND id = $2 AND status = $12`, id, i.Chosen, i.City, string(i.DatesFrom), string(i.DatesTo), string(i.BonusFrom),
		string(i.BonusTo), i.AllowDuplicates, i.MergeByName, i.DuplicateOf, string(i.Status))
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", ErrOver
	}
	return Analyzing, analyzeAgain(tx, id)
}

// analyzeAgain takes back what analyzing has written, and leaves the job. Who confirms it at the same time wins or loses whole.
func analyzeAgain(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE imports SET status = 'analyzing', provider = chosen, kind = '', encoding = '', delimiter = '', period_from = '',
		period_to = '', period_source = '',
		counts = '{}', totals = '[]', preview = '', fault = '', fault_params = '{}', booked_as = '', confirmed_at = '', confirmed_by = '',
		finished_at = '', readings = readings + 1
		WHERE tenant_id = $1 AND id = $2 AND status IN ('failed', 'preview')`, id)
	if err != nil || n == 0 {
		return err
	}
	if err := jobs.Enqueue(tx, jobs.Order{Kind: AnalyzeKind, Key: id, Payload: ticket{id}}); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "imports.read_again", Kind: importKind, ID: id})
}

// readAgain has those files analyzed again to which a mapping says something new: that were uploaded lately and not recognised,
// or that wait for confirmation as it read them before.
func readAgain(tx *db.Tx, m pipeline.Mapping) error {
	ids, err := db.Select[string](tx, `SELECT id FROM imports WHERE tenant_id = $1 AND (status = 'preview' OR status = 'failed' AND fault = $2
		AND (uploaded_at > $3 OR id = $4)) ORDER BY id`,
		pipeline.ErrNotRecognised.Code, tx.Now.Add(-readAgainFor), m.ImportID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		preview, err := PreviewOf(tx, id)
		if err != nil {
			return err
		}
		concerned := slices.ContainsFunc(preview.Mappings, func(used pipeline.Mapping) bool { return used.ID == m.ID }) ||
			slices.ContainsFunc(preview.Rows, func(r pipeline.PreviewRow) bool { return mapped.Signature(r.Cells) == m.Signature })
		if !concerned {
			continue
		}
		if err := analyzeAgain(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// samplePreviewOf is the preview of an import that there is.
func samplePreviewOf(tx *db.Tx, id string) (pipeline.Preview, error) {
	if _, err := Of(tx, id); err != nil {
		return pipeline.Preview{}, err
	}
	return PreviewOf(tx, id)
}

// Try reads the first rows of a file with a mapping that nobody has saved yet. It writes nothing.
func (d *Service) Try(tx *db.Tx, n NewMapping) ([]pipeline.Tried, error) {
	preview, err := samplePreviewOf(tx, n.ImportID)
	if err != nil {
		return nil, err
	}
	head, rows, headed := preview.Below(n.Part, n.HeadLine)
	wrong := []fault.Field{}
	if !headed {
		wrong = append(wrong, fault.Field{Name: "headLine", Code: fault.NotOneOf})
	}
	if err := invalid(append(wrong, wrongRules(n.Rules, head)...)); err != nil {
		return nil, err
	}
	return d.pipeline().Try(tx, n.Rules, n.HeadLine, head, rows)
}
