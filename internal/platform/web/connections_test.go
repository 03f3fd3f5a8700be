package web_test

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

// Under a low limit of files one address opens connections until it gets no
// more, and another address is answered all the while.
func TestConnections_OneAddressCannotTakeAllPlaces(t *testing.T) {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	low := files
	low.Cur = 512
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
			t.Error(err)
		}
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: web.Health()}
	go func() { _ = server.Serve(web.Connections(l, []netip.Prefix{netip.MustParsePrefix("127.0.0.3/32")})) }()
	t.Cleanup(func() { server.Close() })

	hold := func(from string, count int) (conns []net.Conn, closed int) {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		for range count {
			conn, err := dialer.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			fmt.Fprintf(conn, "POST /auth/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n")
			conns = append(conns, conn)
		}
		var wait sync.WaitGroup
		var gone atomic.Int64
		for _, conn := range conns {
			wait.Go(func() {
				_ = conn.SetReadDeadline(time.Now().Add(time.Second))
				if _, err := conn.Read(make([]byte, 1)); err != nil && !timedOut(err) {
					gone.Add(1)
				}
			})
		}
		wait.Wait()
		return conns, int(gone.Load())
	}
	conns, closed := hold("127.0.0.2", 150)
	if closed != 22 {
		t.Errorf("%d of 150 connections were refused where 128 have a place", closed)
	}
	client := &http.Client{Timeout: 10 * time.Second}
	if resp, err := client.Get("http://" + l.Addr().String() + "/healthz"); err != nil || resp.StatusCode != 200 {
		t.Errorf("another address gets no answer: %v", err)
	}
	for _, conn := range conns[:10] {
		conn.Close()
	}
	testkit.Eventually(t, "places become free", func() bool {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.2")}}
		conn, err := dialer.Dial("tcp", l.Addr().String())
		if err != nil {
			return false
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		_ = conn.SetReadDeadline(time.Now().Add(time.Second))
		n, _ := conn.Read(make([]byte, 12))
		return n > 0
	})
	for _, conn := range conns {
		conn.Close()
	}
	if _, closed := hold("127.0.0.3", 140); closed != 0 {
		t.Errorf("%d connections of a trusted proxy were refused", closed)
	}
}

func timedOut(err error) bool {
	wrong, ok := err.(net.Error)
	return ok && wrong.Timeout()
}
