package contracts

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"time"

	"saldo/internal/contracts/chain"
	"saldo/internal/contracts/template"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/pdf"
	"saldo/internal/platform/web"
)

// signedInFor is how long before a signature somebody may have signed in.
const signedInFor = 30 * time.Minute

// Declarations are what is confirmed before signing, each by a box of its own.
var Declarations = []string{"truth", "understood", "copy"}

// DeclarationText and ConsentText are what is confirmed, in the language of the screen.
func DeclarationText(in i18n.Language, id string) string {
	return i18n.Of(in, "contract-pages:declaration."+id)
}

// ConsentText is what signing means.
func ConsentText(in i18n.Language) string { return i18n.Of(in, "contract-pages:consent") }

// TextHash is what a text is confirmed by.
func TextHash(text string) string { return hashOf([]byte(text)) }

// Shown is how far a document was looked at.
type Shown struct{ Order, Pages, Milliseconds int64 }

// Submission is what is signed, and how.
type Submission struct {
	Driver       string // whom a partner acts for
	Data         Data
	Version      int64 // of the draft; 0: none was saved
	Language     i18n.Language
	Hashes       map[int64]string // of the documents as they were shown, by their order
	Shown        []Shown
	Declarations map[string]string // hashes of their texts, by id
	Consent      string            // hash of its text
	Picture      []byte            // of a drawn signature, as PNG
	Typed        string            // or a typed name
	Replaces     string
}

// Signing is everything of a contract that was signed: files are kept, and no row names them yet.
type Signing struct {
	contract  Contract
	sealed    string
	documents []contractDocument
	files     []contractFile
	chain     *chain.Chain
	driverOf  signature
	partnerOf *signature
	draft     int64
	language  i18n.Language
	hashes    map[int64]string
	bases     map[int64]string // what documents on PDFs are made of
	data      Data
}

type signature struct {
	ContractID      string
	Role            Side
	Kind            string
	Person          string
	SignatureSealed string
	ConsentHash     string
	SignedInAt      time.Time
	Device          string
	At              time.Time

	name    string
	picture []byte
	email   string
	address string
	agent   string
}

type signatureContent struct {
	Name    string `json:"name"`
	Picture []byte `json:"picture"`
	Email   string `json:"email"`
	Address string `json:"address"`
	Agent   string `json:"agent"`
}

func (s *Service) sealSignature(tx *db.Tx, g *signature) error {
	plain, err := json.Marshal(signatureContent{g.name, g.picture, g.email, g.address, g.agent})
	g.SignatureSealed = s.Vault.Seal(tx.Actor.Tenant, signaturePurpose, plain)
	return err
}

type contractDocument struct {
	ContractID      string
	Position        int64
	TemplateID      string
	TemplateVersion int64
	Name, Language  string
	Kind            string
	Form            template.Form
	Required        bool
	Body, Gloss     string
	Pages           int64
	ShownHash       string
	VerifyCode      string
	RemovedAt       time.Time
	FileID          string
	Placements      template.Placements
}

type contractFile struct {
	ContractID  string
	Position    int64
	Edition     int64
	Kind        string
	BlobKey     string
	ContentHash string
	FileSize    int64
	SealedKey   string
	SealedHash  string
	SealedSize  int64
	SealedAt    time.Time
	Stamp       string
	CreatedAt   time.Time
}

// Prepare checks a submission, makes the files of the contract and keeps them, outside of the unit that signs. Where no row names them
// in the end, Drop deletes them again.
func (s *Service) Prepare(ctx context.Context, read func(func(tx *db.Tx, who Person) error) error, sub Submission) (g *Signing, err error) {
	var contents map[string][]byte
	var data Data
	var made []Made
	var k kept
	if err := read(func(tx *db.Tx, _ Person) (err error) {
		data, made, k, err = s.gathered(tx, &sub)
		return err
	}); err != nil {
		return nil, err
	}
	if err := s.Finish(ctx, made, k); err != nil {
		return nil, err
	}
	if err := read(func(tx *db.Tx, who Person) error {
		if err := checked(&sub, made); err != nil {
			return err
		}
		g, contents, err = s.prepare(tx, who, sub, data, made, k)
		return err
	}); err != nil {
		return nil, err
	}
	for key, content := range contents {
		if _, err := s.Blobs.Put(ctx, key, bytes.NewReader(content), int64(len(content))); err != nil {
			s.Drop(ctx, g)
			return nil, err
		}
	}
	return g, nil
}

