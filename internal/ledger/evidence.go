package ledger

import (
	"bytes"
	"image"
	_ "image/jpeg" // what a photo may come as
	_ "image/png"
	"path"
	"strings"
	"unicode"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
)

var (
	// ErrEvidenceRefused is the answer to a file that is no PDF, PNG or JPEG, or is too large.
	ErrEvidenceRefused = fault.Declare(fault.Invalid, "transactions.evidence_refused")
	ErrNoEvidence      = fault.Declare(fault.NotFound, "transactions.no_evidence")
)

// Limits of evidence.
const (
	EvidencePDFMax     = 10 << 20
	EvidencePictureMax = 1 << 20
	evidenceSide       = 10_000 // pixels
	evidenceNameMax    = 150
)

// Evidence is a file that shows why a transaction is right.
type Evidence struct{ Key, Type, Name string }

// CheckEvidence says what kind of file it is, by its content alone.
func CheckEvidence(content []byte) (mediaType, ending string, err error) {
	if bytes.HasPrefix(content, []byte("%PDF-")) && bytes.Contains(content[max(0, len(content)-2048):], []byte("%%EOF")) {
		if len(content) > EvidencePDFMax {
			return "", "", ErrEvidenceRefused.Field("body", fault.TooBig, "max", "10 MB")
		}
		return "application/pdf", ".pdf", nil
	}
	shape, format, err := image.DecodeConfig(bytes.NewReader(content))
	switch {
	case err != nil:
		return "", "", ErrEvidenceRefused.Field("body", fault.WrongFormat).Because(err)
	case len(content) > EvidencePictureMax:
		return "", "", ErrEvidenceRefused.Field("body", fault.TooBig, "max", "1 MB")
	case shape.Width < 1 || shape.Height < 1 || shape.Width > evidenceSide || shape.Height > evidenceSide:
		return "", "", ErrEvidenceRefused.Field("body", fault.TooBig, "max", "10000 × 10000")
	case format == "jpeg":
		return "image/jpeg", ".jpg", nil
	}
	return "image/png", ".png", nil
}

// EvidenceName is a file's name without a path and without what no file is
// called, ending as its content says.
func EvidenceName(name, ending string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`"/\<>|:*?`, r) {
			return -1
		}
		return r
	}, name)
	name = strings.Trim(strings.TrimSuffix(name, path.Ext(name)), " .")
	if name == "" {
		name = "evidence"
	}
	return validate.Cut(name, evidenceNameMax) + ending
}

// SetEvidence attaches a file to a transaction, or takes it away when there is
// no key. It tells which blob nobody needs any more.
func SetEvidence(tx *db.Tx, id string, e Evidence) (former string, err error) {
	t, err := transaction(tx, id)
	switch {
	case err != nil:
		return "", err
	case t.Settled():
		return "", ErrSettled
	case e.Key == "" && t.Evidence == "":
		return "", ErrNoEvidence
	}
	after := t
	after.Evidence, after.EvidenceType, after.EvidenceName = e.Key, e.Type, e.Name
	_, err = tx.Exec(`UPDATE transactions SET evidence = $3, evidence_type = $4, evidence_name = $5, version = version + 1, updated_at = $6
		WHERE tenant_id = $1 AND id = $2`, t.ID, e.Key, e.Type, e.Name, tx.Now)
	if err != nil {
		return "", err
	}
	return t.Evidence, recordChange(tx, "transactions.set_evidence", &t, &after, "")
}

// EvidenceOf finds the file of a transaction.
func EvidenceOf(tx *db.Tx, id string) (Evidence, error) {
	t, err := transaction(tx, id)
	if err == nil && t.Evidence == "" {
		err = ErrNoEvidence
	}
	return Evidence{t.Evidence, t.EvidenceType, t.EvidenceName}, err
}
