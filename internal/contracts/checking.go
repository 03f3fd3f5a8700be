package contracts

import (
	"slices"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
)

// gathered is what the documents would be made of now.
func (s *Service) gathered(tx *db.Tx, sub *Submission) (d Data, made []Made, k kept, err error) {
	if err := SignedInRecently(tx.Actor, tx.Now); err != nil {
		return d, nil, k, err
	}
	if d, err = sub.Data.Checked(s.country(), ErrInvalid); err != nil {
		return d, nil, k, err
	}
	if made, k, err = s.Make(tx, d, sub.Language, nil); err != nil {
		return d, nil, k, err
	}
	if len(made) == 0 {
		return d, nil, k, ErrNoDocuments
	}
	return d, made, k, nil
}

// checked checks what was submitted against the documents as they are made now: as they were shown, and the boxes that were ticked.
func checked(sub *Submission, made []Made) error {
	if err := same(made, sub.Hashes); err != nil {
		return err
	}
	for _, m := range made {
		if !slices.ContainsFunc(sub.Shown, func(o Shown) bool { return o.Order == m.Order }) {
			return ErrNotRead.With("order", m.Order).With("name", m.Name)
		}
	}
	for _, id := range Declarations {
		if sub.Declarations[id] != TextHash(DeclarationText(sub.Language, id)) {
			return ErrConsent.Field("declarations."+id, fault.Required)
		}
	}
	if sub.Consent != TextHash(ConsentText(sub.Language)) {
		return ErrConsent.Field("consent", fault.Required)
	}
	return nil
}

// same says whether documents are those that were shown.
func same(made []Made, hashes map[int64]string) error {
	if len(hashes) != len(made) {
		return ErrDocumentChanged
	}
	for _, m := range made {
		if hashes[m.Order] != m.Hash {
			return ErrDocumentChanged.With("order", m.Order).With("name", m.Name)
		}
	}
	return nil
}
