package connections

import (
	"context"
	"net/url"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/mailbox"
	"saldo/internal/platform/outbound"
)

const (
	trialMost    = 10 * time.Second // a person waits for it
	transferMost = 5 * time.Minute  // of one file
)

// Drive is the drive of a connection.
func (s *Service) Drive(o Open) (drive.Drive, error) { return s.drive(o.Kind, &o.Public, o.password) }

func (s *Service) drive(k Kind, p *Public, password string) (drive.Drive, error) {
	if k == Google {
		return drive.NewGoogle(s.Google, password, outbound.Client(s.Allowed, s.Trust, transferMost)), nil
	}
	u, err := url.Parse(p.Address)
	if err != nil {
		return nil, drive.Unexpected
	}
	if k == S3 {
		t := outbound.Transport(s.Allowed, s.Trust, trialMost)
		t.ResponseHeaderTimeout = transferMost
		return drive.NewS3(u, p.Region, p.Account, password, t)
	}
	return drive.NewWebDAV(u, p.Account, password, outbound.Client(s.Allowed, s.Trust, transferMost)), nil
}

// Mailbox signs in at the mailbox of a connection.
func (s *Service) Mailbox(ctx context.Context, o Open) (*mailbox.Box, error) {
	if o.Kind != Mailbox {
		return nil, drive.Unexpected
	}
	return s.mailbox(ctx, &o.Public, o.password)
}

func (s *Service) mailbox(ctx context.Context, p *Public, password string) (*mailbox.Box, error) {
	return mailbox.Open(ctx, outbound.Dialer(s.Allowed, trialMost), s.Trust, mailbox.Account{Server: p.Address, Name: p.Account,
		Password: password, Folder: p.Folder})
}

// try asks a service once whether it lets the partner in.
func (s *Service) try(ctx context.Context, tenant string, k Kind, p *Public, password string, now time.Time) (free int64,
	problem drive.Problem) {
	ctx, stop := context.WithTimeout(ctx, trialMost)
	defer stop()
	free = drive.Unknown
	var err error
	switch k {
	case Orlen:
		yesterday := calendar.DateOf(now, s.Instance.Location(), 0).AddDays(-1)
		_, err = s.transactions(ctx, p, password, yesterday, yesterday)
	case Mailbox:
		var b *mailbox.Box
		if b, err = s.mailbox(ctx, p, password); err == nil {
			b.Close()
		}
	case WebDAV, S3, Google:
		var d drive.Drive
		if d, err = s.drive(k, p, password); err == nil {
			if err = d.Test(ctx); err == nil {
				free, _ = d.Free(ctx) // what is not told is not known
			}
		}
	}
	if err != nil {
		return drive.Unknown, drive.ProblemOf(err)
	}
	return free, ""
}
