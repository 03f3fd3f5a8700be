// Package vault keeps secrets at rest: account numbers, passwords of external services, tokens. What one tenant sealed
// for one purpose can be read back only for that tenant and purpose.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeySize is the length of a vault key in bytes.
const KeySize = 32

// Vault seals with its current key and unseals with that or an older one. It may be used by many goroutines.
type Vault struct {
	current string // id of the key that seals
	keys    map[string][]byte
}

// Open makes a vault that seals with key and can still read what was sealed with the older ones.
func Open(key []byte, older ...[]byte) (*Vault, error) {
	v := &Vault{keys: map[string][]byte{}}
	for i, k := range append([][]byte{key}, older...) {
		if err := checkKey(k); err != nil {
			return nil, err
		}
		id := keyID(k)
		if i == 0 {
			v.current = id
		}
		v.keys[id] = append([]byte(nil), k...)
	}
	return v, nil
}

// encoding is strict, so that a sealed text has one spelling and any changed character is noticed.
var encoding = base64.RawURLEncoding.Strict()

const (
	sealVersion        = "v1"
	fingerprintVersion = "f1"
)

// Seal encrypts plain for one tenant and purpose. The result is ASCII text without spaces that names its key, and
// differs each time. The empty tenant is the instance itself.
func (v *Vault) Seal(tenant, purpose string, plain []byte) string {
	sealed := v.cipher(v.current, tenant, purpose).Seal(nil, nil, plain, bind(sealVersion, v.current, tenant, purpose))
	return strings.Join([]string{sealVersion, v.current, encoding.EncodeToString(sealed)}, ".")
}

// Unseal gives back what Seal was given, or an error when the text was changed, was sealed for another tenant or
// purpose, or its key is not in the vault. Errors hold nothing of the secret.
func (v *Vault) Unseal(tenant, purpose, sealed string) ([]byte, error) {
	parts := strings.Split(sealed, ".")
	if len(parts) != 3 || parts[0] != sealVersion {
		return nil, errors.New("this is not a sealed secret of a known version")
	}
	id := parts[1]
	if _, ok := v.keys[id]; !ok {
		return nil, fmt.Errorf("the secret was sealed with the key %.8q, which this instance does not have: add it as an older key", id)
	}
	// The decoder would skip line breaks.
	if strings.ContainsAny(parts[2], "\r\n") {
		return nil, errors.New("the sealed secret is damaged")
	}
	raw, err := encoding.DecodeString(parts[2])
	if err != nil {
		return nil, errors.New("the sealed secret is damaged")
	}
	plain, err := v.cipher(id, tenant, purpose).Open(nil, nil, raw, bind(sealVersion, id, tenant, purpose))
	if err != nil {
		return nil, errors.New("the sealed secret is damaged or belongs to another tenant or purpose")
	}
	return plain, nil
}

// Fingerprint gives equal texts for equal secrets of one tenant and purpose, and tells nothing else about them; use it
// to look for duplicates. It depends on the current key: after a change of key it must be made anew.
func (v *Vault) Fingerprint(tenant, purpose string, plain []byte) string {
	mac := hmac.New(sha256.New, v.derive(v.current, fingerprintVersion, tenant, purpose))
	mac.Write(plain)
	return strings.Join([]string{fingerprintVersion, v.current, encoding.EncodeToString(mac.Sum(nil))}, ".")
}

func (v *Vault) cipher(id, tenant, purpose string) cipher.AEAD {
	block, err := aes.NewCipher(v.derive(id, sealVersion, tenant, purpose))
	if err != nil {
		panic("vault: " + err.Error()) // the derived key always has the right length
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic("vault: " + err.Error())
	}
	return aead
}

func (v *Vault) derive(id, use, tenant, purpose string) []byte {
	return derive(v.keys[id], string(bind(use, tenant, purpose)))
}

func derive(key []byte, info string) []byte {
	derived, err := hkdf.Key(sha256.New, key, nil, info, KeySize)
	if err != nil {
		panic("vault: " + err.Error()) // only a result longer than 255 hashes can fail
	}
	return derived
}

// bind joins names so that no two different lists give the same bytes.
func bind(names ...string) []byte {
	var out []byte
	for _, name := range names {
		out = binary.AppendUvarint(out, uint64(len(name)))
		out = append(out, name...)
	}
	return out
}

// keyID names a key without telling anything about it.
func keyID(key []byte) string {
	return hex.EncodeToString(derive(key, "id of a vault key")[:keyIDSize])
}

const keyIDSize = 4
