package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/testkit"
)

// attack is what one connection of an attacker does until it is told to stop. It says each status that it gets.
type attack func(t *testing.T, url string, until time.Time, got func(status int, retryAfter string))

// asking sends the same request over one connection again and again.
func asking(t *testing.T, until time.Time, got func(int, string), ask func() (*http.Request, error)) {
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	for time.Now().Before(until) {
		rq, err := ask()
		if err != nil {
			t.Error(err)
			return
		}
		answer, err := client.Do(rq)
		if err != nil {
			continue // a closed connection is an answer too
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		got(answer.StatusCode, answer.Header.Get("Retry-After"))
	}
}

// parameters are as many unknown ones as a request may hold.
func parameters() string {
	var b strings.Builder
	for n := range 4800 {
		fmt.Fprintf(&b, "&%c%c%c", 'a'+n/676%26, 'a'+n/26%26, 'a'+n%26)
	}
	return b.String()[1:]
}

func attacks() map[string]attack {
	query := parameters()
	wrong := `{"draftId":[` + strings.Repeat(`0,`, 1000) + `0]}`
	return map[string]attack{
		"unknown parameters": func(t *testing.T, url string, until time.Time, got func(int, string)) {
			asking(t, until, got, func() (*http.Request, error) { return http.NewRequest("GET", url+"/api/config?"+query, nil) })
		},
		"wrong bodies": func(t *testing.T, url string, until time.Time, got func(int, string)) {
			asking(t, until, got, func() (*http.Request, error) {
				return http.NewRequest("POST", url+"/api/driver-summaries/nobody/draft", strings.NewReader(wrong))
			})
		},
		"guesses": func(t *testing.T, url string, until time.Time, got func(int, string)) {
			b := testkit.NewBrowser(t, url, "saldo")
			form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
			form.Fields.Set("username", fmt.Sprintf("nobody-%p@example.com", &form))
			form.Fields.Set("password", "wrong wrong wrong")
			for time.Now().Before(until) {
				answer := b.Submit(t, form)
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				got(answer.StatusCode, answer.Header.Get("Retry-After"))
			}
		},
		"slow forms": func(t *testing.T, url string, until time.Time, got func(int, string)) {
			host := strings.TrimPrefix(url, "http://")
			for time.Now().Before(until) {
				conn, err := net.Dial("tcp", host)
				if err != nil {
					continue
				}
				fmt.Fprintf(conn, "POST /auth/realms/saldo/protocol/openid-connect/token HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900\r\n\r\n", host)
				for time.Now().Before(until) {
					if _, err := conn.Write([]byte("a")); err != nil {
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
				_ = conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
				if answer, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
					answer.Body.Close()
					got(answer.StatusCode, answer.Header.Get("Retry-After"))
				}
				_ = conn.Close()
			}
		},
	}
}

// quiet says that nothing else runs: times can be compared, and enough of them are taken.
func quiet() bool { return os.Getenv("SALDO_QUIET") != "" }

// slowest99 is how long 99 of 100 lists of a partner take at most, one after another.
func (p *process) slowest99(t *testing.T, token string, until time.Time) time.Duration {
	t.Helper()
	least := 10
	if quiet() {
		least = 100
	}
	var took []time.Duration
	for time.Now().Before(until) || len(took) < least {
		from := time.Now()
		if status := p.call(t, token, "GET", "/api/drivers?size=50", "", "", nil); status != 200 {
			t.Errorf("the partner's list answers %d", status)
			return 0
		}
		took = append(took, time.Since(from))
		time.Sleep(5 * time.Millisecond)
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

// An attacker without a token holds 32 connections: whoever works goes on working, and nothing answers with an error of the server but
// that it is busy and until when. How much slower others become is measured only where nothing else runs (SALDO_QUIET).
func TestAttackerWithoutAToken_StopsNoOtherRequest(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			p := start(t, place(t, engine)...)
			token := p.token(t)
			drivers := 50 // a page of them
			if quiet() {
				drivers = 300 // a list that somebody would look at
			}
			for n := range drivers {
				body := fmt.Sprintf(`{"firstName":"Jan","lastName":"Nowak %d","phone":"+48601%06d"}`, n, n)
				if status := p.call(t, token, "POST", "/api/drivers", body, fmt.Sprint("driver ", n), nil); status != 201 {
					t.Fatalf("a driver is answered %d", status)
				}
			}
			length := 300 * time.Millisecond // long enough to see who is answered
			if quiet() {
				length = 10 * time.Second
			}
			alone := p.slowest99(t, token, time.Now().Add(length/3))
			for name := range attacks() {
				under := p.beside(t, name, length, func(until time.Time) time.Duration { return p.slowest99(t, token, until) })
				t.Logf("%s: %v alone, %v under attack", name, alone, under)
				if under > 5*alone && quiet() {
					t.Errorf("%s: a list takes %v under attack, %v alone", name, under, alone)
				}
				if status := p.call(t, token, "GET", "/healthz", "", "", nil); status != 200 {
					t.Errorf("%s: /healthz answers %d", name, status)
				}
			}
		})
	}
}

// beside measures something while somebody attacks from a process of their own.
func (p *process) beside(t *testing.T, name string, length time.Duration, measure func(until time.Time) time.Duration) time.Duration {
	t.Helper()
	// an attacker has a machine of its own: on this one it gets what the program leaves
	attacker := exec.Command("nice", "-n", "19", os.Args[0], "-test.run=^TestAttacker$")
	attacker.Env = append(os.Environ(), attacking+"="+name, "ATTACKED="+p.url, "ATTACK_FOR="+length.String())
	var attackerOutput bytes.Buffer
	attacker.Stdout, attacker.Stderr = &attackerOutput, &attackerOutput
	if err := attacker.Start(); err != nil {
		t.Fatal(err)
	}
	took := measure(time.Now().Add(length))
	if err := attacker.Wait(); err != nil {
		t.Errorf("%s: %v %s", name, err, attackerOutput.String())
	}
	return took
}

// attacking names the attack that this process makes: it then tests nothing else.
const attacking = "SALDO_TEST_ATTACK"

// TestAttacker is the other side of the tests of attacks, in a process of its own, where it does not keep whoever measures from
// measuring.
func TestAttacker(t *testing.T) {
	name := os.Getenv(attacking)
	if name == "" {
		return
	}
	length, err := time.ParseDuration(os.Getenv("ATTACK_FOR"))
	if err != nil {
		t.Fatal(err)
	}
	one, many, until := attacks()[name], 32, time.Now().Add(length)
	if name == "sixty guesses" {
		one, many = sixtyGuesses, 1
	}
	var connections sync.WaitGroup
	for range many {
		connections.Go(func() {
			one(t, os.Getenv("ATTACKED"), until, func(status int, retryAfter string) {
				if status >= 500 && (status != 503 || retryAfter == "") {
					t.Errorf("%s: %d, try again after %q", name, status, retryAfter)
				}
			})
		})
	}
	connections.Wait()
}

// sixtyGuesses are made at the same moment at one account, each from an address of its own; then at the next account.
func sixtyGuesses(t *testing.T, url string, until time.Time, got func(int, string)) {
	for round := 0; time.Now().Before(until); round++ {
		var guesses, prepared sync.WaitGroup
		begin := make(chan struct{})
		for n := range 60 {
			prepared.Add(1)
			guesses.Go(func() {
				b := testkit.NewBrowser(t, url, "saldo").From(fmt.Sprintf("127.0.%d.%d", 1+round%250, 1+n))
				form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
				form.Fields.Set("username", fmt.Sprintf("nobody-%d@example.com", round))
				form.Fields.Set("password", "wrong wrong wrong")
				prepared.Done()
				<-begin
				answer := b.Submit(t, form)
				answer.Body.Close()
				got(answer.StatusCode, answer.Header.Get("Retry-After"))
			})
		}
		prepared.Wait()
		close(begin)
		guesses.Wait()
	}
}

// Whoever knows their password signs in while somebody else guesses. How much longer that takes is measured only where nothing else runs
// (SALDO_QUIET).
func TestGuesses_BarelySlowARightSignIn(t *testing.T) {
	engines := testkit.Engines
	if !quiet() {
		engines = engines[:1] // who guesses meets the same pages on either
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			p := start(t, place(t, engine)...)
			least, tries := 3, 1
			if quiet() {
				least, tries = 9, 3 // something else may have kept the machine busy
			}
			middle := func(until time.Time) time.Duration {
				var took []time.Duration
				for time.Now().Before(until) || len(took) < least {
					b := testkit.NewBrowser(t, p.url, "saldo")
					form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
					form.Fields.Set("username", p.way[0])
					form.Fields.Set("password", p.way[1])
					from := time.Now()
					answer := b.Submit(t, form)
					answer.Body.Close()
					if !strings.Contains(answer.Header.Get("Location"), "code=") {
						t.Fatalf("not signed in: %d", answer.StatusCode)
					}
					took = append(took, time.Since(from))
				}
				slices.Sort(took)
				return took[len(took)/2]
			}
			length := 200 * time.Millisecond
			if quiet() {
				length = 2 * time.Second
			}
			alone := middle(time.Now().Add(length))
			beside := time.Minute
			for try := 0; try < tries && beside > 2*alone; try++ {
				beside = p.beside(t, "sixty guesses", length, middle)
			}
			t.Logf("a right sign-in takes %v alone, %v beside guesses", alone, beside)
			if beside > 2*alone && quiet() {
				t.Errorf("a right sign-in takes %v alone, %v beside guesses", alone, beside)
			}
		})
	}
}
