package ksef

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"time"
)

// What one batch may have.
const (
	BatchMost   = 10_000    // invoices
	InvoiceMost = 1_000_000 // bytes of one without attachments
	partMost    = 100_000_000
	partsMost   = 50
)

// Package are invoices on their way together.
type Package struct {
	Size  int64  // before it was parted and sealed
	Hash  string // of that
	Parts []Sealed
}

// Pack packs invoices and seals the parts. The same invoices make the same package until it is sealed.
func (e Envelope) Pack(invoices [][]byte) (Package, error) { return e.pack(invoices, partMost) }

func (e Envelope) pack(invoices [][]byte, most int) (p Package, err error) {
	if len(invoices) == 0 || len(invoices) > BatchMost {
		return p, fmt.Errorf("ksef: a batch cannot have %d invoices", len(invoices))
	}
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	files := tar.NewWriter(zipped)
	for n, content := range invoices {
		if len(content) > InvoiceMost {
			return p, fmt.Errorf("ksef: an invoice of %d bytes is too large", len(content))
		}
		head := &tar.Header{Name: fmt.Sprintf("%05d.xml", n+1), Mode: 0o600, Size: int64(len(content)), ModTime: time.Unix(0, 0),
			Format: tar.FormatUSTAR}
		if err := files.WriteHeader(head); err != nil {
			return p, err
		}
		if _, err := files.Write(content); err != nil {
			return p, err
		}
	}
	if err := errors.Join(files.Close(), zipped.Close()); err != nil {
		return p, err
	}
	p.Size, p.Hash = int64(packed.Len()), Hash(packed.Bytes())
	for packed.Len() > 0 {
		part, err := e.Seal(packed.Next(most))
		if err != nil {
			return p, err
		}
		p.Parts = append(p.Parts, part)
	}
	if len(p.Parts) > partsMost {
		return p, fmt.Errorf("ksef: a batch cannot have %d parts", len(p.Parts))
	}
	return p, nil
}
