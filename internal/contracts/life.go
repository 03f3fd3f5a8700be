package contracts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"saldo/internal/contracts/chain"
	"saldo/internal/contracts/template"
	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/pdf"
)

// Contract is one act of signing with its documents.
type Contract struct {
	ID, DriverID, AccountID  string
	State                    State
	Kinds                    []string
	FromOn, ToOn             calendar.Date
	Number                   string
	Replaces                 string
	Version                  int64
	CreatedAt, SignedAt      time.Time
	CountersignedAt, EndedAt time.Time
	EndedWhy                 string
	ErasedAt                 time.Time
}

type storedContract struct {
	Contract
	DataSealed string
}

const contractColumns = `c.id, c.driver_id, c.account_id, c.state, c.kinds, c.from_on, c.to_on, c.number, c.replaces, c.version,
	c.created_at,	c.signed_at, c.countersigned_at, c.ended_at, c.ended_why, c.erased_at`

// Document is one of a contract, with its newest file.
type Document struct {
	ContractID           string
	Position             int64
	TemplateID           string
	TemplateVersion      int64
	Name, Language, Kind string
	Form                 template.Form
	Required             bool
	Pages                int64
	ShownHash            string
	VerifyCode           string
	Edition              int64
	FileKind             string
	BlobKey, ContentHash string
	SealedKey            string
	SealedHash           string
	SealedAt             time.Time
	Stamp                string
}

// Open is a contract for changing, with what it was made of. A driver finds their own and those of whoever was merged into them.
func (s *Service) Open(tx *db.Tx, who Person, id string) (Contract, kept, error) {
	condition, args := ``, []any{id}
	if who.driver != "" {
		condition, args = ` AND c.driver_id`+drivers.Those("$3"), append(args, who.driver)
	}
	c, err := db.One[storedContract](tx, `SELECT `+contractColumns+`, c.data_sealed FROM contracts c WHERE c.tenant_id = $1 AND c.id = $2
		AND c.state <> 'deleted'`+condition, args...)
	if errors.Is(err, db.ErrNone) {
		return Contract{}, kept{}, ErrNotFound
	}
	if err != nil {
		return Contract{}, kept{}, err
	}
	k, err := s.openKept(tx, c.DataSealed)
	return c.Contract, k, err
}

// Of lists the contracts of a driver, newest first, with their documents.
func (s *Service) Of(tx *db.Tx, who Person, driver string) ([]Contract, map[string][]Document, error) {
	driver, err := driverOf(tx, who, driver)
	if err != nil {
		return nil, nil, err
	}
	all, err := db.Select[Contract](tx, `SELECT `+contractColumns+` FROM contracts c WHERE c.tenant_id = $1 AND c.driver_id`+
		drivers.Those("$2")+` AND c.state <> 'deleted' ORDER BY c.created_at DESC, c.id DESC LIMIT 200`, driver)
	if err != nil {
		return nil, nil, err
	}
	found := map[string][]Document{}
	for _, c := range all {
		if found[c.ID], err = DocumentsOf(tx, c.ID); err != nil {
			return nil, nil, err
		}
	}
	return all, found, nil
}

// DocumentsOf are the documents of a contract that were not removed, each with its newest file.
func DocumentsOf(tx *db.Tx, contract string) ([]Document, error) {
	return db.Select[Document](tx, `SELECT d.contract_id, d.position, d.template_id, d.template_version, d.name, d.language, d.kind, d.form,
		d.required, d.pages, d.shown_hash, d.verify_code, f.edition, f.kind AS file_kind, f.blob_key, f.content_hash, f.sealed_key, f.sealed_hash,
		f.sealed_at, f.stamp
		FROM contract_documents d JOIN contract_files f ON f.tenant_id = d.tenant_id AND f.contract_id = d.contract_id AND f.position = d.position
		WHERE d.tenant_id = $1 AND d.contract_id = $2 AND d.removed_at = '' AND f.edition = (SELECT MAX(n.edition) FROM contract_files n
		WHERE n.tenant_id = d.tenant_id AND n.contract_id = d.contract_id AND n.position = d.position) ORDER BY d.position`, contract)
}

// move changes the state of a contract from the version that it was read at.
func (c *Contract) move(tx *db.Tx, to State) error {
	was := c.Version
	c.State, c.Version = to, was+1
	n, err := tx.Exec(`UPDATE contracts SET state = $3, number = $4, countersigned_at = $5, ended_at = $6, ended_why = $7, version = $8
		WHERE tenant_id = $1 AND id = $2 AND version = $9`, c.ID, string(c.State), c.Number, db.Instant(c.CountersignedAt),
		db.Instant(c.EndedAt), c.EndedWhy, c.Version, was)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	return err
}

