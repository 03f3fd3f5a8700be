package ksef

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/pbkdf2"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"hash"
)

var (
	// ErrUnreadable is the answer to a file that is no certificate, or no private key as PKCS#8 has it.
	ErrUnreadable = errors.New("ksef: this file cannot be read")
	// ErrPassword is the answer to a key whose password is missing or another one.
	ErrPassword = errors.New("ksef: this is not the password of the key")
	// ErrOtherKey is the answer to a certificate that was issued for another key.
	ErrOtherKey = errors.New("ksef: certificate and key do not belong together")
)

// Certified is a certificate with the key that it was issued for. Both files are PEM or DER; the key is encrypted if it has a password.
func Certified(certificate, key []byte, password string) (*Certificate, error) {
	if block, _ := pem.Decode(certificate); block != nil {
		certificate = block.Bytes
	}
	parsed, err := x509.ParseCertificate(certificate)
	if err != nil {
		return nil, ErrUnreadable
	}
	signer, err := PrivateKey(key, password)
	if err != nil {
		return nil, err
	}
	switch own := signer.(type) {
	case *rsa.PrivateKey:
		if own.N.BitLen() < rsaLeast {
			return nil, ErrKey
		}
		if !own.PublicKey.Equal(parsed.PublicKey) {
			return nil, ErrOtherKey
		}
	case *ecdsa.PrivateKey:
		if own.Curve != elliptic.P256() {
			return nil, ErrKey
		}
		if !own.PublicKey.Equal(parsed.PublicKey) {
			return nil, ErrOtherKey
		}
	default:
		return nil, ErrKey
	}
	return &Certificate{parsed, signer}, nil
}

// PrivateKey reads a key of PKCS#8, as PEM or DER. One that is encrypted is so by a password (PBES2 with PBKDF2 and AES in CBC), as the
// Ministry's application does it.
func PrivateKey(file []byte, password string) (crypto.Signer, error) {
	if block, _ := pem.Decode(file); block != nil {
		file = block.Bytes
	}
	var sealed encryptedKey
	if rest, err := asn1.Unmarshal(file, &sealed); err == nil && len(rest) == 0 {
		if file, err = sealed.open(password); err != nil {
			return nil, err
		}
		signer, err := parsedKey(file)
		if errors.Is(err, ErrUnreadable) {
			err = ErrPassword // the padding was right by chance
		}
		return signer, err
	}
	return parsedKey(file)
}

func parsedKey(der []byte) (crypto.Signer, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		if parsed, err = x509.ParseECPrivateKey(der); err != nil {
			return nil, ErrUnreadable
		}
	}
	signer, is := parsed.(crypto.Signer)
	if !is {
		return nil, ErrKey
	}
	return signer, nil
}

type (
	encryptedKey struct {
		Scheme  pkix.AlgorithmIdentifier
		Content []byte
	}
	scheme struct {
		Derivation, Cipher pkix.AlgorithmIdentifier
	}
	derivation struct {
		Salt       []byte
		Iterations int
		Length     int                      `asn1:"optional"`
		Function   pkix.AlgorithmIdentifier `asn1:"optional"`
	}
)

// roundsMost is how often a password may be hashed: what takes longer keeps the processor from others.
const roundsMost = 2_000_000

var (
	byPassword = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13} // PBES2
	byPBKDF2   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}

	hashes = map[string]func() hash.Hash{"": sha1.New, "1.2.840.113549.2.7": sha1.New, "1.2.840.113549.2.9": sha256.New,
		"1.2.840.113549.2.10": sha512.New384, "1.2.840.113549.2.11": sha512.New}
	keySizes = map[string]int{"2.16.840.1.101.3.4.1.2": 16, "2.16.840.1.101.3.4.1.22": 24, "2.16.840.1.101.3.4.1.42": 32}
)

func (k encryptedKey) open(password string) ([]byte, error) {
	var s scheme
	var d derivation
	var iv []byte
	if !k.Scheme.Algorithm.Equal(byPassword) || whollyRead(k.Scheme.Parameters.FullBytes, &s) != nil ||
		!s.Derivation.Algorithm.Equal(byPBKDF2) || whollyRead(s.Derivation.Parameters.FullBytes, &d) != nil ||
		whollyRead(s.Cipher.Parameters.FullBytes, &iv) != nil {
		return nil, ErrUnreadable
	}
	by, known := hashes[d.Function.Algorithm.String()]
	size := keySizes[s.Cipher.Algorithm.String()]
	if !known || size == 0 || d.Length != 0 && d.Length != size || d.Iterations < 1 || d.Iterations > roundsMost ||
		len(iv) != aes.BlockSize || len(k.Content) == 0 || len(k.Content)%aes.BlockSize != 0 {
		return nil, ErrUnreadable
	}
	if password == "" {
		return nil, ErrPassword
	}
	key, err := pbkdf2.Key(by, password, d.Salt, d.Iterations, size)
	if err != nil {
		return nil, ErrUnreadable
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	plain := make([]byte, len(k.Content))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, k.Content)
	pad := int(plain[len(plain)-1])
	if pad == 0 || pad > aes.BlockSize || !bytes.Equal(plain[len(plain)-pad:], bytes.Repeat([]byte{byte(pad)}, pad)) {
		return nil, ErrPassword
	}
	return plain[:len(plain)-pad], nil
}

func whollyRead(der []byte, into any) error {
	rest, err := asn1.Unmarshal(der, into)
	if err == nil && len(rest) > 0 {
		err = ErrUnreadable
	}
	return err
}

// PKCS8 is the key as it is kept: sealed by others.
func (c *Certificate) PKCS8() ([]byte, error) { return x509.MarshalPKCS8PrivateKey(c.Key) }
