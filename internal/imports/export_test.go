package imports

import (
	"io"

	"saldo/internal/platform/db"
)

// BlobKey is where the content of an import is kept.
func BlobKey(tenant, id string) string { return blobKey(tenant, id) }

// Accept writes an import down as it is.
func (d *Service) Accept(tx *db.Tx, i Import) error { return d.accept(tx, Uploaded{Import: i}) }

// Intake reads a content that may be so long, and keeps its start.
func Intake(source io.Reader, most, keep int64) (r io.Reader, start func() []byte) {
	in := &intake{source: source, most: most, keep: keep}
	return in, func() []byte { return in.start }
}