// Drop deletes the files of a contract that was not signed.
func (s *Service) Drop(ctx context.Context, g *Signing) {
	for _, f := range g.files {
		_ = s.Blobs.Delete(context.WithoutCancel(ctx), f.BlobKey)
	}
}

// SignedInRecently refuses to sign for people who signed in long ago: whoever finds a phone cannot sign with it.
func SignedInRecently(who access.Actor, now time.Time) error {
	if who.Role != access.System && now.Sub(who.Proof.SignedInAt) > signedInFor {
		return web.ErrFreshLogin
	}
	return nil
}

func (s *Service) prepare(tx *db.Tx, who Person, sub Submission, data Data, made []Made, k kept) (*Signing, map[string][]byte, error) {
	driver, err := driverOf(tx, who, sub.Driver)
	if err != nil {
		return nil, nil, err
	}
	settings, err := SettingsOf(tx)
	if err != nil {
		return nil, nil, err
	}
	old, err := draftOf(tx, driver, who.Side)
	if err != nil {
		return nil, nil, err
	}
	if old.Version != sub.Version {
		return nil, nil, ErrChanged
	}
	g := &Signing{draft: sub.Version, language: sub.Language, hashes: sub.Hashes, data: data, bases: map[int64]string{}}
	for _, m := range made {
		g.bases[m.Order] = m.basis
	}
	g.contract = Contract{ID: tx.NewID(), DriverID: driver, State: SignedByDriver, Kinds: data.KindsOf(), FromOn: data.Contract.From,
		ToOn: data.Contract.To, Replaces: sub.Replaces, Version: 1, CreatedAt: tx.Now}
	if who.Side == template.Driver {
		g.contract.AccountID = tx.Actor.Person
	}
	if g.sealed, err = s.sealKept(tx, k); err != nil {
		return nil, nil, err
	}
	g.chain = chain.New(g.contract.ID)
	by := who.by(tx.Actor)
	for _, step := range stepsOf(old.Events) {
		g.chain.Add(step.At, "step_saved", by, map[string]any{"step": step.Step, "fields": step.Fields})
	}
	if mayBeSigned(made) {
		if g.driverOf, err = s.signature(tx, who, &sub, by); err != nil {
			return nil, nil, err
		}
		g.driverOf.ContractID = g.contract.ID
		g.contract.SignedAt = tx.Now
	} else if len(sub.Picture) > 0 || sub.Typed != "" {
		return nil, nil, ErrWritten
	}
	s.happened(tx, g, made, &sub, by)
	if settings.Standing && !written(made) {
		partner, err := s.typedByPartner(tx, settings.Signatory, k.Partner.Name)
		if err != nil {
			return nil, nil, err
		}
		partner.ContractID = g.contract.ID
		g.partnerOf = &partner
		g.chain.Add(tx.Now, "countersigned", Event{Role: "partner", Who: "standing"}, map[string]any{"standing": true})
	}
	if written(made) {
		g.contract.State = Printed
	}
	contents := map[string][]byte{}
	for i := range made {
		if err := s.kept(tx, g, &made[i], &k, contents); err != nil {
			return nil, nil, err
		}
	}
	return g, contents, nil
}

func written(made []Made) bool {
	return slices.ContainsFunc(made, func(m Made) bool { return m.Form == template.Written })
}

