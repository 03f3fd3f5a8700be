package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// binary is the program as it is shipped, built once for all tests here.
var binary = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "saldo-binary-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "saldo")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if os.Getenv(attacking) != "" {
		os.Exit(status)
	}
	if path, err := binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(status)
}

func program(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, args...)
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"XDG_CACHE_HOME=" + filepath.Dir(testkit.Compiled())}, env...)
	return c
}

// process is a running demo.
type process struct {
	*exec.Cmd
	url string
	way [2]string // address and password of Anna, a partner
	out *output
}

// output is what a process has written so far.
type output struct {
	mutex   sync.Mutex
	written bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.written.Write(b)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.written.String()
}

func start(t *testing.T, env ...string) *process {
	t.Helper()
	p := &process{Cmd: program(t, append(env, "SALDO_ADDR=127.0.0.1:0"), "demo", "--size", "none"), out: &output{}}
	p.Stderr = p.out
	stdout, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	way, address := regexp.MustCompile(`(anna@\S+) +(\S+) +Anna Mazurek`), regexp.MustCompile(`Saldo answers at (\S+)/app/`)
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if found := way.FindStringSubmatch(lines.Text()); found != nil {
			p.way = [2]string{found[1], found[2]}
		}
		if found := address.FindStringSubmatch(lines.Text()); found != nil {
			p.url = found[1]
		}
		if strings.HasPrefix(lines.Text(), "Stop with") {
			go func() { _, _ = io.Copy(io.Discard, stdout) }()
			return p
		}
	}
	_ = p.Wait()
	t.Fatalf("it did not start: %s", p.out)
	return nil
}

func (p *process) token(t *testing.T) string {
	t.Helper()
	return testkit.Login(t, p.url, "saldo", p.way[0], p.way[1]).Access
}

// call answers 0 when the process did not answer.
func (p *process) call(t *testing.T, token, method, path, body, key string, out any) int {
	t.Helper()
	resp := p.ask(t, token, method, path, "application/json", []byte(body), key)
	if resp == nil {
		return 0
	}
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if out != nil && resp.StatusCode < 300 && resp.StatusCode != http.StatusNoContent {
		if err := json.Unmarshal(content, out); err != nil {
			t.Fatal(err)
		}
	}
	return resp.StatusCode
}

// place is a fresh data folder and, on PostgreSQL, a fresh database.
func place(t *testing.T, engine string) []string {
	t.Helper()
	settings := testkit.Settings(t, engine)
	if engine == "postgres" {
		return []string{"SALDO_DATA=" + t.TempDir(), "SALDO_DATABASE_URL=" + settings.URL}
	}
	return []string{"SALDO_DATA=" + settings.Folder}
}

// databaseOf opens the database of a place beside the process.
func databaseOf(t *testing.T, engine string, env []string) *db.DB {
	t.Helper()
	settings := db.Settings{Folder: strings.TrimPrefix(env[0], "SALDO_DATA=")}
	if engine == "postgres" {
		settings = db.Settings{URL: strings.TrimPrefix(env[1], "SALDO_DATABASE_URL=")}
	}
	return testkit.Open(t, settings)
}

// fallSilent lets the time pass after which the jobs of a killed process are another's.
func fallSilent(t *testing.T, d *db.DB) {
	t.Helper()
	testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error {
		_, err := tx.Across().Exec(`UPDATE jobs SET lease_until = '' WHERE state = 'running'`)
		return err
	})
}

// verified has the program itself check what must always hold.
func verified(t *testing.T, env []string) {
	t.Helper()
	out, err := program(t, env, "verify").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "0 problems") {
		t.Errorf("%v %s", err, out)
	}
}

