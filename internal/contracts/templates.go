package contracts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"saldo/internal/contracts/answers"
	"slices"
	"strconv"
	"time"

	"saldo/internal/contracts/template"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// BodyMax is the longest text, in letters.
const BodyMax = 60_000

// templatesMost is how many texts a partner may have.
const templatesMost = 100

// Template is a text of a partner, or one that comes with the program and that the partner has not changed.
type Template struct {
	ID, Name, Language, Kind string
	Form                     template.Form
	Position                 int64
	ContractKinds            []string
	Required, Active         bool
	Version                  int64 // of the text
	Revision                 int64 // of everything else; 0: it comes with the program as it is
	Ready                    bool  `db:"-"`
	Body                     string
	Placeholders             []string
	FileID                   string // of the PDF that values are placed on; empty: it is a text
	Placements               template.Placements

	fileHash string
}

const templateColumns = `t.id, t.name, t.language, t.kind, t.form, t.position, t.contract_kinds, t.required, t.active, t.version,
	t.revision,	v.body, v.placeholders, v.file_id, v.placements`

// hashOf is how contents are compared.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Templates lists the texts of the partner in their order: its own and those that come with the program for the country.
func (s *Service) Templates(tx *db.Tx) ([]Template, error) {
	all, err := db.Select[Template](tx, `SELECT `+templateColumns+` FROM document_templates t JOIN template_versions v
		ON v.tenant_id = t.tenant_id AND v.template_id = t.id AND v.version = t.version
		WHERE t.tenant_id = $1 AND t.deleted_at = ''`)
	if err != nil {
		return nil, err
	}
	gone, err := db.Select[string](tx, `SELECT id FROM document_templates WHERE tenant_id = $1 AND deleted_at <> ''`)
	if err != nil {
		return nil, err
	}
	for _, r := range template.ReadyFor(s.country()) {
		at := slices.IndexFunc(all, func(t Template) bool { return t.ID == r.ID })
		if at >= 0 {
			all[at].Ready = true
		} else if !slices.Contains(gone, r.ID) {
			all = append(all, ofReady(r))
		}
	}
	slices.SortStableFunc(all, func(a, b Template) int {
		if a.Position != b.Position {
			return int(a.Position - b.Position)
		}
		return int(slices.Compare([]byte(a.ID), []byte(b.ID)))
	})
	return all, nil
}

func ofReady(r template.Ready) Template {
	t := Template{ID: r.ID, Name: r.Name, Language: r.Language, Kind: r.Kind, Form: r.Form, Position: r.Order,
		ContractKinds: append([]string{}, r.For...), Required: r.Required, Active: true, Version: r.Version, Ready: true, Body: r.Body,
		Placeholders: []string{}, Placements: []template.Placement{}}
	if parsed, err := template.Parse(r.Body); err == nil {
		t.Placeholders = append(t.Placeholders, parsed.Placeholders()...)
	}
	return t
}

// TemplateOf is one of the texts.
func (s *Service) TemplateOf(tx *db.Tx, id string) (Template, error) {
	all, err := s.Templates(tx)
	if err != nil {
		return Template{}, err
	}
	if at := slices.IndexFunc(all, func(t Template) bool { return t.ID == id }); at >= 0 {
		return all[at], nil
	}
	return Template{}, ErrNotFound
}

// applying are the texts of a contract with these data.
func (s *Service) applying(tx *db.Tx, d *Data) ([]Template, error) {
	all, err := s.Templates(tx)
	kinds := d.KindsOf()
	return slices.DeleteFunc(all, func(t Template) bool {
		of := func(k string) bool { return slices.Contains(kinds, k) }
		return !t.Active || len(t.ContractKinds) > 0 && !slices.ContainsFunc(t.ContractKinds, of)
	}), err
}

// parsedText reads a text, or names every place that is wrong.
func parsedText(body string) (*template.Template, error) {
	parsed, err := template.Parse(body)
	var found template.Mistakes
	if errors.As(err, &found) {
		refused := ErrText.With("line", found[0].Line).With("column", found[0].Column).With("code", found[0].Code).With("what", found[0].What)
		for _, m := range found[:min(len(found), 20)] {
			refused = refused.Field(fmt.Sprintf("body:%d:%d:%s", m.Line, m.Column, m.Code), fault.WrongFormat)
		}
		return nil, refused
	}
	return parsed, err
}