// signature is the driver's.
func (s *Service) signature(tx *db.Tx, who Person, sub *Submission, by Event) (g signature, err error) {
	g = signature{Role: template.Driver, Kind: "drawn", Person: by.Who, ConsentHash: sub.Consent, SignedInAt: tx.Actor.Proof.SignedInAt,
		Device: "own", At: tx.Now, email: tx.Actor.Proof.Email, address: by.Address, agent: by.Agent}
	if who.Side == template.Partner {
		g.Device = "partner"
	}
	g.name = sub.Data.Personal.Name()
	if len(sub.Picture) == 0 {
		if g.name = validate.Cut(sub.Typed, 120); len([]rune(g.name)) < 3 {
			return g, ErrSignature.With("why", "none")
		}
		g.Kind = "typed"
		g.picture, err = pdf.Written(g.name, template.PictureWidth, template.PictureHeight)
	} else {
		g.picture, err = drawn(sub.Picture)
	}
	if err != nil {
		return g, err
	}
	return g, s.sealSignature(tx, &g)
}

// drawn is a drawn signature as pages show it.
func drawn(content []byte) ([]byte, error) {
	picture, why := template.Drawn(content)
	if why != "" {
		return nil, ErrSignature.With("why", why)
	}
	return picture, nil
}

// typedByPartner is the signature of the partner in typed letters.
func (s *Service) typedByPartner(tx *db.Tx, name, otherwise string) (g signature, err error) {
	if name == "" {
		name = otherwise
	}
	g = signature{Role: template.Partner, Kind: "typed", Person: "standing", Device: "own", At: tx.Now, SignedInAt: tx.Now, name: name}
	if g.picture, err = pdf.Written(name, template.PictureWidth, template.PictureHeight); err != nil {
		return g, err
	}
	return g, s.sealSignature(tx, &g)
}

// happened writes down what led to the signature.
func (s *Service) happened(tx *db.Tx, g *Signing, made []Made, sub *Submission, by Event) {
	for _, m := range made {
		at := slices.IndexFunc(sub.Shown, func(o Shown) bool { return o.Order == m.Order })
		g.chain.Add(tx.Now, "shown", by, map[string]any{"order": m.Order, "sum": m.Hash, "pages": sub.Shown[at].Pages,
			"ms": sub.Shown[at].Milliseconds})
	}
	for _, id := range Declarations {
		g.chain.Add(tx.Now, "declared", by, map[string]any{"id": id, "sum": sub.Declarations[id], "language": sub.Language})
	}
	g.chain.Add(tx.Now, "consented", by, map[string]any{"sum": sub.Consent, "language": sub.Language})
	if g.driverOf.ContractID != "" {
		g.chain.Add(tx.Now, "signed", by, map[string]any{"kind": g.driverOf.Kind, "device": g.driverOf.Device,
			"picture": hashOf(g.driverOf.picture)})
	}
	g.chain.Add(tx.Now, "submitted", by, map[string]any{"documents": len(made)})
}

// kept makes the file of one document: signed pages with their evidence, or pages to be printed.
func (s *Service) kept(tx *db.Tx, g *Signing, m *Made, k *kept, contents map[string][]byte) error {
	code := make([]byte, 16)
	rand.Read(code)
	d := contractDocument{ContractID: g.contract.ID, Position: m.Order, TemplateID: m.ID, TemplateVersion: m.Version, Name: m.Name,
		Language: m.Language, Kind: m.Kind, Form: m.Form, Required: m.Required, Body: m.Body, Gloss: m.Gloss, Pages: m.Pages,
		ShownHash: m.Hash, VerifyCode: hex.EncodeToString(code), FileID: m.FileID, Placements: append([]template.Placement{}, m.Placements...)}
	g.documents = append(g.documents, d)
	content, kind := m.Content, "print"
	if m.Form == template.Simple {
		kind = "signed"
		signers := []*signature{&g.driverOf}
		if g.partnerOf != nil {
			signers = append(signers, g.partnerOf)
		}
		content = s.withEvidence(tx, m, k, &g.contract, &d, signers, g.chain.All)
	}
	f := contractFile{ContractID: g.contract.ID, Position: m.Order, Edition: 1, Kind: kind, ContentHash: hashOf(content),
		FileSize: int64(len(content)), Stamp: "none", CreatedAt: tx.Now, BlobKey: blobKey(tx, g.contract.ID, m.Order)}
	g.files = append(g.files, f)
	contents[f.BlobKey] = content
	return nil
}

func blobKey(tx *db.Tx, contract string, order int64) string {
	return path.Join(tx.Actor.Tenant, "contracts", contract, fmt.Sprintf("%d-%s", order, tx.NewID()))
}