// Four clients write while the process is killed; after a restart everything
// that was acknowledged is there, and repeating every request under its old
// key brings the rest without doubling any.
func TestKillingTheBinaryLosesNothingAndRepeatingDoublesNothing(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			env := place(t, engine)
			const clients, each = 4, 60
			name := func(round, client, n int) string { return fmt.Sprintf("r%d-%d-%d", round, client, n) }
			rounds := 2 * testkit.Soak()
			if rounds > 20 {
				rounds = 20
			}
			for round := range rounds {
				p := start(t, append(env, "SALDO_LOG_LEVEL=error")...)
				token := p.token(t)
				acknowledged := make([]int, clients)
				doomed := p.Process
				timer := time.AfterFunc(time.Duration(20+rand.IntN(150))*time.Millisecond, func() { _ = doomed.Kill() })
				var all sync.WaitGroup
				for client := range clients {
					all.Go(func() {
						for n := range each {
							tag := name(round, client, n)
							if p.call(t, token, "POST", "/api/tags", fmt.Sprintf(`{"name":%q}`, tag), tag, nil) != 201 {
								return
							}
							acknowledged[client]++
						}
					})
				}
				all.Wait()
				timer.Stop()
				_ = doomed.Kill()
				_ = p.Wait()

				p = start(t, append(env, "SALDO_LOG_LEVEL=error")...)
				token = p.token(t)
				there := tags(t, p, token)
				for client, n := range acknowledged {
					for i := range n {
						if there[name(round, client, i)] != 1 {
							t.Errorf("round %d: %s was acknowledged and is there %d times", round, name(round, client, i), there[name(round, client, i)])
						}
					}
				}
				for client := range clients {
					for n := range acknowledged[client] + 1 {
						tag := name(round, client, n)
						if status := p.call(t, token, "POST", "/api/tags", fmt.Sprintf(`{"name":%q}`, tag), tag, nil); status != 201 {
							t.Errorf("repeating %s answers %d", tag, status)
						}
					}
				}
				for tag, n := range tags(t, p, token) {
					if n != 1 {
						t.Errorf("%s is there %d times", tag, n)
					}
					// room for the next round
					if strings.HasPrefix(tag, "r") {
						remove(t, p, token, tag)
					}
				}
				stop(t, p)
			}
		})
	}
}

type tagList struct{ Tags []struct{ ID, Name string } }

func tags(t *testing.T, p *process, token string) map[string]int {
	t.Helper()
	var list tagList
	if status := p.call(t, token, "GET", "/api/tags", "", "", &list); status != 200 {
		t.Fatalf("tags answers %d", status)
	}
	found := map[string]int{}
	for _, tag := range list.Tags {
		found[tag.Name]++
	}
	return found
}

func remove(t *testing.T, p *process, token, name string) {
	t.Helper()
	var list tagList
	p.call(t, token, "GET", "/api/tags", "", "", &list)
	for _, tag := range list.Tags {
		if tag.Name == name {
			if status := p.call(t, token, "DELETE", "/api/tags/"+tag.ID, "", "remove-"+tag.ID, nil); status != 204 {
				t.Errorf("removing %s answers %d", name, status)
			}
		}
	}
}

// stop asks the process to end and checks that it does, well.
func stop(t *testing.T, p *process) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v: %s", err, p.out)
		}
	case <-time.After(5 * time.Minute):
		t.Error("it did not end")
	}
}

func TestTheDemoAnswersAndStopsCleanly(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			p := start(t, append(place(t, engine), "SALDO_METRICS_ADDR=localhost:0", "SALDO_LOG=json")...)
			var metrics []string
			testkit.Eventually(t, "it says where the metrics are", func() bool {
				metrics = regexp.MustCompile(`"msg":"metrics","address":"([^"]+)"`).FindStringSubmatch(p.out.String())
				return metrics != nil
			})
			for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/api/config": 200, "/api/session": 401, "/mailbox/": 200} {
				if status := p.call(t, "", "GET", path, "", "", nil); status != want {
					t.Errorf("%s answers %d, want %d", path, status, want)
				}
			}
			var limits struct{ Remaining int64 }
			if status := p.call(t, p.token(t), "GET", "/api/settlements/limits", "", "", &limits); status != 200 || limits.Remaining != 840 {
				t.Errorf("limits: %d %+v", status, limits)
			}
			resp, err := http.Get("http://" + metrics[1] + "/metrics")
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			content, err := io.ReadAll(resp.Body)
			if err != nil || !strings.Contains(string(content), `saldo_http_request_seconds_count{route="GET /api/settlements/limits",status="200"} 1`) ||
				!strings.Contains(string(content), `saldo_jobs{state="failed"} 0`) {
				t.Errorf("metrics: %v %s", err, content)
			}
			stop(t, p)
			if log := p.out.String(); strings.Contains(log, p.way[1]) || strings.Contains(log, "anna@") {
				t.Errorf("the log holds what it must not: %s", log)
			}
		})
	}
}

