package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newKey() []byte {
	key := make([]byte, KeySize)
	rand.Read(key)
	return key
}

func open(t *testing.T, key []byte, older ...[]byte) *Vault {
	t.Helper()
	v, err := Open(key, older...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const secret = "PL61109010140000071219812874"

func TestASecretComesBackOnlyForItsTenantAndPurpose(t *testing.T) {
	v := open(t, newKey())
	sealed := v.Seal("tenant-1", "iban", []byte(secret))
	if plain, err := v.Unseal("tenant-1", "iban", sealed); err != nil || string(plain) != secret {
		t.Fatalf("%q, %v", plain, err)
	}
	for _, c := range [][2]string{
		{"tenant-2", "iban"}, {"tenant-1", "password"}, {"", "iban"}, {"tenant-1", ""}, {"iban", "tenant-1"}, {"tenant-1i", "ban"},
	} {
		plain, err := v.Unseal(c[0], c[1], sealed)
		if err == nil || plain != nil {
			t.Errorf("%q can read it", c)
		} else if strings.Contains(err.Error(), "PL61") {
			t.Errorf("the error tells the secret: %v", err)
		}
	}
}

func TestEverySealIsDifferentTextSafeForAColumn(t *testing.T) {
	v := open(t, newKey())
	seen := map[string]bool{}
	for _, plain := range [][]byte{nil, {}, {0, 255}, []byte(secret), bytes.Repeat([]byte("ż"), 10_000)} {
		for range 20 {
			sealed := v.Seal("t", "p", plain)
			if seen[sealed] || !strings.HasPrefix(sealed, "v1.") || strings.Trim(sealed, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
				t.Fatalf("sealed %q", sealed)
			}
			seen[sealed] = true
			if got, err := v.Unseal("t", "p", sealed); err != nil || !bytes.Equal(got, plain) {
				t.Fatalf("%q, %v", got, err)
			}
		}
	}
}

func TestOneFlippedBitAnywhereIsNoticed(t *testing.T) {
	v := open(t, newKey())
	sealed := v.Seal("t", "p", []byte(secret))
	for i := range len(sealed) {
		for bit := range 8 {
			damaged := []byte(sealed)
			damaged[i] ^= 1 << bit
			if plain, err := v.Unseal("t", "p", string(damaged)); err == nil || plain != nil {
				t.Fatalf("bit %d of byte %d can be flipped", bit, i)
			}
		}
	}
	raw := sealed[strings.LastIndexByte(sealed, '.')+1:]
	for _, damaged := range []string{
		"", ".", "..", "v1", sealed[:len(sealed)-1], sealed + "A", sealed + "\n", sealed + ".", "v2" + sealed[2:], raw, "v1.." + raw,
		strings.Replace(sealed, raw, raw[:10]+"\n"+raw[10:], 1), strings.Replace(sealed, raw, "", 1),
	} {
		if _, err := v.Unseal("t", "p", damaged); err == nil {
			t.Errorf("%q can be read", damaged)
		}
	}
}

func TestAnOlderKeyStillReadsButNoLongerSeals(t *testing.T) {
	old, current := newKey(), newKey()
	before := open(t, old)
	sealed := before.Seal("t", "p", []byte(secret))

	after := open(t, current, old)
	if plain, err := after.Unseal("t", "p", sealed); err != nil || string(plain) != secret {
		t.Fatalf("%q, %v", plain, err)
	}
	if _, err := before.Unseal("t", "p", after.Seal("t", "p", []byte(secret))); err == nil {
		t.Error("the older key still seals")
	}
	if _, err := open(t, current).Unseal("t", "p", sealed); err == nil || !strings.Contains(err.Error(), "older key") {
		t.Errorf("without the older key: %v", err)
	}
}

func TestFingerprintsAreEqualExactlyForEqualSecrets(t *testing.T) {
	key := newKey()
	v := open(t, key)
	same := v.Fingerprint("t", "iban", []byte(secret))
	if again := open(t, key, newKey()).Fingerprint("t", "iban", []byte(secret)); again != same {
		t.Errorf("%s and %s", same, again)
	}
	for name, other := range map[string]string{
		"secret":  v.Fingerprint("t", "iban", []byte(secret+" ")),
		"tenant":  v.Fingerprint("u", "iban", []byte(secret)),
		"purpose": v.Fingerprint("t", "phone", []byte(secret)),
		"key":     open(t, newKey()).Fingerprint("t", "iban", []byte(secret)),
	} {
		if other == same {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
}

func TestOnlyRandomKeysOfTheRightLengthOpenAVault(t *testing.T) {
	for _, key := range [][]byte{nil, make([]byte, KeySize), newKey()[:31], append(newKey(), 1)} {
		if _, err := Open(key); err == nil {
			t.Errorf("%d bytes are accepted", len(key))
		}
		if _, err := Open(newKey(), key); err == nil {
			t.Errorf("%d bytes are accepted as an older key", len(key))
		}
	}
}

func TestAKeyIsReadFromASettingInAnyUsualSpelling(t *testing.T) {
	key := newKey()
	for _, value := range []string{
		base64.StdEncoding.EncodeToString(key), base64.RawURLEncoding.EncodeToString(key), hex.EncodeToString(key),
		" " + base64.StdEncoding.EncodeToString(key) + "\n",
	} {
		if got, err := LoadKey(value, "does/not/matter"); err != nil || !bytes.Equal(got, key) {
			t.Errorf("%v", err)
		}
	}
	for _, value := range []string{"correct-horse", base64.StdEncoding.EncodeToString(key[:16]), strings.Repeat("00", KeySize)} {
		if _, err := LoadKey(value, ""); err == nil || strings.Contains(err.Error(), value) {
			t.Errorf("%q gives %v", value, err)
		}
	}
	if _, err := LoadKey("", ""); err == nil {
		t.Error("no key at all is accepted")
	}
}

func TestAKeyFileIsPrivateAndNeverReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if _, err := LoadKey("", path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a missing file gives %v", err)
	}
	if err := CreateKeyFile(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
	key, err := LoadKey("", path)
	if err != nil {
		t.Fatal(err)
	}
	open(t, key)
	if err := CreateKeyFile(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second key gives %v", err)
	}
	if again, err := LoadKey("", path); err != nil || !bytes.Equal(again, key) {
		t.Error("the key was replaced")
	}
	if err := CreateKeyFile(filepath.Join(path, "under a file")); err == nil {
		t.Error("a key file can be made under a file")
	}
}

func TestAKeyFileThatOthersCanUseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := CreateKeyFile(path); err != nil {
		t.Fatal(err)
	}
	for mode := range fs.FileMode(0o1000) {
		if mode&0o400 == 0 {
			continue // not readable for its owner either
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := LoadKey("", path)
		if private := mode&0o077 == 0; private != (err == nil) {
			t.Fatalf("mode %04o gives %v", mode, err)
		} else if !private && !strings.Contains(err.Error(), "chmod 600") {
			t.Fatalf("the error does not say what to do: %v", err)
		}
	}
	if _, err := LoadKey("", filepath.Dir(path)); err == nil {
		t.Error("a folder is read as a key file")
	}
}

func TestAKeyFileWithAnythingElseInItIsRefusedWithoutQuotingIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	for _, content := range []string{"", "hunter2hunter2", strings.Repeat("A", 5000)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadKey("", path); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.20q gives %v", content, err)
		}
	}
}
