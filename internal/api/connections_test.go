package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"saldo/internal/testkit"
)

const (
	webDAVPath = "/api/partner-services/drive.webdav"
	orlenPath  = "/api/partner-services/fuel.orlen"
)

func (w *world) serviceBodies(t *testing.T, bodies map[string]func() any, ids map[string]func() string) {
	ids["connect-service"] = func() string { return "drive.webdav" }
	bodies["connect-service"] = func() any {
		w.ask(t, "partner", "DELETE", webDAVPath, nil, fmt.Sprint("key-", w.keys.Add(1)))
		return w.driveChange(t, 0, testkit.DrivePassword)
	}
	bodies["deliver-since"] = func() any { return map[string]any{"from": "2026-01-01"} }
	ids["fetch-now"] = func() string { // there is no connector
		w.ask(t, "other", "DELETE", orlenPath, nil, fmt.Sprint("key-", w.keys.Add(1)))
		w.ask(t, "partner", "PUT", orlenPath, map[string]any{"version": 0, "password": testkit.DrivePassword,
			"settings": map[string]any{"fleetNumber": "0012345", "account": "anna"}}, fmt.Sprint("key-", w.keys.Add(1)))
		return "fuel.orlen"
	}
	for _, name := range []string{"test-service", "deliver-since", "remove-service"} {
		ids[name] = func() string {
			w.ask(t, "other", "DELETE", webDAVPath, nil, fmt.Sprint("key-", w.keys.Add(1))) // it could connect its own
			w.ask(t, "partner", "PUT", webDAVPath, w.driveChange(t, 0, testkit.DrivePassword), fmt.Sprint("key-", w.keys.Add(1)))
			return "drive.webdav"
		}
	}
}

// webDAV is a drive that everybody of the world may use.
func (w *world) webDAV(t *testing.T) *testkit.WebDAV {
	t.Helper()
	if w.drive == nil {
		w.drive = testkit.NewWebDAV(t)
		w.drive.MakeFolder(t, "/files")
	}
	return w.drive
}

func (w *world) driveChange(t *testing.T, version int64, password string) map[string]any {
	t.Helper()
	return map[string]any{"version": version, "password": password,
		"settings": map[string]any{"address": w.webDAV(t).Address(), "account": "anna", "deliver": []string{"invoices"}}}
}

type shownService struct {
	Kind, State, Reason string
	Version             int64
	Settings            struct{ Address, Account string }
}

func (w *world) service(t *testing.T, who, kind string) (found shownService) {
	t.Helper()
	var list struct{ Services []shownService }
	w.into(t, 200, who, "GET", "/api/partner-services", nil, &list)
	for _, one := range list.Services {
		if one.Kind == kind {
			return one
		}
	}
	t.Fatalf("there is no %s", kind)
	return found
}

func TestServices_AreConnectedTriedAndRemoved(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if s := w.service(t, "partner", "drive.webdav"); s.State != "" || s.Version != 0 {
			t.Errorf("%+v", s)
		}
		change := w.driveChange(t, 0, "hunter3")
		text := w.must(t, http.StatusConflict, "partner", "PUT", webDAVPath, change)
		if !strings.Contains(text, "connections.denied") || strings.Contains(text, "hunter3") {
			t.Error(text)
		}
		change["password"] = testkit.DrivePassword
		before := w.webDAV(t).Logins(testkit.DrivePassword)
		for range 2 { // the answer was lost: the same request comes again
			if status, text, _ := w.ask(t, "partner", "PUT", webDAVPath, change, "connect once"); status != 200 || strings.Contains(text, "hunter2") {
				t.Error(status, text)
			}
		}
		if once, trial := w.webDAV(t).Logins(testkit.DrivePassword)-before, 4; once > trial {
			t.Errorf("%d requests for two times the same", once)
		}
		if text := w.must(t, http.StatusConflict, "partner", "PUT", webDAVPath, change); !strings.Contains(text, "connections.changed") {
			t.Error(text)
		}
		if s := w.service(t, "partner", "drive.webdav"); s.State != "working" || s.Version != 1 || s.Settings.Account != "anna" {
			t.Errorf("%+v", s)
		}
		if s := w.service(t, "other", "drive.webdav"); s.Version != 0 {
			t.Errorf("another partner sees %+v", s)
		}
		w.webDAV(t).SetPassword("changed")
		w.must(t, 200, "partner", "POST", webDAVPath+"/test", nil)
		if s := w.service(t, "partner", "drive.webdav"); s.State != "stopped" || s.Reason != "denied" {
			t.Errorf("%+v", s)
		}
		var home struct{ Failing int64 }
		if w.into(t, 200, "partner", "GET", "/api/overview", nil, &home); home.Failing != 1 {
			t.Errorf("%d fail", home.Failing)
		}
		w.must(t, 204, "partner", "DELETE", webDAVPath, nil)
		w.must(t, 404, "partner", "DELETE", webDAVPath, nil)
		w.must(t, 404, "partner", "POST", webDAVPath+"/test", nil)
	})
}

func TestServices_AWaitingAnswerBlocksNobody(t *testing.T) {
	w := newWorld(t, "sqlite")
	asked, open := make(chan struct{}), make(chan struct{})
	answer := sync.OnceFunc(func() { close(open) })
	defer answer()
	w.webDAV(t).When(func(rw http.ResponseWriter, _ *http.Request) bool {
		asked <- struct{}{}
		<-open
		rw.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	done := make(chan string, 1)
	go func() {
		status, text, _ := w.ask(t, "partner", "PUT", webDAVPath, w.driveChange(t, 0, testkit.DrivePassword), "waits")
		done <- fmt.Sprint(status, text)
	}()
	select {
	case <-asked:
	case answer := <-done:
		t.Fatal(answer)
	}
	w.must(t, 201, "partner", "POST", driversPath, driverOf("Nowak")) // while the other side is silent
	answer()
	if text := <-done; !strings.Contains(text, "connections.away") {
		t.Error(text)
	}
}
