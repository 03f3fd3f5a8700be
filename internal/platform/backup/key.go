package backup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"filippo.io/age"
)

// Recipient is what backups are encrypted for: it can make backups and read none.
type Recipient struct{ age *age.X25519Recipient }

// Key opens the backups that were made for its recipient.
type Key struct{ age *age.X25519Identity }

// ParseRecipient reads a recipient as CreateKeyFile gives it.
func ParseRecipient(text string) (Recipient, error) {
	r, err := age.ParseX25519Recipient(strings.TrimSpace(text))
	if err != nil {
		return Recipient{}, fmt.Errorf("%q is no recipient of backups: write what saldo backup-key printed, which begins with age1", text)
	}
	return Recipient{r}, nil
}

// CreateKeyFile writes a new key into a file that only its owner can read, never replaces a file, and gives the recipient.
func CreateKeyFile(path string) (recipient string, err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s exists already and is kept: whoever loses the key of a backup loses the backup", path)
	}
	if err != nil {
		return "", fmt.Errorf("the key of backups cannot be made, check its folder: %w", err)
	}
	key, err := age.GenerateX25519Identity()
	if err == nil {
		_, err = fmt.Fprintf(file, "# key of Saldo's backups; recipient: %s\n%s\n", key.Recipient(), key)
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", fmt.Errorf("the key of backups cannot be written: %w", errors.Join(err, os.Remove(path)))
	}
	return key.Recipient().String(), nil
}

// LoadKey reads the file of a key. No error holds any part of it.
func LoadKey(path string) (Key, error) {
	file, err := os.Open(path)
	if err != nil {
		return Key{}, fmt.Errorf("the key of the backup cannot be read (%w): nothing was restored; name the file that saldo backup-key made", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return Key{}, fmt.Errorf("the key of the backup cannot be read: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if key, err := age.ParseX25519Identity(line); err == nil {
			return Key{key}, nil
		}
		break
	}
	return Key{}, fmt.Errorf("%s holds no key of backups: nothing was restored; name the file that saldo backup-key made", path)
}
