package testkit

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// startPostgres gives the address of the cluster that `make test` started, or
// starts one that ends with this process.
func startPostgres() (string, error) {
	if address := os.Getenv("SALDO_TEST_POSTGRES"); address != "" {
		return address, nil
	}
	_, here, _, _ := runtime.Caller(0)
	script := exec.Command(filepath.Join(filepath.Dir(here), "..", "..", "scripts", "with-postgres"))
	script.Stderr = os.Stderr
	// the script ends when this pipe closes, which it does when the process ends, however it ends
	if _, err := script.StdinPipe(); err != nil {
		return "", err
	}
	out, err := script.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := script.Start(); err != nil {
		return "", fmt.Errorf("testkit: starting PostgreSQL: %w", err)
	}
	go func() { _ = script.Wait() }() // holds the pipe for as long as the script runs
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", errors.New("testkit: PostgreSQL did not start; its reason is above")
	}
	return strings.TrimSpace(line), nil
}
