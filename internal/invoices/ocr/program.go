package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"saldo/internal/invoices/layout"
)

// Program is saldo-reader: it reads one page and ends.
type Program struct{ Path string }

const (
	programName = "saldo-reader"
	longestRead = 2 * time.Minute // its processor time ends earlier; a busy machine gives little of it
)

// FindProgram looks for saldo-reader: where the setting says, beside this program, in the folder reader beside it, in PATH.
func FindProgram(setting string) (Program, bool) {
	if setting != "" {
		return Program{setting}, executable(setting)
	}
	if own, err := os.Executable(); err == nil {
		for _, folder := range []string{".", "reader"} {
			if path := filepath.Join(filepath.Dir(own), folder, programName); executable(path) {
				return Program{path}, true
			}
		}
	}
	if path, err := exec.LookPath(programName); err == nil {
		return Program{path}, true
	}
	return Program{}, false
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// Name names the models that it reads with.
func (Program) Name() string { return "PP-OCRv6 small" }

// Words starts the program for one page. It runs with limits, without the environment of this process, and is killed with everything
// that it started when its time is over.
func (p Program) Words(ctx context.Context, page *image.Gray) ([]layout.Word, int, error) {
	ctx, cancel := context.WithTimeout(ctx, longestRead)
	defer cancel()
	out := limited{most: mostAnswer}
	err := runChild(ctx, child{path: p.Path, environment: []string{"MALLOC_ARENA_MAX=1"}, page: page, out: &out})
	if err != nil {
		return nil, 0, fmt.Errorf("saldo-reader: %w", err)
	}
	answer, err := answered(out.kept.Bytes())
	if err != nil {
		return nil, 0, err
	}
	return answer.Words, answer.Turned, nil
}

type child struct {
	path        string
	arguments   []string
	environment []string
	page        *image.Gray // written to its input
	out         *limited
}

// runChild runs a program in a process group and a folder of its own; nothing of either is left when it returns.
func runChild(ctx context.Context, c child) error {
	folder, err := os.MkdirTemp("", "saldo-reading-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path, err := filepath.Abs(c.path)
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, path, c.arguments...)
	command.Dir = folder
	command.Env = append([]string{"TMPDIR=" + folder}, c.environment...)
	command.Stdout = c.out
	complaints := limited{most: 400, cut: true}
	command.Stderr = &complaints
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	killGroup := func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.Cancel = killGroup
	command.WaitDelay = time.Second
	in, err := command.StdinPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	// before the program has anything to work on
	if err := limit(command.Process.Pid); err != nil {
		_ = killGroup()
		_ = command.Wait()
		return err
	}
	written := make(chan error, 1)
	go func() {
		err := ask(in, c.page)
		_ = in.Close()
		written <- err
	}()
	// What it started ends with it. Until Wait has taken notice of its end, the number of its group belongs to nobody else.
	if ended(command.Process.Pid) {
		_ = killGroup()
	}
	err = command.Wait()
	notWritten := <-written
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("not done in time: %w", ctx.Err())
	case c.out.over:
		return errors.New("it answers without end")
	case err != nil:
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.kept.String()))
	}
	return notWritten
}

// limited keeps so many bytes. What is more is left out, or ends the program by a closed pipe.
type limited struct {
	kept bytes.Buffer
	most int
	cut  bool
	over bool
}

func (l *limited) Write(content []byte) (int, error) {
	if room := l.most - l.kept.Len(); len(content) > room {
		l.over = true
		if !l.cut {
			return 0, errors.New("too much output")
		}
		_, _ = l.kept.Write(content[:room])
		return len(content), nil
	}
	return l.kept.Write(content)
}
