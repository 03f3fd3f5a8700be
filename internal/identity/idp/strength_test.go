package idp_test

import (
	"context"
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"saldo/internal/identity/idp"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// Hashes and keys are as strong as they must be, and a weaker hash of a former version is made anew when its owner signs in.
func TestHashesAndKeys_AreOfFullStrength(t *testing.T) {
	idp.FullStrength(t)
	each(t, func(t *testing.T, h *house) {
		ctx := context.Background()
		id, email := h.person(access.Driver)
		stored := func() (hash string) {
			testkit.Read(t, h.db, access.Program("test"), func(tx *db.Tx) (err error) {
				hash, err = db.One[string](tx.Across(), `SELECT password FROM idp_users WHERE id = $1`, id)
				return err
			})
			return hash
		}
		const strong = "$argon2id$v=19$m=19456,t=2,p=1$"
		if got := stored(); !strings.HasPrefix(got, strong) {
			t.Fatalf("a password is stored as %q", got)
		}
		salt := []byte("a salt of before")
		weak := fmt.Sprintf("$argon2id$v=19$m=64,t=1,p=1$%s$%s", base64.RawStdEncoding.EncodeToString(salt),
			base64.RawStdEncoding.EncodeToString(argon2.IDKey([]byte(password), salt, 1, 64, 1, 32)))
		if err := h.db.Write(ctx, access.Program("test"), func(tx *db.Tx) error {
			_, err := tx.Across().Exec(`UPDATE idp_users SET password = $2 WHERE id = $1`, id, weak)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for range 2 { // with the weak one, and with the one that was made of it
			token := h.browser().Login(t, email, password).Access
			id, _ := testkit.Head(t, token)["kid"].(string)
			if public, _ := h.idp.Public(id); public == nil || public.(*rsa.PublicKey).N.BitLen() != 2048 {
				t.Fatalf("a token is signed with %v", public)
			}
			if got := stored(); !strings.HasPrefix(got, strong) {
				t.Fatalf("after signing in a password is stored as %q", got)
			}
		}
	})
}
