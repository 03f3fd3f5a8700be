package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LoadKey reads a key from a setting's value (base64 or hexadecimal) or, when that is empty, from a file that only its
// owner can read. The error of a missing file is fs.ErrNotExist; no error holds any part of a key.
func LoadKey(value, path string) ([]byte, error) {
	if strings.TrimSpace(value) != "" {
		key, err := parseKey(value)
		if err != nil {
			return nil, fmt.Errorf("the secret key in the settings cannot be used: %w", err)
		}
		return key, nil
	}
	if path == "" {
		return nil, errors.New("there is no secret key: set one, or name a key file")
	}
	text, err := readPrivate(path)
	if err != nil {
		return nil, err
	}
	key, err := parseKey(text)
	if err != nil {
		return nil, fmt.Errorf("the key file %s cannot be used: %w", path, err)
	}
	return key, nil
}

// CreateKeyFile writes a new random key into a file that only its owner can read, and never replaces a file.
func CreateKeyFile(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the key file %s exists already and is kept: whoever loses its key loses the secrets: %w", path, fs.ErrExist)
	}
	if err != nil {
		return fmt.Errorf("the key file cannot be made, check its folder: %w", err)
	}
	key := make([]byte, KeySize)
	rand.Read(key)
	_, err = f.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	// Half a key is worse than none: the next start would stumble over it.
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("the key file %s cannot be written: %w", path, errors.Join(err, os.Remove(path)))
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("the folder of the key file cannot be opened: %w", err)
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func readPrivate(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the key file %s does not exist: put the instance's key there, or make a first one: %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return "", fmt.Errorf("the key file cannot be opened, check who owns it: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("the key file cannot be examined: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("the key file %s is not a file", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("the key file %s can be used by other users (mode %04o): run chmod 600 on it", path, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, 1024))
	if err != nil {
		return "", fmt.Errorf("the key file cannot be read: %w", err)
	}
	return string(text), nil
}

func parseKey(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	for _, decode := range []func(string) ([]byte, error){
		hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawStdEncoding.DecodeString,
		base64.URLEncoding.DecodeString, base64.RawURLEncoding.DecodeString,
	} {
		if key, err := decode(text); err == nil && len(key) == KeySize {
			return key, checkKey(key)
		}
	}
	return nil, fmt.Errorf("it must be %d random bytes in base64, such as openssl rand -base64 %d makes", KeySize, KeySize)
}

func checkKey(key []byte) error {
	if len(key) != KeySize {
		return fmt.Errorf("a vault key has %d bytes, not %d", KeySize, len(key))
	}
	if bytes.Count(key, key[:1]) == KeySize {
		return errors.New("a vault key must be random, not one byte repeated")
	}
	return nil
}
