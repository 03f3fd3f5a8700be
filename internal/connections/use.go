package connections

import (
	"context"
	"net/url"
	"time"

	"saldo/internal/platform/drive"
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

// try asks a service once whether it lets the partner in.
func (s *Service) try(ctx context.Context, tenant string, k Kind, p *Public, password string, now time.Time) (free int64,
	problem drive.Problem) {
	ctx, stop := context.WithTimeout(ctx, trialMost)
	defer stop()
	free = drive.Unknown
	var err error
	switch k {
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
