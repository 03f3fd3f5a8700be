package contracts

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"saldo/internal/contracts/pdfs"
	"saldo/internal/contracts/template"
	"saldo/internal/contracts/values"
	"saldo/internal/kernel/calendar"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// Made is a document with its pages.
type Made struct {
	Template
	Order   int64 // from 1
	Gloss   string
	Content []byte
	Pages   int64
	Hash    string // of the content

	document template.Document
	file     pdfs.File // the PDF that it is made of, where it is
	basis    string    // of a document on a PDF
}

// kept is what the documents of a contract were made of. It is sealed with the contract: pages can be made again, whatever the
// partner's profile says later.
type kept struct {
	Data    Data             `json:"data"`
	Partner partners.Profile `json:"partner"`
}

func (s *Service) sealKept(tx *db.Tx, k kept) (string, error) {
	plain, err := json.Marshal(k)
	return s.Vault.Seal(tx.Actor.Tenant, dataPurpose, plain), err
}

// openKept opens what a contract was made of: nothing, where it was erased.
func (s *Service) openKept(tx *db.Tx, sealed string) (k kept, err error) {
	if sealed == erasedData {
		return k, nil
	}
	plain, err := s.Vault.Unseal(tx.Actor.Tenant, dataPurpose, sealed)
	if err != nil {
		return k, err
	}
	return k, json.Unmarshal(plain, &k)
}

// source is what documents are made of.
func (s *Service) source(tx *db.Tx, d Data) (kept, error) {
	p, err := partners.OwnProfile(tx, s.Vault)
	// what is not on the pages is not kept
	p.Account, p.Notes, p.Referral, p.Services, p.Cities = "", "", "", nil, nil
	return kept{d, p}, err
}

// Make makes the documents of a contract with the data, each for itself, with a summary in another language. Only those asked for, by
// their ids; none: all. Those on a partner's PDF have no pages yet: Finish makes them outside of the unit of work.
func (s *Service) Make(tx *db.Tx, d Data, language i18n.Language, only []string) ([]Made, kept, error) {
	all, err := s.applying(tx, &d)
	if err != nil {
		return nil, kept{}, err
	}
	k, err := s.source(tx, d)
	if err != nil {
		return nil, k, err
	}
	made := []Made{}
	for i, t := range all {
		if len(only) > 0 && !slices.Contains(only, t.ID) {
			continue
		}
		m := Made{Template: t, Order: int64(i + 1), Gloss: glossOf(t, language)}
		if t.FileID != "" {
			if m.file, err = pdfs.ByID(tx, t.FileID); err != nil {
				return nil, k, err
			}
		}
		if err := s.fill(&m, &k); err != nil {
			return nil, k, err
		}
		made = append(made, m)
	}
	return made, k, nil
}

func glossOf(t Template, language i18n.Language) string {
	if t.Revision > 0 || t.FileID != "" {
		return "" // the partner's text may say something else
	}
	for _, r := range template.ReadyFor(t.Language) {
		if r.ID == t.ID {
			return r.Gloss[string(language)]
		}
	}
	return ""
}

// fill makes the pages of a text as they are shown. Of a PDF it gathers what they are made of.
func (s *Service) fill(m *Made, k *kept) error {
	m.document = template.Document{Title: m.Name, Language: m.Language, Gloss: m.Gloss, Placed: m.Placements,
		Ticked:  i18n.Of(i18n.Language(m.Language), "contract-pages:ticked"),
		Empty:   i18n.Of(i18n.Language(m.Language), "contract-pages:not_ticked"),
		Values:  values.Of(s.Instance, &k.Data, &k.Partner, i18n.Language(m.Language)),
		Signers: map[Side]string{template.Driver: k.Data.Personal.Name(), template.Partner: k.Partner.Name}}
	if m.FileID != "" {
		m.basis = s.basisOf(m, k)
		return nil
	}
	parsed, err := template.Parse(m.Body)
	if err != nil {
		return err
	}
	m.document.Template = parsed
	content, pages := template.Make(s.file(m.Name, k), m.document)
	m.Content, m.Pages, m.Hash = content, int64(pages[0]), hashOf(content)
	return nil
}

func (s *Service) file(name string, k *kept) template.File {
	return template.File{Author: k.Partner.Name, At: s.midnight(k.Data.Contract.Date), Foot: name + " · " + k.Partner.Name}
}

// midnight is when a day begins at the instance; a day that does not exist has none.
func (s *Service) midnight(d calendar.Date) time.Time {
	at, err := time.ParseInLocation("2006-01-02", string(d), s.Instance.Location())
	if err != nil {
		return time.Time{}
	}
	return at
}

// Lines are the words of the document, to be read aloud.
func (m *Made) Lines() []string { return template.Lines(m.document) }

// Together is one PDF of documents. A draft says so across its pages.
func (s *Service) Together(made []Made, k kept, isDraft bool) []byte {
	if len(made) == 1 && !isDraft {
		return made[0].Content
	}
	all := make([]template.Document, len(made))
	for i, m := range made {
		all[i] = m.document
	}
	f := s.file(made[0].Name, &k)
	if isDraft {
		f.Draft = i18n.Of(s.language(), "contract-pages:draft")
	}
	content, _ := template.Make(f, all...)
	return content
}

// Trying is a text or a PDF that is being worked on, with the data of a driver or with none.
type Trying struct {
	made    []Made
	kept    kept
	Missing []string // placeholders that have no value
}

// Try gathers what the pages of a text or a PDF that is being worked on are made of.
func (s *Service) Try(tx *db.Tx, t Template, d Data) (g Trying, err error) {
	m := Made{Template: t, Order: 1}
	if t.FileID == "" {
		parsed, err := parsedText(t.Body)
		if err != nil {
			return g, err
		}
		m.Placeholders = parsed.Placeholders()
	} else {
		if m.file, err = pdfs.ByID(tx, t.FileID); err != nil {
			return g, err
		}
		if err := m.checkPlacements(&m.file); err != nil {
			return g, err
		}
	}
	if g.kept, err = s.source(tx, d); err != nil {
		return g, err
	}
	if err := s.fill(&m, &g.kept); err != nil {
		return g, err
	}
	g.Missing = []string{}
	for _, name := range m.Placeholders {
		if m.document.Values.Texts[name] == "" {
			g.Missing = append(g.Missing, name)
		}
	}
	g.made = []Made{m}
	return g, nil
}

// Tried makes the pages.
func (s *Service) Tried(ctx context.Context, g Trying) (content []byte, pages int64, err error) {
	if err := s.Finish(ctx, g.made, g.kept); err != nil {
		return nil, 0, err
	}
	return s.Together(g.made, g.kept, true), g.made[0].Pages, nil
}
