package contracts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"saldo/internal/contracts/pdfs"
	"saldo/internal/contracts/template"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
)

// ErrNoRoom is the answer to a value that does not fit into its box on a partner's PDF. It names the value and the document.
var ErrNoRoom = fault.Declare(fault.Conflict, "contracts.no_room")

// PDFs are the partner's.
func (s *Service) PDFs() pdfs.Service { return pdfs.Service{Blobs: s.Blobs, Reader: s.Reader} }

// checkPDF checks where values stand on a PDF.
func (t *Template) checkPDF(tx *db.Tx) error {
	file, err := pdfs.ByID(tx, t.FileID)
	if err != nil {
		return err
	}
	if err := file.Usable(tx); err != nil {
		return err
	}
	if err := t.checkPlacements(&file); err != nil {
		return err
	}
	t.fileHash = file.ContentHash
	if !slices.ContainsFunc(t.Placements, func(p template.Placement) bool { return p.Kind == template.PlacedSignature }) {
		return ErrInvalid.Field("placements", fault.Required)
	}
	return nil
}

// checkPlacements rounds placements, refuses those that are not on the pages, and lists the placeholders.
func (t *Template) checkPlacements(file *pdfs.File) error {
	if t.Body != "" || len(t.Placements) > template.PlacementsMost {
		return ErrInvalid.Field("placements", fault.TooBig, "max", strconv.Itoa(template.PlacementsMost))
	}
	refused, wrong := ErrInvalid, false
	names, placed, sizes := []string{}, make([]template.Placement, len(t.Placements)), file.Boxes()
	for i, p := range t.Placements {
		placed[i] = p.Rounded()
		if part := placed[i].Wrong(sizes); part != "" {
			refused, wrong = refused.Field(fmt.Sprintf("placements.%d.%s", i, part), fault.NotOneOf), true
		}
		if p.Kind == template.PlacedText && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	if wrong {
		return refused
	}
	t.Placements, t.Placeholders = placed, names
	return nil
}

// Finish makes the pages of those documents that a partner's PDF is for, outside of the unit of work that gathered what they are made of.
func (s *Service) Finish(ctx context.Context, made []Made, k kept) error {
	bases := map[string]*template.Base{}
	for i := range made {
		m := &made[i]
		if m.FileID == "" {
			continue
		}
		if bases[m.FileID] == nil {
			base, err := s.PDFs().Base(ctx, &m.file)
			if err != nil {
				return err
			}
			bases[m.FileID] = base
		}
		if err := s.lay(m, &k, bases[m.FileID]); err != nil {
			return err
		}
	}
	return nil
}

// lay writes the values of a document over its PDF.
func (s *Service) lay(m *Made, k *kept, base *template.Base) error {
	m.document.Base = base
	if at := m.document.Room(); at >= 0 {
		p := m.Placements[at]
		return ErrNoRoom.With("value", p.Name).With("page", p.Page).With("name", m.Name).
			Field(fmt.Sprintf("placements.%d.box", at), fault.TooLong)
	}
	content, pages := template.Make(s.file(m.Name, k), m.document)
	m.Content, m.Pages, m.Hash = content, int64(pages[0]), hashOf(content)
	return nil
}

// basisOf is the sum of everything that the pages of a document on a PDF are made of: the same basis gives the same pages.
func (s *Service) basisOf(m *Made, k *kept) string {
	text, err := json.Marshal([]any{m.file.ContentHash, m.Placements, m.document.Title, m.document.Language, m.document.Values,
		m.document.Signers, s.file(m.Name, k)})
	if err != nil {
		return "" // texts and numbers always can
	}
	return hashOf(text)
}

// basesOf are the PDFs that the documents of a contract were made of.
func (s *Service) basesOf(ctx context.Context, read func(func(tx *db.Tx, who Person) error) error, contract string) (
	map[string]*template.Base, error) {
	var all []pdfs.File
	if err := read(func(tx *db.Tx, _ Person) (err error) {
		all, err = pdfs.OfContract(tx, contract)
		return err
	}); err != nil {
		return nil, err
	}
	bases := map[string]*template.Base{}
	for i := range all {
		base, err := s.PDFs().Base(ctx, &all[i])
		if err != nil {
			return nil, err
		}
		bases[all[i].ID] = base
	}
	return bases, nil
}