// Sign makes a contract of what was prepared, if everything is still as it was: in one unit of work, or not at all.
func (s *Service) Sign(tx *db.Tx, who Person, g *Signing) (Contract, error) {
	if _, err := s.stillTheSame(tx, who, g); err != nil {
		return Contract{}, err
	}
	// what either side filled in is signed now, or was not wanted
	if _, err := tx.Exec(`DELETE FROM contract_drafts WHERE tenant_id = $1 AND driver_id = $2 AND (side <> $3 OR version = $4)`,
		g.contract.DriverID, string(who.Side), g.draft); err != nil {
		return Contract{}, err
	}
	if err := db.Insert(tx, "contracts", storedContract{g.contract, g.sealed}); err != nil {
		return Contract{}, err
	}
	for _, d := range g.documents {
		if err := db.Insert(tx, "contract_documents", d); err != nil {
			return Contract{}, err
		}
	}
	for _, f := range g.files {
		if err := db.Insert(tx, "contract_files", f); err != nil {
			return Contract{}, err
		}
	}
	if err := storeEvents(tx, g.chain); err != nil {
		return Contract{}, err
	}
	for _, one := range []*signature{&g.driverOf, g.partnerOf} {
		if one != nil && one.ContractID != "" {
			if err := db.Insert(tx, "contract_signatures", one.stored()); err != nil {
				return Contract{}, err
			}
		}
	}
	if err := s.orderSeals(tx, g.contract.ID); err != nil {
		return Contract{}, err
	}
	if err := audit.Record(tx, audit.Change{Action: "contracts.sign", Kind: kindOfContract, ID: g.contract.ID,
		After: map[string]any{"driver": g.contract.DriverID, "state": g.contract.State, "documents": len(g.documents), "sum": g.chain.Last,
			"files": hashes(g.files)}}); err != nil {
		return Contract{}, err
	}
	if g.partnerOf != nil {
		if err := s.activate(tx, &g.contract, &g.data); err != nil {
			return Contract{}, err
		}
	}
	return g.contract, nil
}

func hashes(files []contractFile) (all []string) {
	for _, f := range files {
		all = append(all, f.ContentHash)
	}
	return all
}

type storedSignature struct {
	ContractID      string
	Role            Side
	Kind            string
	Person          string
	SignatureSealed string
	ConsentHash     string
	SignedInAt      time.Time
	Device          string
	At              time.Time
}

func (g *signature) stored() storedSignature {
	return storedSignature{g.ContractID, g.Role, g.Kind, g.Person, g.SignatureSealed, g.ConsentHash, g.SignedInAt, g.Device, g.At}
}

// stillTheSame makes the documents again in the unit that signs: a text, a name or a draft that changed since is found. Of those on PDFs
// it compares what they are made of: no file is read in a unit of work.
func (s *Service) stillTheSame(tx *db.Tx, who Person, g *Signing) (kept, error) {
	now, err := draftOf(tx, g.contract.DriverID, who.Side)
	if err != nil {
		return kept{}, err
	}
	if now.Version != g.draft {
		return kept{}, ErrChanged
	}
	if g.draft == 0 { // without a draft only the time says that it was sent before
		again, err := db.One[int64](tx, `SELECT COUNT(*) FROM contracts WHERE tenant_id = $1 AND driver_id = $2 AND created_at > $3
			AND state <> 'deleted'`, g.contract.DriverID, g.contract.CreatedAt.Add(-2*time.Minute))
		if err != nil {
			return kept{}, err
		}
		if again > 0 {
			return kept{}, ErrChanged
		}
	}
	made, k, err := s.Make(tx, g.data, g.language, nil)
	if err != nil {
		return k, err
	}
	for i := range made {
		if m := &made[i]; m.basis != "" && m.basis == g.bases[m.Order] {
			m.Hash = g.hashes[m.Order]
		}
	}
	return k, same(made, g.hashes)
}

func (s *Service) orderSeals(tx *db.Tx, contract string) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: SealKind, Key: contract, Payload: sealTicket{Contract: contract}, Attempts: sealAttempts})
}