func (t *Template) check(tx *db.Tx) error {
	f := validate.New(ErrInvalid)
	t.Name = f.Text("name", t.Name, 120, true)
	if _, ok := i18n.Parse(t.Language); !ok {
		f.Wrong("language", fault.NotOneOf)
	}
	f.OneOf("kind", t.Kind, template.Kinds)
	f.OneOf("form", string(t.Form), []string{string(template.Simple), string(template.Written)})
	if t.Position < 1 || t.Position > 1000 {
		f.Wrong("order", fault.NotOneOf)
	}
	for _, k := range t.ContractKinds {
		if k != "bailiff" && !slices.Contains(answers.ContractKinds, k) {
			f.Wrong("for", fault.NotOneOf)
		}
	}
	if len([]rune(t.Body)) > BodyMax {
		f.Wrong("body", fault.TooLong, "max", strconv.Itoa(BodyMax))
	}
	if err := f.Err(); err != nil {
		return err
	}
	if t.ContractKinds == nil {
		t.ContractKinds = []string{}
	}
	if t.FileID != "" {
		return t.checkPDF(tx)
	}
	t.Placements = []template.Placement{}
	parsed, err := parsedText(t.Body)
	if err != nil {
		return err
	}
	if !parsed.Signed(template.Driver) && !parsed.Signed(template.Partner) {
		return ErrText.With("line", 1).With("column", 1).With("code", "signature").With("what", "").Field("body:1:1:signature", fault.Required)
	}
	t.Placeholders = append([]string{}, parsed.Placeholders()...)
	return nil
}

type storedTemplate struct {
	ID, Name, Language, Kind string
	Form                     template.Form
	Position                 int64
	ContractKinds            []string
	Required, Active         bool
	Version, Revision        int64
	ChangedAt, DeletedAt     time.Time
}

func (t *Template) stored(tx *db.Tx) storedTemplate {
	return storedTemplate{ID: t.ID, Name: t.Name, Language: t.Language, Kind: t.Kind, Form: t.Form, Position: t.Position,
		ContractKinds: t.ContractKinds, Required: t.Required, Active: t.Active, Version: t.Version, Revision: t.Revision, ChangedAt: tx.Now}
}

type templateVersion struct {
	TemplateID   string
	Version      int64
	Body         string
	Placeholders []string
	ContentHash  string
	CreatedAt    time.Time
	CreatedBy    string
	FileID       string
	Placements   template.Placements
}

func (t *Template) keepText(tx *db.Tx) error {
	return db.Insert(tx, "template_versions", templateVersion{t.ID, t.Version, t.Body, t.Placeholders, t.sum(), tx.Now, tx.Actor.Name,
		t.FileID, t.Placements})
}

// sum is that of the text, or of the PDF with what stands on it.
func (t *Template) sum() string {
	if t.FileID == "" {
		return hashOf([]byte(t.Body))
	}
	return hashOf([]byte(db.JSON([]any{t.fileHash, t.Placements})))
}

// sameText says whether two templates make the same pages.
func (t *Template) sameText(as *Template) bool {
	return t.Body == as.Body && t.FileID == as.FileID && slices.Equal(t.Placements, as.Placements)
}

// VersionsOf lists the texts that a template had, newest first, without the texts.
func VersionsOf(tx *db.Tx, id string) ([]templateVersion, error) {
	return db.Select[templateVersion](tx, `SELECT template_id, version, '' AS body, placeholders, content_hash, created_at, created_by,
		file_id, '[]' AS placements FROM template_versions WHERE tenant_id = $1 AND template_id = $2 ORDER BY version DESC LIMIT 100`, id)
}

// TextOf is a template with an older text, or with the one that comes with the program.
func (s *Service) TextOf(tx *db.Tx, t Template, version int64, ready bool) (Template, error) {
	for _, r := range template.ReadyFor(s.country()) {
		if ready && r.ID == t.ID {
			t.Body, t.FileID, t.Placements = r.Body, "", []template.Placement{}
			return t, nil
		}
	}
	if version == t.Version && !ready {
		return t, nil
	}
	old, err := db.One[struct {
		Body, FileID string
		Placements   template.Placements
	}](tx, `SELECT body, file_id, placements FROM template_versions WHERE tenant_id = $1 AND template_id = $2 AND version = $3`, t.ID, version)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	t.Body, t.FileID, t.Placements = old.Body, old.FileID, old.Placements
	return t, err
}

