package partners

import (
	"errors"
	"fmt"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

var (
	// ErrNoTerms is the answer where no terms were ever published.
	ErrNoTerms = fault.Declare(fault.NotFound, "terms.none")
	// ErrTermsChanged is the answer to accepting terms that are no longer the newest.
	ErrTermsChanged = fault.Declare(fault.Conflict, "terms.changed")
)

// Terms are the newest terms and whether the partner accepted them.
type Terms struct {
	Version, Title, Body string
	PublishedAt          time.Time
	AcceptedAt           time.Time // zero: not accepted
	MemberName           string    // who accepted
}

// Text is terms in one language.
type Text struct{ Title, Body string }

// PublishTerms makes a version the newest one. It must exist in every
// language, and a published version never changes.
func PublishTerms(tx *db.Tx, version string, in map[i18n.Language]Text) error {
	for _, l := range i18n.Languages {
		t := in[l]
		if version == "" || t.Title == "" || t.Body == "" {
			return fmt.Errorf("terms need a version, and a title and a text in every language; %s lacks one", l)
		}
		n, err := tx.Across().Exec(`INSERT INTO terms (version, language, title, body, published_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT DO NOTHING`,
			version, string(l), t.Title, t.Body, tx.Now)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("terms %s are published already and stay as they are: choose another version", version)
		}
	}
	return nil
}

// NewestTerms are the terms in force, in a language.
func NewestTerms(tx *db.Tx, language i18n.Language) (Terms, error) {
	newest, err := db.One[Terms](tx, `SELECT t.version, t.title, t.body, t.published_at, COALESCE(a.accepted_at, '') AS accepted_at,
		COALESCE(a.member_name, '') AS member_name
		FROM terms t LEFT JOIN terms_acceptances a ON a.tenant_id = $1 AND a.version = t.version
		WHERE t.language = $2 ORDER BY t.published_at DESC, t.version DESC LIMIT 1`, string(language))
	if errors.Is(err, db.ErrNone) {
		return newest, ErrNoTerms
	}
	return newest, err
}

// AcceptTerms accepts the newest terms for the partner. With a version it
// refuses when that is no longer the newest: nobody accepts what they did not
// see. Accepting twice keeps the first time.
func AcceptTerms(tx *db.Tx, version string) error {
	newest, err := NewestTerms(tx, i18n.Default)
	if err != nil {
		return err
	}
	if version != "" && version != newest.Version {
		return ErrTermsChanged.With("version", newest.Version)
	}
	n, err := tx.Exec(`INSERT INTO terms_acceptances (tenant_id, version, member_id, member_name, accepted_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT DO NOTHING`,
		newest.Version, tx.Actor.ID, tx.Actor.Name, tx.Now)
	if err != nil || n == 0 {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "terms.accept", Kind: "terms", ID: newest.Version, After: newest.Version})
}
