package testkit

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// startPostgres gives the address of the cluster that `make test` started, or
// starts one that ends with this process.
func startPostgres() (string, error) {
	if address := os.Getenv("SALDO_TEST_POSTGRES"); address != "" {
		return address, nil
	}
	address, _, err := launchPostgres()
	return address, err
}

// launchPostgres starts a server and says how to end it; it ends with the
// process in any case, however that ends.
func launchPostgres() (address string, end func(), err error) {
	top, err := root()
	if err != nil {
		return "", nil, err
	}
	script := exec.Command(filepath.Join(top, "scripts", "with-postgres"))
	script.Stderr = os.Stderr
	in, err := script.StdinPipe() // the script ends when this pipe closes
	if err != nil {
		return "", nil, err
	}
	out, err := script.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := script.Start(); err != nil {
		return "", nil, fmt.Errorf("testkit: starting PostgreSQL: %w", err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = script.Wait() }() // holds the pipe for as long as the script runs
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", nil, errors.New("testkit: PostgreSQL did not start; its reason is above")
	}
	return strings.TrimSpace(line), func() { in.Close(); <-ended }, nil
}

// OwnServer is a PostgreSQL that one test has for itself.
type OwnServer struct {
	Address string
	data    string
}

// OwnPostgres starts one. It ends with the test.
func OwnPostgres(t testing.TB) (*OwnServer, error) {
	t.Helper()
	address, end, err := launchPostgres()
	if err != nil {
		return nil, err
	}
	t.Cleanup(end)
	s := &OwnServer{Address: address}
	pool, err := sql.Open("pgx", s.Address)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	return s, pool.QueryRow("SHOW data_directory").Scan(&s.data)
}

// Restart ends every connection, stops the server and starts it again at the same address.
func (s *OwnServer) Restart() error {
	process, err := os.ReadFile(filepath.Join(s.data, "postmaster.pid"))
	if err != nil {
		return err
	}
	lines := strings.Split(string(process), "\n") // process, folder, start, port
	program, err := os.Readlink("/proc/" + lines[0] + "/exe")
	if err != nil {
		return err
	}
	owner, err := os.Stat(s.data)
	if err != nil {
		return err
	}
	restart := exec.Command(filepath.Join(filepath.Dir(program), "pg_ctl"), "-D", s.data, "-m", "fast", "-w", "-l",
		filepath.Join(s.data, "restarted.log"), "-o", "-p "+lines[3], "restart")
	if stat := owner.Sys().(*syscall.Stat_t); os.Getuid() == 0 && stat.Uid != 0 {
		restart.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}}
	}
	restart.Dir = s.data
	if text, err := restart.CombinedOutput(); err != nil {
		return fmt.Errorf("testkit: restarting PostgreSQL: %w: %s", err, text)
	}
	return nil
}