func TestAnOperatorAddsAPartnerWhoCanSignIn(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			env := place(t, engine)
			p := start(t, env...)
			add := func(args ...string) (string, error) {
				out, err := program(t, append(env, "SALDO_PUBLIC_URL="+p.url), append([]string{"add-partner"}, args...)...).CombinedOutput()
				return string(out), err
			}
			out, err := add("nowa", "Nowa Flota", "Ewa Nowak", "ewa@nowa.example")
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			link := strings.TrimSpace(strings.TrimPrefix(out, "nowa "))
			p.way = [2]string{"ewa@nowa.example", "cztery konie w galopie"}
			browser := testkit.NewBrowser(t, p.url, "saldo")
			form := testkit.FormOf(t, browser.Open(t, link), "kc-passwd-update-form")
			form.Fields.Set("password-new", p.way[1])
			form.Fields.Set("password-confirm", p.way[1])
			if answer := browser.Submit(t, form); answer.StatusCode != 200 {
				t.Fatalf("the first password was refused: %s", testkit.Text(t, answer))
			}
			var session struct{ Partner struct{ Code, Name string } }
			if status := p.call(t, p.token(t), "GET", "/api/session", "", "", &session); status != 200 || session.Partner.Name != "Nowa Flota" {
				t.Errorf("%d %+v", status, session)
			}
			var terms struct {
				Version  string
				Accepted bool
			}
			if status := p.call(t, p.token(t), "GET", "/api/partners/terms", "", "", &terms); status != 200 || terms.Accepted || terms.Version == "" {
				t.Errorf("the new partner's terms: %d %+v", status, terms)
			}
			for _, wrong := range [][]string{{"nowa", "Druga", "Jan", "jan@x.example"}, {"Zła nazwa", "X", "Jan", "jan@x.example"}, {"dobra", "X", "Jan", "nobody"}, {"dobra"}} {
				if out, err := add(wrong...); err == nil || strings.Count(strings.TrimSpace(out), "\n") > 0 {
					t.Errorf("%v: %v %s", wrong, err, out)
				}
			}
		})
	}
}

func TestAnOperatorPublishesTerms(t *testing.T) {
	env := place(t, "sqlite")
	p := start(t, env...)
	folder := t.TempDir()
	publish := func(version string) (string, error) {
		out, err := program(t, env, "publish-terms", version, folder).CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	for _, language := range []string{"pl", "en", "de", "uk", "ru"} {
		if out, err := publish("2027"); err == nil || !strings.Contains(out, ".md") {
			t.Errorf("published without %s.md: %v %s", language, err, out)
		}
		if err := os.WriteFile(filepath.Join(folder, language+".md"), []byte("# New terms\n\nFirst.\n\nSecond.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := publish("2027"); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if out, err := publish("2027"); err == nil || !strings.Contains(out, "another version") {
		t.Errorf("published twice: %v %s", err, out)
	}
	var terms struct {
		Version, Title, Body string
		Accepted             bool
	}
	p.call(t, p.token(t), "GET", "/api/partners/terms?lang=de", "", "", &terms)
	if terms.Version != "2027" || terms.Accepted || terms.Body != "First.\n\nSecond." {
		t.Errorf("%+v", terms)
	}
}

func TestWithAMailServerThereIsNoMailboxPage(t *testing.T) {
	p := start(t, append(place(t, "sqlite"), "SALDO_SMTP_URL=smtp://127.0.0.1:1")...)
	if status := p.call(t, "", "GET", "/mailbox/", "", "", nil); status != 404 {
		t.Errorf("the mailbox answers %d", status)
	}
}

func TestASecondServerOnTheSameFolderRefusesToStart(t *testing.T) {
	at := place(t, "sqlite")
	p := start(t, at...)
	second := program(t, append([]string{"SALDO_ADDR=127.0.0.1:0"}, at...), "demo", "--size", "none")
	var out bytes.Buffer
	second.Stdout, second.Stderr = &out, &out
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	given := time.AfterFunc(time.Minute, func() { _ = second.Process.Kill() }) // one that serves does not end by itself
	err := second.Wait()
	given.Stop()
	if err == nil || !strings.Contains(out.String(), fmt.Sprintf("is used by another Saldo (process %d since ", p.Process.Pid)) {
		t.Errorf("%v: %s", err, out.String())
	}
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait()
	start(t, at...) // the lock went with the process
}

// Each text that PostgreSQL cannot keep is named with its row, before anybody asks for a PostgreSQL.
func TestAMoveNamesTheTextsThatCannotBeMoved(t *testing.T) {
	env := place(t, "sqlite")
	d := databaseOf(t, "sqlite", env)
	testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if err := partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 0); err != nil {
			return err
		}
		// as former versions stored them: nothing looked at texts on their way
		_, err := tx.Exec(`INSERT INTO tags (tenant_id, id, name, search_key, created_at)
			VALUES ($1, 't1', $2, 'a', $4), ($1, 't2', $3, 'b', $4)`, "A\x00", "\xff", tx.Now)
		return err
	})
	out, err := program(t, env, "move", "postgres://saldo@127.0.0.1:1/saldo").CombinedOutput()
	row := "tags.name of the row tenant_id=\"north\" id=%q\n"
	for _, says := range []string{fmt.Sprintf(row, "t1"), fmt.Sprintf(row, "t2"), "2 texts", "nothing was copied", "--mend"} {
		if err == nil || !strings.Contains(string(out), says) {
			t.Errorf("%v, without %q: %s", err, says, out)
		}
	}
}

