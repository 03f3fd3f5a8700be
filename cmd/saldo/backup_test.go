package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"saldo/internal/testkit"
)

// prints is what a command printed, which must end well or badly.
func prints(t *testing.T, well bool, env []string, args ...string) string {
	t.Helper()
	out, err := program(t, env, args...).CombinedOutput()
	if (err == nil) != well {
		t.Fatalf("%v: %v %s", args, err, out)
	}
	return string(out)
}

// backupKeyOf makes a key for backups and adds its recipient to the environment.
func backupKeyOf(t *testing.T, env []string) (file string, with []string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "backup.key")
	recipient := regexp.MustCompile(`(?m)^age1\S+$`).FindString(prints(t, true, env, "backup-key", file))
	return file, append(env, "SALDO_BACKUP_RECIPIENT="+recipient)
}

// elsewhere is an empty place with the key of an instance.
func elsewhere(t *testing.T, engine string, env []string) []string {
	t.Helper()
	folder := t.TempDir()
	key, err := os.ReadFile(filepath.Join(strings.TrimPrefix(env[0], "SALDO_DATA="), "saldo.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "saldo.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	to := []string{"SALDO_DATA=" + folder}
	if engine == "postgres" {
		to = append(to, "SALDO_DATABASE_URL="+testkit.Empty(t, engine).URL)
	}
	return to
}

func TestBackup_OfARunningProgramIsRestoredAndVerified(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			env := place(t, engine)
			if out := prints(t, false, env, "backup", t.TempDir()); !strings.Contains(out, "SALDO_BACKUP_RECIPIENT is not set") {
				t.Errorf("it says %s", out)
			}
			start(t, env...)
			key, env := backupKeyOf(t, env)
			file := filepath.Join(t.TempDir(), "one.backup")
			if out := prints(t, true, env, "backup", file); !strings.Contains(out, "the key of the instance is not in it") {
				t.Errorf("it says %s", out)
			}
			if out := prints(t, false, env, "backup", file); !strings.Contains(out, "is there already") {
				t.Errorf("it says %s", out)
			}
			if engine == "postgres" {
				bare := append(slices.Clone(env), "PATH=/none")
				if out := prints(t, false, bare, "backup", t.TempDir()); !strings.Contains(out, "pg_dump is not installed") {
					t.Errorf("it says %s", out)
				}
			}
			to := elsewhere(t, engine, env)
			if out := prints(t, true, to, "restore", file, key); !strings.Contains(out, "restored: the state of") ||
				!strings.Contains(out, "0 problems") {
				t.Errorf("it says %s", out)
			}
			if out := prints(t, false, to, "restore", file, key); !strings.Contains(out, "not empty") {
				t.Errorf("it says %s", out)
			}
			verified(t, to)
			if out := prints(t, false, append(slices.Clone(to), "SALDO_ADDR=127.0.0.1:0"), "serve"); !strings.Contains(out, "saldo resume") {
				t.Errorf("it says %s", out)
			}
			if out := prints(t, true, to, "resume"); !strings.Contains(out, "The state is that of") {
				t.Errorf("it says %s", out)
			}
			prints(t, true, to, "resume", "hold-mails")
			if out := prints(t, false, to, "resume"); !strings.Contains(out, "nothing is paused") {
				t.Errorf("it says %s", out)
			}
			start(t, to...)
		})
	}
}
