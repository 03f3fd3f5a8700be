package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/testkit"
)

// attack is what one connection of an attacker does until it is told to stop. It says each status that it gets.
type attack func(t *testing.T, p *process, until time.Time, got func(status int, retryAfter string))

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
	for n := range 8000 {
		fmt.Fprintf(&b, "&%c%c%c", 'a'+n/676%26, 'a'+n/26%26, 'a'+n%26)
	}
	return b.String()[1:]
}

func attacks() map[string]attack {
	query := parameters()
	wrong := `{"draftId":[` + strings.Repeat(`0,`, 1000) + `0]}`
	return map[string]attack{
		"unknown parameters": func(t *testing.T, p *process, until time.Time, got func(int, string)) {
			asking(t, until, got, func() (*http.Request, error) { return http.NewRequest("GET", p.url+"/api/config?"+query, nil) })
		},
		"wrong bodies": func(t *testing.T, p *process, until time.Time, got func(int, string)) {
			asking(t, until, got, func() (*http.Request, error) {
				return http.NewRequest("POST", p.url+"/api/driver-summaries/nobody/draft", strings.NewReader(wrong))
			})
		},
		"guesses": func(t *testing.T, p *process, until time.Time, got func(int, string)) {
			b := testkit.NewBrowser(t, p.url, "saldo")
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
		"slow forms": func(t *testing.T, p *process, until time.Time, got func(int, string)) {
			host := strings.TrimPrefix(p.url, "http://")
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

// slowest99 is how long 99 of 100 lists of a partner take at most, one after another.
func (p *process) slowest99(t *testing.T, token string, until time.Time) time.Duration {
	t.Helper()
	var took []time.Duration
	for time.Now().Before(until) || len(took) < 100 {
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

// fair is the least that a list may take alone: what a busy machine adds to less says nothing.
const fair = 30 * time.Millisecond

// An attacker without a token holds 32 connections: whoever works goes on working, and nothing answers with an error of the server but
// that it is busy and until when. How much slower others become is judged only where nothing else runs (SALDO_QUIET).
func TestAnAttackerWithoutATokenStopsNobody(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			p := start(t, place(t, engine)...)
			token := p.token(t)
			length := 3 * time.Second
			if testkit.Soak() > 1 {
				length = 10 * time.Second
			}
			alone := p.slowest99(t, token, time.Now().Add(time.Second))
			for name, one := range attacks() {
				under := 100 * time.Second
				for try := 0; try < 3 && under > 5*max(alone, fair); try++ { // something else may have kept the machine busy
					under = p.under(t, token, name, one, length)
				}
				t.Logf("%s: %v alone, %v under attack", name, alone, under)
				if under > 5*max(alone, fair) && os.Getenv("SALDO_QUIET") != "" {
					t.Errorf("%s: a list takes %v under attack, %v alone", name, under, alone)
				}
				if status := p.call(t, token, "GET", "/healthz", "", "", nil); status != 200 {
					t.Errorf("%s: /healthz answers %d", name, status)
				}
			}
		})
	}
}

// under is how long 99 of 100 lists take at most while 32 connections attack.
func (p *process) under(t *testing.T, token, name string, one attack, length time.Duration) time.Duration {
	t.Helper()
	until := time.Now().Add(length)
	var attackers sync.WaitGroup
	defer attackers.Wait()
	for range 32 {
		attackers.Go(func() {
			one(t, p, until, func(status int, retryAfter string) {
				if status >= 500 && (status != 503 || retryAfter == "") {
					t.Errorf("%s: %d, try again after %q", name, status, retryAfter)
				}
			})
		})
	}
	return p.slowest99(t, token, until)
}