// activate makes a contract hold: it gets its number, ends the one it replaces, and what was agreed on goes to where it is used.
func (s *Service) activate(tx *db.Tx, c *Contract, d *Data) error {
	if err := c.numbered(tx, s.today(tx.Now)); err != nil {
		return err
	}
	c.CountersignedAt = tx.Now
	if err := c.move(tx, Active); err != nil {
		return err
	}
	if c.Replaces != "" {
		old, _, err := s.Open(tx, OfPartner(), c.Replaces)
		if err == nil && old.State == Active {
			old.EndedAt, old.EndedWhy = tx.Now, c.ID
			if err := s.move(tx, &old, Replaced); err != nil {
				return err
			}
			err = note(tx, old.ID, "replaced", Event{Role: "system", Who: "contracts"}, map[string]any{"by": c.ID})
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	if err := s.flow(tx, c, d); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "contracts.activate", Kind: kindOfContract, ID: c.ID,
		After: map[string]any{"number": c.Number, "driver": c.DriverID}})
}

// numbered takes the next number of the year.
func (c *Contract) numbered(tx *db.Tx, today calendar.Date) error {
	year, err := strconv.ParseInt(string(today[:4]), 10, 64)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO contract_numbers (tenant_id, year, last) VALUES ($1, $2, 1)
		ON CONFLICT (tenant_id, year) DO UPDATE SET last = contract_numbers.last + 1`, year); err != nil {
		return err
	}
	n, err := db.One[int64](tx, `SELECT last FROM contract_numbers WHERE tenant_id = $1 AND year = $2`, year)
	if err != nil {
		return err
	}
	settings, err := SettingsOf(tx)
	c.Number = settings.Prefix + strconv.FormatInt(n, 10) + "/" + string(today[:4])
	return err
}

// Countersigning is a contract with the partner's signature: files are kept, and no row names them yet.
type Countersigning struct {
	contract string
	version  int64
	partner  signature
	chain    *chain.Chain
	files    []contractFile
}

// Countersign is how a person of the partner signs: a picture, or a typed name; neither: the name of who signs for the partner.
type Countersign struct {
	Version int64
	Picture []byte
	Typed   string
}

// PrepareCountersign makes the files with both signatures and keeps them, outside of the unit that signs.
func (s *Service) PrepareCountersign(ctx context.Context, read func(func(tx *db.Tx, who Person) error) error, id string, in Countersign) (
	g *Countersigning, err error) {
	contents := map[string][]byte{}
	bases, err := s.basesOf(ctx, read, id)
	if err != nil {
		return nil, err
	}
	if err := read(func(tx *db.Tx, who Person) error {
		g, err = s.prepareCountersign(tx, who, id, in, bases, contents)
		return err
	}); err != nil {
		return nil, err
	}
	for key, content := range contents {
		if _, err := s.Blobs.Put(ctx, key, bytes.NewReader(content), int64(len(content))); err != nil {
			s.DropCountersign(ctx, g)
			return nil, err
		}
	}
	return g, nil
}

// DropCountersign deletes the files of a countersignature that did not happen.
func (s *Service) DropCountersign(ctx context.Context, g *Countersigning) {
	for _, f := range g.files {
		_ = s.Blobs.Delete(context.WithoutCancel(ctx), f.BlobKey)
	}
}

func (s *Service) prepareCountersign(tx *db.Tx, who Person, id string, in Countersign, bases map[string]*template.Base,
	contents map[string][]byte) (*Countersigning, error) {
	if err := SignedInRecently(tx.Actor, tx.Now); err != nil {
		return nil, err
	}
	c, k, err := s.Open(tx, who, id)
	if err != nil {
		return nil, err
	}
	if c.Version != in.Version {
		return nil, ErrChanged
	}
	if c.State != SignedByDriver && c.State != ScanUploaded {
		return nil, ErrState.With("state", string(c.State))
	}
	settings, err := SettingsOf(tx)
	if err != nil {
		return nil, err
	}
	by := who.by(tx.Actor)
	g := &Countersigning{contract: c.ID, version: c.Version}
	if g.partner, err = s.partnerSignature(tx, settings, in, &k, by); err != nil {
		return nil, err
	}
	g.partner.ContractID = c.ID
	if g.chain, err = continued(tx, c.ID); err != nil {
		return nil, err
	}
	before := g.chain.N
	g.chain.Add(tx.Now, "countersigned", by, map[string]any{"kind": g.partner.Kind, "picture": hashOf(g.partner.picture)})
	events, err := EventsOf(tx, c.ID)
	if err != nil {
		return nil, err
	}
	if int64(len(events)) != before {
		return nil, ErrMeanwhile
	}
	return g, s.countersigned(tx, g, &c, &k, append(events, g.chain.All...), bases, contents)
}

func (s *Service) partnerSignature(tx *db.Tx, settings Settings, in Countersign, k *kept, by Event) (g signature, err error) {
	g = signature{Role: template.Partner, Kind: "typed", Person: by.Who, Device: "own", At: tx.Now, SignedInAt: tx.Actor.Proof.SignedInAt,
		email: tx.Actor.Proof.Email, address: by.Address, agent: by.Agent}
	for _, name := range []string{in.Typed, settings.Signatory, tx.Actor.Name, k.Partner.Name} {
		if g.name = validate.Cut(name, 120); g.name != "" {
			break
		}
	}
	if len(in.Picture) > 0 {
		g.Kind = "drawn"
		g.picture, err = drawn(in.Picture)
	} else {
		g.picture, err = pdf.Written(g.name, template.PictureWidth, template.PictureHeight)
	}
	if err != nil {
		return g, err
	}
	return g, s.sealSignature(tx, &g)
}

// countersigned makes the new editions. Where this version of the program would make other pages than those that were signed, there is
// none: the sealed file of the driver stays, and the countersignature stands in the events.
func (s *Service) countersigned(tx *db.Tx, g *Countersigning, c *Contract, k *kept, events []Event, bases map[string]*template.Base,
	contents map[string][]byte) error {
	driver, err := s.signatureOf(tx, c.ID, template.Driver)
	if errors.Is(err, db.ErrNone) {
		return nil // signed by hand
	}
	if err != nil {
		return err
	}
	documents, err := db.Select[contractDocument](tx, `SELECT contract_id, position, template_id, template_version, name, language, kind, form,
		required, body, gloss, pages, shown_hash, verify_code, removed_at, file_id, placements FROM contract_documents
		WHERE tenant_id = $1 AND contract_id = $2
		AND removed_at = '' AND form = 'simple' ORDER BY position`, c.ID)
	if err != nil {
		return err
	}
	for i := range documents {
		d := &documents[i]
		m := Made{Template: Template{ID: d.TemplateID, Name: d.Name, Language: d.Language, Kind: d.Kind, Form: d.Form, Body: d.Body,
			FileID: d.FileID, Placements: d.Placements}, Order: d.Position, Gloss: d.Gloss}
		if err := s.fill(&m, k); err != nil {
			return err
		}
		if base := bases[d.FileID]; base != nil {
			if err := s.lay(&m, k, base); err != nil {
				return err
			}
		}
		if m.Hash != d.ShownHash {
			continue
		}
		content := s.withEvidence(tx, &m, k, c, d, []*signature{&driver, &g.partner}, events)
		f := contractFile{ContractID: c.ID, Position: d.Position, Edition: 2, Kind: "signed", ContentHash: hashOf(content),
			FileSize: int64(len(content)), Stamp: "none", CreatedAt: tx.Now, BlobKey: blobKey(tx, c.ID, d.Position)}
		g.files = append(g.files, f)
		contents[f.BlobKey] = content
	}
	return nil
}

func (s *Service) signatureOf(tx *db.Tx, contract string, role Side) (g signature, err error) {
	stored, err := db.One[storedSignature](tx, `SELECT contract_id, role, kind, person, signature_sealed, consent_hash,
		signed_in_at, device, at		FROM contract_signatures WHERE tenant_id = $1 AND contract_id = $2 AND role = $3`, contract, string(role))
	if err != nil {
		return g, err
	}
	g = signature{ContractID: stored.ContractID, Role: stored.Role, Kind: stored.Kind, Person: stored.Person,
		SignatureSealed: stored.SignatureSealed, ConsentHash: stored.ConsentHash, SignedInAt: stored.SignedInAt, Device: stored.Device,
		At: stored.At}
	plain, err := s.Vault.Unseal(tx.Actor.Tenant, signaturePurpose, g.SignatureSealed)
	if err != nil {
		return g, err
	}
	var content signatureContent
	err = json.Unmarshal(plain, &content)
	g.name, g.picture, g.email, g.address, g.agent = content.Name, content.Picture, content.Email, content.Address, content.Agent
	return g, err
}

// ErrMeanwhile is the answer to a countersignature of a contract that nobody changed, but to which an event came: it was sealed or taken.
// Whoever gets it prepares again.
var ErrMeanwhile = errors.New("contracts: an event came meanwhile")

// CountersignNow makes the contract active, if it is still the one that was prepared for.
func (s *Service) CountersignNow(tx *db.Tx, who Person, g *Countersigning) (Contract, error) {
	c, k, err := s.Open(tx, who, g.contract)
	if err != nil {
		return c, err
	}
	now, err := continued(tx, c.ID)
	if err != nil {
		return c, err
	}
	if c.Version != g.version {
		return c, ErrChanged
	}
	if now.Last != g.chain.All[0].Previous {
		return c, ErrMeanwhile
	}
	for _, f := range g.files {
		if err := db.Insert(tx, "contract_files", f); err != nil {
			return c, err
		}
	}
	if err := db.Insert(tx, "contract_signatures", g.partner.stored()); err != nil {
		return c, err
	}
	if err := storeEvents(tx, g.chain); err != nil {
		return c, err
	}
	if err := s.orderSeals(tx, c.ID); err != nil {
		return c, err
	}
	return c, s.activate(tx, &c, &k.Data)
}

// Withdraw takes back a contract that was signed, with a reason. It stays, and says so.
func (s *Service) Withdraw(tx *db.Tx, who Person, id, reason string, version int64) (Contract, error) {
	c, err := s.ending(tx, who, id, &reason, version)
	if err != nil {
		return c, err
	}
	if who.Side == template.Driver && c.State == Active {
		return c, ErrState.With("state", string(c.State)) // an active one ends by notice to the partner
	}
	return s.end(tx, who, &c, Withdrawn, "withdrawn", reason)
}

// End ends an active contract, with a reason.
func (s *Service) End(tx *db.Tx, who Person, id, reason string, version int64) (Contract, error) {
	c, err := s.ending(tx, who, id, &reason, version)
	if err == nil && c.State != Active {
		err = ErrState.With("state", string(c.State))
	}
	if err != nil {
		return c, err
	}
	return s.end(tx, who, &c, Ended, "ended", reason)
}

func (s *Service) ending(tx *db.Tx, who Person, id string, reason *string, version int64) (Contract, error) {
	f := validate.New(ErrInvalid)
	*reason = f.Text("reason", *reason, 500, true)
	if err := f.Err(); err != nil {
		return Contract{}, err
	}
	c, _, err := s.Open(tx, who, id)
	switch {
	case err != nil:
	case c.Version != version:
		err = ErrChanged
	case !c.EndedAt.IsZero():
		err = ErrState.With("state", string(c.State))
	}
	return c, err
}

func (s *Service) end(tx *db.Tx, who Person, c *Contract, to State, kind, reason string) (Contract, error) {
	before := c.State
	c.EndedAt, c.EndedWhy = tx.Now, reason
	if err := s.move(tx, c, to); err != nil {
		return *c, err
	}
	if err := note(tx, c.ID, kind, who.by(tx.Actor), map[string]any{"reason": hashOf([]byte(reason))}); err != nil {
		return *c, err
	}
	return *c, audit.Record(tx, audit.Change{Action: "contracts." + kind, Kind: kindOfContract, ID: c.ID, Before: before, After: c.State,
		Reason: reason})
}

// Delete takes a contract away that the partner has not countersigned, or one of its documents. Of a whole contract the data, the
// signature and the files are erased; that there was one stays.
func (s *Service) Delete(tx *db.Tx, who Person, id string, order int64, reason string) error {
	c, _, err := s.Open(tx, who, id)
	if err != nil {
		return err
	}
	if !c.CountersignedAt.IsZero() || !c.EndedAt.IsZero() {
		return ErrState.With("state", string(c.State))
	}
	documents, err := DocumentsOf(tx, id)
	if err != nil {
		return err
	}
	by := who.by(tx.Actor)
	if order > 0 && len(documents) > 1 {
		n, err := tx.Exec(`UPDATE contract_documents SET removed_at = $4 WHERE tenant_id = $1 AND contract_id = $2 AND position = $3
			AND NOT required			AND removed_at = ''`, id, order, tx.Now)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrState.With("state", "required")
		}
		if err := note(tx, id, "removed", by, map[string]any{"order": order}); err != nil {
			return err
		}
		return audit.Record(tx, audit.Change{Action: "contracts.remove_document", Kind: kindOfContract, ID: id, Before: order, Reason: reason})
	}
	if err := note(tx, id, "deleted", by, map[string]any{}); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE contract_signatures SET signature_sealed = '' WHERE tenant_id = $1 AND contract_id = $2`, id); err != nil {
		return err
	}
	n, err := tx.Exec(`UPDATE contracts SET state = 'deleted', data_sealed = '', ended_at = $3, version = version + 1
		WHERE tenant_id = $1 AND id = $2		AND version = $4`, id, tx.Now, c.Version)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrChanged
	}
	if err := jobs.Enqueue(tx, jobs.Order{Kind: EraseKind, Key: id, Payload: sealTicket{Contract: id}}); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "contracts.delete", Kind: kindOfContract, ID: id, Before: c.State, Reason: reason})
}
