package ocr

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// program writes a small program that stands where saldo-reader does.
func program(t *testing.T, text string) Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), programName)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return Program{path}
}

// left names the processes whose arguments contain the mark.
func left(t *testing.T, mark string) []string {
	t.Helper()
	var found []string
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if line, err := os.ReadFile(name); err == nil && strings.Contains(string(line), mark) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

const goodAnswer = `{"turned":1,"words":[{"text":"Faktura","page":1,"box":{"x0":0.1,"y0":0.1,"x1":0.2,"y1":0.2},"sure":0.9}]}`

func TestProgram_Answers(t *testing.T) {
	p := program(t, "cat >/dev/null; echo '"+goodAnswer+"'\n")
	words, turned, err := p.Words(t.Context(), image.NewGray(image.Rect(0, 0, 1000, 1000)))
	if err != nil || turned != 1 || len(words) != 1 || words[0].Text != "Faktura" {
		t.Errorf("%v, %d, %v", words, turned, err)
	}
}

// Whatever the program does: an error, and nothing of it is left.
func TestProgram_ThatFailsIsAnErrorAndLeavesNothing(t *testing.T) {
	mark := "98765.4" + strconv.Itoa(os.Getpid()) // seconds that no other process sleeps
	for name, text := range map[string]string{
		"hangs":                    "exec sleep " + mark,
		"hangs with children":      "sleep " + mark + " & sleep " + mark + " & wait",
		"answers and hangs":        "echo '" + goodAnswer + "'; exec sleep " + mark,
		"leaves a child behind":    "sleep " + mark + " & exit 1",
		"dies":                     "exit 3",
		"is killed":                "kill -KILL $$",
		"says nothing":             "cat >/dev/null",
		"answers rubbish":          "cat >/dev/null; echo 'Segmentation fault'",
		"answers half":             "cat >/dev/null; echo '{\"words\":[{\"text\":'",
		"answers without end":      "exec tr '\\0' x </dev/zero",
		"complains without end":    "tr '\\0' x </dev/zero >&2",
		"answers, reads no page":   "echo '" + goodAnswer + "'",
		"fails to load its models": "cat >/dev/null; echo '{\"error\":\"no detection.onnx\"}'",
	} {
		t.Run(name, func(t *testing.T) {
			temporary := t.TempDir()
			p := program(t, text+"\n")
			t.Setenv("TMPDIR", temporary)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			words, _, err := p.Words(ctx, image.NewGray(image.Rect(0, 0, 2000, 1000)))
			if err == nil || words != nil {
				t.Errorf("it answered %v, %v", words, err)
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			if entries, _ := os.ReadDir(temporary); len(entries) > 0 {
				t.Errorf("left in the temporary folder: %v", entries)
			}
			nothingLeft(t, mark)
		})
	}
}

// nothingLeft waits for processes that were killed: they are gone soon, not at once.
func nothingLeft(t *testing.T, mark string) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for len(left(t, mark)) > 0 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if found := left(t, mark); len(found) > 0 {
		t.Errorf("still running: %v", found)
	}
}

func TestProgram_ThatAnswersLeavesNoChild(t *testing.T) {
	mark := "87654.3" + strconv.Itoa(os.Getpid())
	p := program(t, "cat >/dev/null; echo '"+goodAnswer+"'; sleep "+mark+" & exit 0\n")
	if words, _, err := p.Words(t.Context(), image.NewGray(image.Rect(0, 0, 20, 20))); err != nil || len(words) != 1 {
		t.Errorf("%v, %v", words, err)
	}
	nothingLeft(t, mark)
}

func TestProgram_IsKilledAtTheDeadline(t *testing.T) {
	p := program(t, "trap '' TERM INT; while true; do :; done\n")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, _, err := p.Words(ctx, image.NewGray(image.Rect(0, 0, 2000, 2000))); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestProgram_ThatIsNotThere(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if _, _, err := (Program{path}).Words(t.Context(), image.NewGray(image.Rect(0, 0, 20, 20))); err == nil {
			t.Errorf("%s answered", path)
		}
	}
}

// It gets nothing of the environment, which holds keys, and limits before the first pixel.
func TestProgram_RunsWithLimitsAndWithoutTheEnvironment(t *testing.T) {
	t.Setenv("SALDO_KEY", "secret-of-the-server")
	p := program(t, `cat >/dev/null
printf '{"error":"%s; data %s processor %s core %s in %s"}' "$(env | tr '\n"' '  ')" "$(ulimit -d)" "$(ulimit -t)" "$(ulimit -c)" "$(pwd)"
`)
	_, _, err := p.Words(t.Context(), image.NewGray(image.Rect(0, 0, 20, 20)))
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Fatalf("the program sees %v", err)
	}
	for _, want := range []string{"data 1048576 processor 60 core 0", "saldo-reading-"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

func TestFindProgram_TakesTheSettingFirst(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	if found, ok := FindProgram(""); ok {
		t.Fatalf("found %v", found)
	}
	inPath := filepath.Join(folder, programName)
	if err := os.WriteFile(inPath, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if found, ok := FindProgram(""); !ok || found.Path != inPath {
		t.Errorf("found %v, %v", found, ok)
	}
	set := program(t, "")
	if found, ok := FindProgram(set.Path); !ok || found != set {
		t.Errorf("found %v, %v", found, ok)
	}
	if found, ok := FindProgram(filepath.Join(folder, "none")); ok {
		t.Errorf("found %v, which is not there", found)
	}
}
