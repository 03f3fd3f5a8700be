package web

import (
	"net"
	"net/netip"
	"sync"
	"syscall"
)

// mostConnections is how many connections one address may hold: an office or a
// mobile network behind one address has room, a machine that opens them in a
// loop does not. Where the process may open few files, it is a quarter of them.
const mostConnections = 1024

// Connections gives a listener on which one address cannot take all places. A
// proxy stands for many people, so those that are trusted are not counted.
func Connections(l net.Listener, proxies []netip.Prefix) net.Listener {
	maximum := mostConnections
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil && files.Cur/4 < uint64(maximum) {
		maximum = max(8, int(files.Cur/4))
	}
	return &counted{Listener: l, maximum: maximum, proxies: proxies, open: map[netip.Prefix]int{}}
}

type counted struct {
	net.Listener
	maximum int
	proxies []netip.Prefix

	mu   sync.Mutex
	open map[netip.Prefix]int
}

// Accept waits for a connection that has a place; the others are closed.
func (c *counted) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from, counts := c.from(conn)
		if !counts {
			return conn, nil
		}
		if c.take(from) {
			return &place{Conn: conn, leave: sync.OnceFunc(func() { c.leave(from) })}, nil
		}
		_ = conn.Close()
	}
}

// from is whom a connection counts for: an address, or the network that one
// customer gets with IPv6.
func (c *counted) from(conn net.Conn) (netip.Prefix, bool) {
	remote, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}, false
	}
	addr := remote.AddrPort().Addr().Unmap()
	for _, p := range c.proxies {
		if p.Contains(addr) {
			return netip.Prefix{}, false
		}
	}
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	of, err := addr.Prefix(bits)
	return of, err == nil
}

func (c *counted) take(from netip.Prefix) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[from] >= c.maximum {
		return false
	}
	c.open[from]++
	return true
}

func (c *counted) leave(from netip.Prefix) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[from]--; c.open[from] <= 0 {
		delete(c.open, from)
	}
}

// place is a connection that counts until it is closed.
type place struct {
	net.Conn
	leave func()
}

func (p *place) Close() error {
	p.leave()
	return p.Conn.Close()
}
