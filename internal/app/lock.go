package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// lockFile names the process that serves from a data folder.
const lockFile = "saldo.lock"

// alone makes this process the only one that serves from a data folder: SQLite
// has one writer, and two servers would run each other's jobs. Commands beside
// it, such as grant, do not need it. The lock ends with the process, however
// that ends.
func alone(folder string) (leave func() error, err error) {
	file, err := os.OpenFile(filepath.Join(folder, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer file.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("the data folder %s cannot be locked (%w): use a local disk, or PostgreSQL with SALDO_DATABASE_URL", folder, err)
		}
		holder := make([]byte, 200)
		n, _ := file.ReadAt(holder, 0) // unreadable: then without a name
		return nil,
			fmt.Errorf(
				"the data folder %s is used by another Saldo (%s): stop that one, set SALDO_DATA to another folder, "+
					"or use PostgreSQL for several instances",
				folder, strings.TrimSpace(string(holder[:n])))
	}
	words := fmt.Sprintf("process %d since %s\n", os.Getpid(), time.Now().UTC().Format(time.RFC3339))
	if err := errors.Join(file.Truncate(0), write(file, words)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file.Close, nil
}

func write(file *os.File, words string) error {
	_, err := file.WriteAt([]byte(words), 0)
	return err
}
