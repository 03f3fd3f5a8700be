package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"

	"saldo/internal/platform/config"
)

// Listen listens at SALDO_ADDR before a database is opened: a program that cannot answer changes nothing, and who asks while it starts
// waits for the answer. Where the address leaves the port to the machine (localhost:0), it writes the port into the settings: people are
// then told this address, unless they are told another.
func Listen(ctx context.Context, s *config.Settings, configured bool) (net.Listener, error) {
	l, err := listen(ctx, s.Addr, "SALDO_ADDR")
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(s.Addr)
	if err != nil || port != "0" {
		return l, nil
	}
	_, port, _ = net.SplitHostPort(l.Addr().String())
	s.Addr = net.JoinHostPort(host, port)
	if !configured {
		s.PublicURL = "http://" + s.Addr
	}
	return l, nil
}

func listen(ctx context.Context, address, setting string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("the address %s is taken by another program: stop that one or set %s to another address", address, setting)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s (%w): set %s to an address of this machine, as localhost:8080", address, err, setting)
	}
	return l, nil
}
