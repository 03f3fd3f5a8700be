package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/access"
	"saldo/internal/billing"
	"saldo/internal/blob"
	"saldo/internal/db"
	"saldo/internal/fleet"
	"saldo/internal/settlement"
	"saldo/internal/web"
)

// saved hands out a file to be saved, never to be run.
func saved(mediaType, name string, content []byte) func(huma.Context) {
	return func(hc huma.Context) {
		hc.SetHeader("Content-Type", mediaType)
		hc.SetHeader("Content-Length", strconv.Itoa(len(content)))
		hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
		hc.SetHeader("Content-Security-Policy", "default-src 'none'; sandbox")
		hc.SetHeader("Cache-Control", "no-store")
		_, _ = hc.BodyWriter().Write(content) // who went away needs no answer
	}
}

const mediaPDF = "application/pdf"

// logoUnder is the partner's picture; one that is not there is none.
func (s Settings) logoUnder(ctx context.Context, key string) ([]byte, error) {
	if key == "" {
		return nil, nil
	}
	content, _, err := s.Blobs.Get(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(io.LimitReader(content, 4<<20))
}

// statementOf makes the paper of a settlement once the unit of work has ended: no connection waits for a picture or a page.
func (s Settings) statementOf(ctx context.Context, paper *billing.Statement) (func(huma.Context), error) {
	logo, err := s.logoUnder(ctx, paper.LogoKey)
	if err != nil {
		return nil, err
	}
	content, err := paper.PDF(logo)
	if err != nil {
		return nil, err
	}
	return saved(mediaPDF, paper.FileName(), content), nil
}

func (s Settings) settlementStatement(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	var paper *billing.Statement
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		paper, err = s.Billing.Statement(tx, in.ID)
		return err
	}); err != nil {
		return nil, err
	}
	return s.statementOf(ctx, paper)
}

func (s Settings) driverStatement(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	paper, err := readingBoth(s, func(tx *db.Tx, who access.Actor, in *named) (paper *billing.Statement, err error) {
		partner, driver, err := fleet.OwnDriver(tx, who)
		if err != nil {
			return nil, err
		}
		if driver == "" {
			return nil, settlement.ErrNotFound
		}
		err = tx.As(who.In(partner), func() error {
			if err := settlement.IsShared(tx, in.ID, driver); err != nil {
				return err
			}
			paper, err = s.Billing.Statement(tx, in.ID)
			return err
		})
		return paper, err
	})(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return s.statementOf(ctx, paper)
}
