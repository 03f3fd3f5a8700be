package web_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

// bare is a router with only what a test adds to it; whoever has a token is a partner's person.
func bare(t *testing.T) *web.Router {
	t.Helper()
	d := testkit.Open(t, testkit.Settings(t, "sqlite"))
	return web.NewRouter(web.Settings{DB: d, Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(),
		Authenticate: func(context.Context, string) (access.Actor, error) {
			return access.Actor{Role: access.Partner, Tenant: "north", ID: "anna"}, nil
		}})
}

// full is a body that the disk had no room for.
type full struct{ io.Reader }

func (f full) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err == io.EOF {
		err = &os.PathError{Op: "write", Path: "/tmp/multipart-1", Err: syscall.ENOSPC}
	}
	return n, err
}

// An upload that the disk has no room for says so, as any write does, wherever the space ran out.
func TestUpload_WithoutSpaceIsReported(t *testing.T) {
	r := bare(t)
	web.Plain(r, web.Route{Method: "POST", Path: "/api/files", Name: "upload", Permission: access.TagsWrite},
		func(context.Context, web.Call, *struct {
			RawBody huma.MultipartFormFiles[struct {
				Photo huma.FormFile `form:"photo" required:"true" contentType:"image/png"`
			}]
		}) (web.None, error) {
			device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer device.Close()
			_, err = device.Write([]byte("x"))
			return web.None{}, fmt.Errorf("the blob cannot be stored: %w", err)
		})
	whole, kind := form(t, "photo", "a.png", "image/png", 10)
	for name, body := range map[string]io.Reader{
		"while it arrives": full{strings.NewReader(whole[:len(whole)/2])},
		"when it is kept":  strings.NewReader(whole),
	} {
		w := httptest.NewRecorder()
		rq := httptest.NewRequest("POST", "/api/files", body)
		rq.Header.Set("Authorization", "Bearer anna")
		rq.Header.Set(key, "k")
		rq.Header.Set("Content-Type", kind)
		r.Handler().ServeHTTP(w, rq)
		if w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"overload.disk_full"`) {
			t.Errorf("%s: %d %v %s", name, w.Code, w.Header(), w.Body)
		}
	}
}