// AddTemplate writes a new text down.
func (s *Service) AddTemplate(tx *db.Tx, t Template) (Template, error) {
	if err := t.check(tx); err != nil {
		return t, err
	}
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM document_templates WHERE tenant_id = $1`)
	if err != nil {
		return t, err
	}
	if n >= templatesMost {
		return t, ErrInvalid.Field("name", fault.TooBig, "max", strconv.Itoa(templatesMost))
	}
	t.ID, t.Version, t.Revision, t.Ready = tx.NewID(), 1, 1, false
	if err := db.Insert(tx, "document_templates", t.stored(tx)); err != nil {
		return t, err
	}
	if err := t.keepText(tx); err != nil {
		return t, err
	}
	return t, t.record(tx, "contracts.template_add", nil)
}

type templateView struct {
	Name    string `json:"name"`
	Active  bool   `json:"active"`
	Version int64  `json:"version"`
	Text    string `json:"text"` // its sum
}

func (t *Template) view() templateView {
	return templateView{t.Name, t.Active, t.Version, t.sum()}
}

func (t *Template) record(tx *db.Tx, action string, before any) error {
	return audit.Record(tx, audit.Change{Action: action, Kind: "document_template", ID: t.ID, Before: before, After: t.view()})
}

// SaveTemplate changes a text from the revision that it was read at. Another text is another version; signed documents keep theirs.
func (s *Service) SaveTemplate(tx *db.Tx, t Template) (Template, error) {
	before, err := s.TemplateOf(tx, t.ID)
	if err != nil {
		return t, err
	}
	if before.Revision != t.Revision {
		return t, ErrChanged
	}
	if err := t.check(tx); err != nil {
		return t, err
	}
	t.Ready, t.Version, t.Revision = before.Ready, before.Version, before.Revision+1
	another := !t.sameText(&before)
	if before.Revision == 0 { // it came with the program until now
		if another {
			t.Version++
		}
		if err := db.Insert(tx, "document_templates", t.stored(tx)); err != nil {
			return t, err
		}
		another = true
	} else {
		if another {
			t.Version++
		}
		n, err := db.Update(tx, "document_templates", t.stored(tx), "id = $2 AND revision = $3", t.ID, before.Revision)
		if err != nil {
			return t, err
		}
		if n == 0 {
			return t, ErrChanged
		}
	}
	if another {
		if err := t.keepText(tx); err != nil {
			return t, err
		}
	}
	return t, t.record(tx, "contracts.template_save", before.view())
}

// RemoveTemplate takes a text away; what was signed keeps it. One that comes with the program is turned off instead.
func (s *Service) RemoveTemplate(tx *db.Tx, id string) error {
	t, err := s.TemplateOf(tx, id)
	if err != nil {
		return err
	}
	before := t.view()
	if t.Active = false; t.Ready {
		t, err = s.SaveTemplate(tx, t)
		return err
	}
	if _, err := tx.Exec(`UPDATE document_templates SET deleted_at = $3, active = FALSE, revision = revision + 1
		WHERE tenant_id = $1 AND id = $2`,
		id, tx.Now); err != nil {
		return err
	}
	return t.record(tx, "contracts.template_remove", before)
}

// Settings are how a partner signs.
type Settings struct {
	Standing  bool   // what drivers sign is countersigned at once
	Signatory string // who signs for the partner; empty: its name
	Prefix    string // of contract numbers
	Version   int64
}

// SettingsOf are the partner's.
func SettingsOf(tx *db.Tx) (Settings, error) {
	own, err := db.One[Settings](tx, `SELECT standing, signatory, prefix, version FROM contract_settings WHERE tenant_id = $1`)
	if errors.Is(err, db.ErrNone) {
		err = nil
	}
	return own, err
}

// SaveSettings changes them from the version that they were read at.
func SaveSettings(tx *db.Tx, c Settings) (Settings, error) {
	f := validate.New(ErrInvalid)
	c.Signatory = f.Text("signatory", c.Signatory, 120, c.Standing)
	c.Prefix = f.Text("prefix", c.Prefix, 20, false)
	if err := f.Err(); err != nil {
		return c, err
	}
	before, err := SettingsOf(tx)
	if err != nil {
		return c, err
	}
	if before.Version != c.Version {
		return c, ErrChanged
	}
	c.Version++
	if _, err := tx.Exec(`INSERT INTO contract_settings (tenant_id, standing, signatory, prefix, version, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant_id) DO UPDATE SET standing = excluded.standing, signatory = excluded.signatory,
		prefix = excluded.prefix, version = excluded.version, updated_at = excluded.updated_at`,
		c.Standing, c.Signatory, c.Prefix, c.Version, tx.Now); err != nil {
		return c, err
	}
	return c, audit.Record(tx, audit.Change{Action: "contracts.settings", Kind: "contract_settings", ID: tx.Actor.Tenant, Before: before,
		After: c})
}
