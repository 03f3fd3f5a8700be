package files

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"
)

// child opens PDFs in a process of its own, which ends with the file: what a PDF takes of memory is given back, and what it breaks
// breaks there.
type child struct{ self, cache string }

// SandboxCommand is the command with which saldo starts itself to open a PDF.
const SandboxCommand = "pdf-sandbox"

// question is what the process is asked. Answers are at most answerMost bytes: three pages as pictures.
type question struct {
	Content []byte
	Job     job
	Cache   string
}

type reply struct {
	Refused string
	Failed  string
	Endless bool
	Late    bool
	Answer  answer
}

const (
	// MemoryMost is how much memory opening a PDF should take; beyond it what is free is given back at once.
	MemoryMost   = 400 << 20
	questionMost = 48 << 20
	answerMost   = 160 << 20
)

func (c child) close() {}

// do starts the process, asks it and waits until it ends. It is killed with everything that it started when ctx ends.
func (c child) do(ctx context.Context, content []byte, j job) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, longestStart+busy*j.Longest)
	defer cancel()
	var in bytes.Buffer
	if err := gob.NewEncoder(&in).Encode(question{content, j, c.cache}); err != nil {
		return answer{}, err
	}
	command := exec.CommandContext(ctx, c.self, SandboxCommand)
	command.Env = []string{fmt.Sprint("GOMEMLIMIT=", MemoryMost), "GOMAXPROCS=2"} // nothing of ours: it holds secrets
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = time.Second
	command.Stdin = &in
	out, err := command.StdoutPipe()
	if err != nil {
		return answer{}, err
	}
	if err := command.Start(); err != nil {
		return answer{}, fmt.Errorf("pdf process: %w", err)
	}
	var r reply
	bad := gob.NewDecoder(io.LimitReader(out, answerMost)).Decode(&r)
	if bad != nil {
		_ = command.Cancel()
	}
	_ = command.Wait()
	switch {
	case ctx.Err() != nil:
		return answer{}, ctx.Err()
	case bad != nil:
		return answer{}, Refused{Broken} // it died of this file
	case r.Endless:
		return answer{}, errEndless
	case r.Late:
		return answer{}, context.DeadlineExceeded
	case r.Refused != "":
		return answer{}, Refused{r.Refused}
	case r.Failed != "":
		return answer{}, errors.New(r.Failed)
	}
	return r.Answer, nil
}

// Sandbox is the other side: it reads one question, answers and returns.
func Sandbox(ctx context.Context, from io.Reader, to io.Writer) error {
	var q question
	if err := gob.NewDecoder(io.LimitReader(from, questionMost)).Decode(&q); err != nil {
		return fmt.Errorf("pdf process: %w", err)
	}
	s := &sandbox{cache: q.Cache, alone: true}
	defer s.close()
	var r reply
	found, err := s.do(ctx, q.Content, q.Job)
	var refused Refused
	switch {
	case errors.As(err, &refused):
		r.Refused = refused.Code
	case errors.Is(err, errEndless):
		r.Endless = true
	case errors.Is(err, context.DeadlineExceeded):
		r.Late = true
	case err != nil:
		r.Failed = err.Error()
	default:
		r.Answer = found
	}
	out := bufio.NewWriter(to)
	if err := gob.NewEncoder(out).Encode(r); err != nil {
		return err
	}
	return out.Flush()
}
