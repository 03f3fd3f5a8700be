package saldo

import (
	"slices"
	"strings"
	"testing"
)

// only names the one place that may import a package of others.
var only = map[string][]string{
	"database/sql":                          {"internal/platform/db", "internal/testkit"},
	"modernc.org/sqlite":                    {"internal/platform/db"},
	"github.com/jackc/pgx":                  {"internal/platform/db", "internal/testkit"},
	"github.com/wneessen/go-mail":           {"internal/platform/mail"},
	"github.com/emersion/go-imap":           {"internal/testkit"}, // a hostile server ends a program that uses its client
	"github.com/minio/minio-go":             {"internal/platform/blob", "internal/platform/drive"},
	"github.com/golang-jwt/jwt":             {"internal/identity", "internal/testkit"},
	"github.com/luikyv/go-oidc":             {"internal/identity/idp"},
	"github.com/go-jose/go-jose":            {"internal/identity/idp", "internal/identity"},
	"golang.org/x/crypto":                   {"internal/identity/idp"},
	"github.com/danielgtaylor/huma":         {"internal/platform/web", "internal/api"},
	"github.com/MicahParks/jwkset":          {"internal/identity/keycloak"},
	"golang.org/x/time":                     {"internal/identity/keycloak"},
	"github.com/xuri/excelize":              {"internal/platform/spreadsheet"},
	"github.com/klippa-app/go-pdfium":       {"internal/invoices/files"},
	"github.com/tetratelabs/wazero":         {"internal/invoices/files"},
	"github.com/makiuchi-d/gozxing":         {"internal/invoices/files"},
	"github.com/digitorus":                  {"internal/contracts/seal", "internal/testkit"},
	"software.sslmate.com/src/go-pkcs12":    {"internal/contracts/seal", "internal/testkit"},
	"rsc.io/qr":                             {"internal/platform/pdf"},
	"crypto/cipher":                         {"internal/platform/vault", "internal/ksef", "internal/testkit/ksefd"},
	"github.com/SherClockHolmes/webpush-go": {"internal/messages/push"},
	"filippo.io/age":                        {"internal/platform/vault", "internal/platform/backup"},
	"github.com/klauspost/compress":         {"internal/platform/backup"},
	"github.com/ebitengine/purego":          {"internal/invoices/ocr/onnx"},
	"saldo/internal/invoices/ocr/onnx":      {"cmd/saldo-reader"}, // so saldo stays static
}

func TestEachForeignPackageHasItsPlace(t *testing.T) {
	for name, sources := range packages(t) {
		for _, s := range sources {
			for _, i := range s.imports {
				for foreign, places := range only {
					if (i == foreign || strings.HasPrefix(i, foreign+"/")) && !slices.Contains(places, name) {
						t.Errorf("%s imports %s, which belongs to %v", s.name, i, places)
					}
				}
			}
		}
	}
}
