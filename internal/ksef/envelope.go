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
	"io"
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
	file, ok := unpadded(file)
	if !ok {
		return nil, errSealed
	}
	return file, nil
}

// Unsealed opens a file while it is read, in little memory. What the key does not open is an error, at its end at the latest.
func (e Envelope) Unsealed(from io.Reader) (io.Reader, error) {
	block, err := aes.NewCipher(e.Key)
	if err != nil {
		return nil, err
	}
	if len(e.IV) != padTo {
		return nil, errSealed
	}
	return &opening{from: from, mode: cipher.NewCBCDecrypter(block, e.IV), read: make([]byte, openAtOnce)}, nil
}

// openAtOnce is how much is opened at a time: whole blocks of the cipher.
const openAtOnce = 32 << 10

type opening struct {
	from  io.Reader
	mode  cipher.BlockMode
	read  []byte
	held  []byte // the last block that was opened: it may be the padding
	ready []byte
	err   error
}

func (o *opening) Read(into []byte) (int, error) {
	for len(o.ready) == 0 && o.err == nil {
		o.next()
	}
	if len(o.ready) == 0 {
		return 0, o.err
	}
	n := copy(into, o.ready)
	o.ready = o.ready[n:]
	return n, nil
}

func (o *opening) next() {
	n, err := io.ReadFull(o.from, o.read)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		o.err = err
		return
	}
	if n%padTo != 0 {
		o.err = errSealed
		return
	}
	o.mode.CryptBlocks(o.read[:n], o.read[:n])
	o.ready = append(o.held, o.read[:n]...)
	if err == nil {
		o.held = bytes.Clone(o.ready[len(o.ready)-padTo:])
		o.ready = o.ready[:len(o.ready)-padTo]
		return
	}
	whole, ok := unpadded(o.ready)
	if o.ready, o.err = whole, io.EOF; !ok {
		o.ready, o.err = nil, errSealed
	}
}

// unpadded is what was sealed without what fills its last block.
func unpadded(file []byte) ([]byte, bool) {
	if len(file) == 0 {
		return nil, false
	}
	pad := int(file[len(file)-1])
	if pad == 0 || pad > padTo || !bytes.Equal(file[len(file)-pad:], bytes.Repeat([]byte{byte(pad)}, pad)) {
		return nil, false
	}
	return file[:len(file)-pad], true
}

// Hash is the SHA-256 of content as KSeF names it.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.StdEncoding.EncodeToString(sum[:])
}
