package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"saldo/internal/testkit"
)

const payoutsByTag = `{"code":"payouts","definition":{"subject":"settlements","title":{"pl":"Wypłaty","en":"Payouts"},"measures":["count","payout"],"by":["tag"],
	"ask":[{"name":"from","kind":"day"},{"name":"to","kind":"day"}]}}`

func TestReports_OfTheOperator(t *testing.T) {
	t.Parallel()
	env := place(t, testkit.Engine)
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good.json", payoutsByTag)
	run := func(fails bool, want string, args ...string) {
		t.Helper()
		out, err := program(t, env, append([]string{"report"}, args...)...).CombinedOutput()
		if (err != nil) != fails || !strings.Contains(string(out), want) {
			t.Errorf("%v: %v %s, not %q", args, err, out, want)
		}
	}
	run(false, "payouts: Wypłaty, for every partner of all partners", "check", good)
	run(true, `measures[1]: unknown: "salary"`, "check", file("wrong.json", strings.Replace(payoutsByTag, `"payout"`, `"salary"`, 1)))
	run(true, "by[0]: unknown", "add", file("stolen.json", strings.Replace(payoutsByTag, `"tag"`, `"tenant_id"`, 1)))
	run(true, "usage", "remove", good)
	run(true, "usage", "add")
	run(true, "no such file", "add", filepath.Join(folder, "none.json"))
	if out, err := program(t, env, "key").CombinedOutput(); err != nil && !strings.Contains(string(out), "exist") {
		t.Fatalf("%s", out)
	}
	run(true, `there is no partner "west"`, "add", file("west.json", strings.Replace(payoutsByTag, `"code":"payouts"`, `"code":"payouts","partners":["west"]`, 1)))
	run(false, "payouts: version 1", "add", good)
	run(false, "payouts: version 2", "add", good)
	run(false, "version 2, on (operator, all partners)", "list")
}
