package contracts

import (
	"bytes"
	"context"
	"io"
	"slices"

	"saldo/internal/contracts/template"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// ScanMax is how large the scan of a document that was signed by hand may be.
const ScanMax = 10 << 20

// Scan is a file that was checked and is in the store, and no row names it yet.
type Scan struct {
	content []byte
	key     string
}

// ReceiveScan checks a scan and keeps it. Pictures are made anew: what phones write into them beside the picture is gone.
func (s *Service) ReceiveScan(ctx context.Context, tenant, id string, from io.Reader) (g Scan, err error) {
	content, err := io.ReadAll(io.LimitReader(from, ScanMax+1))
	if err != nil {
		return g, err
	}
	if len(content) > ScanMax {
		return g, ErrFileTooLarge
	}
	if !bytes.HasPrefix(content, []byte("%PDF-")) {
		if content, err = template.Redrawn(content); err != nil {
			return g, ErrFile.Because(err)
		}
	}
	g = Scan{content, tenant + "/contracts/scans/" + id}
	_, err = s.Blobs.Put(ctx, g.key, bytes.NewReader(content), int64(len(content)))
	return g, err
}

// DropScan deletes a scan that no row names.
func (s *Service) DropScan(ctx context.Context, g Scan) {
	_ = s.Blobs.Delete(context.WithoutCancel(ctx), g.key)
}

// AddScan gives a document that is signed by hand its scan. With the last one the contract waits for the partner, who looks at the
// original.
func (s *Service) AddScan(tx *db.Tx, who Person, id string, order, version int64, g Scan) (Contract, error) {
	c, _, err := s.Open(tx, who, id)
	if err != nil {
		return c, err
	}
	if c.Version != version {
		return c, ErrChanged
	}
	if c.State != Printed && c.State != ScanUploaded {
		return c, ErrState.With("state", string(c.State))
	}
	documents, err := DocumentsOf(tx, id)
	if err != nil {
		return c, err
	}
	at := slices.IndexFunc(documents, func(d Document) bool { return d.Position == order && d.Form == template.Written })
	if at < 0 {
		return c, ErrNotFound
	}
	if err := db.Insert(tx, "contract_files", contractFile{ContractID: id, Position: order, Edition: documents[at].Edition + 1, Kind: "scan",
		BlobKey: g.key, ContentHash: hashOf(g.content), FileSize: int64(len(g.content)), Stamp: "none", CreatedAt: tx.Now}); err != nil {
		return c, err
	}
	documents[at].FileKind = "scan"
	next := ScanUploaded
	for _, d := range documents {
		if d.Form == template.Written && d.FileKind != "scan" {
			next = Printed
		}
	}
	if err := c.move(tx, next); err != nil {
		return c, err
	}
	if err := note(tx, id, "scanned", who.by(tx.Actor), map[string]any{"order": order, "sum": hashOf(g.content)}); err != nil {
		return c, err
	}
	return c, audit.Record(tx, audit.Change{Action: "contracts.scan", Kind: kindOfContract, ID: id,
		After: map[string]any{"order": order, "state": c.State}})
}