func TestTheMailboxPageIsForThisMachineByItsOwnName(t *testing.T) {
	p := start(t, place(t, "sqlite")...)
	for host, want := range map[string]int{"": 200, "localhost:1": 200, "evil.example": 404, "evil.example:8080": 404} {
		rq, err := http.NewRequest("GET", p.url+"/mailbox/", nil)
		if err != nil {
			t.Fatal(err)
		}
		rq.Host = host
		answer, err := http.DefaultClient.Do(rq)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("asked as %q it answers %d", host, answer.StatusCode)
		}
	}
}

func TestAWrongSettingStopsTheStartWithOneSentence(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	data := "SALDO_DATA=" + t.TempDir()
	for name, c := range map[string]struct {
		command string
		env     []string
		says    string
	}{
		"a busy port":               {"demo", []string{data, "SALDO_ADDR=" + taken.Addr().String()}, "taken by another program"},
		"a broken database URL":     {"demo", []string{data, "SALDO_DATABASE_URL=postgres//saldo"}, "SALDO_DATABASE_URL"},
		"a silent database":         {"demo", []string{data, "SALDO_DATABASE_URL=postgres://saldo:hunter2@127.0.0.1:1/saldo"}, "does not answer"},
		"an unwritable folder":      {"demo", []string{"SALDO_DATA=" + file + "/data"}, "SALDO_DATA"},
		"a folder of the kernel":    {"migrate", []string{"SALDO_DATA=/proc"}, "SALDO_DATA"},
		"an unknown instance":       {"demo", []string{data, "SALDO_INSTANCE=fr"}, "write pl or de"},
		"no key":                    {"serve", []string{"SALDO_DATA=" + t.TempDir()}, "SALDO_KEY"},
		"a short key":               {"serve", []string{data, "SALDO_KEY=c2hvcnQ="}, "SALDO_KEY"},
		"an address without a host": {"demo", []string{data, "SALDO_PUBLIC_URL=saldo"}, "SALDO_PUBLIC_URL"},
		"a mail server of no kind":  {"demo", []string{data, "SALDO_SMTP_URL=mail.example.com"}, "SALDO_SMTP_URL"},
		"a bucket of no kind":       {"demo", []string{data, "SALDO_BLOB_URL=ftp://x"}, "SALDO_BLOB_URL"},
		"an unknown command":        {"fly", nil, "saldo help"},
		"a demo of no size":         {"demo --size huge", []string{data}, "small, large or none"},
		"a demo without its size":   {"demo --size", []string{data}, "usage"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			p := program(t, append([]string{"SALDO_ADDR=127.0.0.1:0"}, c.env...), strings.Fields(c.command)...)
			var out bytes.Buffer
			p.Stdout, p.Stderr = &out, &out
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			context.AfterFunc(ctx, func() { _ = p.Process.Kill() })
			err := p.Wait()
			text := strings.TrimSpace(out.String())
			if err == nil || !strings.Contains(text, c.says) || strings.Contains(text, "hunter2") || strings.Contains(text, "\n") {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}

func TestSettingsDocument_ExplainsEverySetting(t *testing.T) {
	page, err := os.ReadFile(testkit.Root(t) + "/docs/operate/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range config.Variables() {
		shown := v.Default
		if shown != "" {
			shown = "`" + shown + "`"
		}
		if row := fmt.Sprintf("| `%s` | %s | %s |", v.Name, shown, v.Meaning); !strings.Contains(string(page), row) {
			t.Errorf("docs/operate/settings.md lacks the row: %s", row)
		}
	}
}
