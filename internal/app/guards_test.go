package app

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"saldo/internal/platform/blob"
	"saldo/internal/testkit"
)

func TestReadyz_SaysNoWithoutSpaceAndYesAgain(t *testing.T) {
	a := program(t, nil)
	ask, folder := a.way(t), a.settings.Data
	for _, c := range []struct {
		data   string
		status int
		says   string
	}{
		{folder, http.StatusOK, "ready"},
		{"/proc", http.StatusServiceUnavailable, "no space left"}, // a file system that never has any
		{folder, http.StatusOK, "ready"},
	} {
		a.settings.Data = c.data
		if w := ask(http.MethodGet, "/readyz"); w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d %s", c.data, w.Code, w.Body)
		}
		if w := ask(http.MethodGet, "/healthz"); w.Code != http.StatusOK {
			t.Errorf("%s: not alive: %d", c.data, w.Code)
		}
	}
}

// Mails hold links that let people in: where others reach the program they are kept and shown to nobody.
func TestMailbox_IsShownOnlyWhereTheListenerIsLocal(t *testing.T) {
	for addr, want := range map[string]int{
		"localhost:8080": http.StatusOK, ":8080": http.StatusNotFound, "0.0.0.0:8080": http.StatusNotFound,
	} {
		r, err := program(t, map[string]string{"SALDO_ADDR": addr}).Router()
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		r.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost:8080/mailbox/", nil))
		if w.Code != want {
			t.Errorf("listening on %s it answers %d", addr, w.Code)
		}
	}
}

// serves lets the program answer until the test ends.
func (a *App) serves(t *testing.T, listener net.Listener) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	started, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- a.Serve(ctx, listener, func() { close(started) }) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case <-started:
	case err := <-ended:
		t.Fatal(err)
	}
}

// One address holds so many connections and no more, and others are answered all the while.
func TestServing_OneAddressCannotTakeAllConnections(t *testing.T) {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	low := files
	low.Cur = 400 // of which an address gets a quarter
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
			t.Error(err)
		}
	})
	listener := testkit.Listener(t)
	address := listener.Addr().String()
	set := map[string]string{"SALDO_ADDR": address, "SALDO_PUBLIC_URL": "http://" + address, "SALDO_TRUSTED_PROXIES": "10.0.0.0/8"}
	program(t, set).serves(t, listener)
	from := func(ip string) *net.Dialer { return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}} }
	var last net.Conn
	for range 101 {
		conn, err := from("127.0.0.2").Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		last = conn
	}
	_ = last.SetReadDeadline(time.Now().Add(5 * time.Second)) // one that has a place is let go after ten
	if _, err := last.Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("one connection more than a quarter of all is kept: %v", err)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: from("127.0.0.3").DialContext}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	resp, err := client.Get("http://" + address + "/healthz")
	if err != nil {
		t.Fatalf("another address gets no answer: %v", err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("/healthz answers %d", resp.StatusCode)
	}
}

// Whoever starts this version on the files of a former one has them sealed without doing anything.
func TestServing_SealsTheFilesOfFormerVersions(t *testing.T) {
	listener := testkit.Listener(t)
	a := program(t, map[string]string{"SALDO_PUBLIC_URL": "http://" + listener.Addr().String()})
	before, err := blob.Open("", filepath.Join(a.settings.Data, "files"), former{a.vault})
	if err != nil {
		t.Fatal(err)
	}
	plain := bytes.Repeat([]byte("2026-11-09;Jan Kowalski;-12,50\n"), 100)
	if _, err := before.Put(t.Context(), "north/imports/a", bytes.NewReader(plain), -1); err != nil {
		t.Fatal(err)
	}
	a.serves(t, listener)
	testkit.Eventually(t, "the file is sealed", func() bool {
		return !bytes.Contains(content(t, before, "north/imports/a"), []byte("Kowalski"))
	})
	if !bytes.Equal(content(t, a.blobs, "north/imports/a"), plain) {
		t.Error("it is not what it was")
	}
}
