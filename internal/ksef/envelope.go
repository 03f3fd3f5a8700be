package ksef

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

const (
	keySize = 32
	padTo   = aes.BlockSize
)

// Envelope seals what is sent in one session, or opens what was asked for in one export. A key is used once.
type Envelope struct {
	Key, IV []byte
	Sealed  string // the key for KSeF, in base64
	KeyID   string // of the public key that sealed it
}

// PublicKey is a key of KSeF.
type PublicKey struct {
	ID  string
	Key *rsa.PublicKey
}

// NewEnvelope makes a key and seals it for KSeF.
func NewEnvelope(to PublicKey) (e Envelope, err error) {
	e = Envelope{Key: make([]byte, keySize), IV: make([]byte, padTo), KeyID: to.ID}
	if _, err := rand.Read(e.Key); err != nil {
		return e, err
	}
	if _, err := rand.Read(e.IV); err != nil {
		return e, err
	}
	e.Sealed, err = sealFor(to.Key, e.Key)
	return e, err
}

func sealFor(key *rsa.PublicKey, secret []byte) (string, error) {
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, key, secret, nil)
	return base64.StdEncoding.EncodeToString(sealed), err
}

// SealToken is a token of KSeF as signing in takes it, with the time of the challenge in milliseconds.
func SealToken(to PublicKey, token string, challengeMillis int64) (string, error) {
	return sealFor(to.Key, fmt.Appendf(nil, "%s|%d", token, challengeMillis))
}

// Sealed is a file on its way.
type Sealed struct {
	Content         []byte
	Hash, PlainHash string // SHA-256 in base64
	PlainSize       int
}

// Seal encrypts a file.
func (e Envelope) Seal(file []byte) (Sealed, error) {
	block, err := aes.NewCipher(e.Key)
	if err != nil {
		return Sealed{}, err
	}
	pad := padTo - len(file)%padTo
	content := append(bytes.Clone(file), bytes.Repeat([]byte{byte(pad)}, pad)...)
	cipher.NewCBCEncrypter(block, e.IV).CryptBlocks(content, content)
	return Sealed{content, Hash(content), Hash(file), len(file)}, nil
}

var errSealed = errors.New("ksef: the key does not open this")

// Unseal decrypts what KSeF sealed with the key.
func (e Envelope) Unseal(content []byte) ([]byte, error) {
	block, err := aes.NewCipher(e.Key)
	if err != nil {
		return nil, err
	}
	if len(content) == 0 || len(content)%padTo != 0 || len(e.IV) != padTo {
		return nil, errSealed
	}
	file := make([]byte, len(content))
	cipher.NewCBCDecrypter(block, e.IV).CryptBlocks(file, content)
	pad := int(file[len(file)-1])
	if pad == 0 || pad > padTo || !bytes.Equal(file[len(file)-pad:], bytes.Repeat([]byte{byte(pad)}, pad)) {
		return nil, errSealed
	}
	return file[:len(file)-pad], nil
}

// Hash is the SHA-256 of content as KSeF names it.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.StdEncoding.EncodeToString(sum[:])
}
