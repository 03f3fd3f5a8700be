package api

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/pack"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/web"
)

func (s Settings) packsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/accountant-packs", Name: "accountant-packs", Permission: access.PayoutsRead,
		Summary: "Accountant's packs"}, s.accountantPacks)
	web.Write(r, web.Route{Method: post, Path: "/api/accountant-packs/{id}", Name: "make-accountant-pack",
		Permission: access.PayoutsRead, Timeout: time.Minute, Summary: "Make that of a month, such as 2026-10"}, s.makePack)
	web.Plain(r, web.Route{Method: get, Path: "/api/accountant-packs/{id}", Name: "accountant-pack", Permission: access.PayoutsRead,
		Timeout: 10 * time.Minute, Summary: "Its file"}, s.accountantPack)
}

// AccountantPack is a version of a month.
type AccountantPack struct {
	ID          string       `json:"id"`
	Month       string       `json:"month"`
	Version     int64        `json:"version"`
	State       string       `json:"state" enum:"making,ready,failed"`
	Percent     int64        `json:"percent"`
	Settlements int64        `json:"settlements"`
	Payout      money.Amount `json:"payout"`
	Paid        money.Amount `json:"paid"`
	Documents   int64        `json:"documents"`
	Changes     [][]string   `json:"changes" nullable:"false" doc:"each: sort, number, amount before and now; empty: none"`
}

func packShown(tx *db.Tx, p *pack.Pack) (AccountantPack, error) {
	f := &p.Figures
	out := AccountantPack{ID: p.ID, Month: p.Month, Version: p.Version, State: string(p.State),
		Settlements: f.Settlements, Payout: f.Payout, Paid: f.Paid,
		Documents: f.Documents, Changes: [][]string{}}
	for i := range p.Changes.First {
		c := &p.Changes.First[i]
		one := []string{string(c.Sort), c.Number, "", ""}
		for i, fact := range []*pack.Fact{c.Before, c.After} {
			if fact != nil {
				one[2+i] = strconv.FormatInt(int64(fact.Amount), 10)
			}
		}
		out.Changes = append(out.Changes, one)
	}
	if p.State != pack.Making {
		return out, nil
	}
	job, err := jobs.Latest(tx, pack.MakeKind, p.ID)
	if errors.Is(err, db.ErrNone) {
		err = nil
	}
	if job.Total > 0 {
		out.Percent = job.Done * 100 / job.Total
	}
	return out, err
}

// AccountantPacks are those of a partner.
type AccountantPacks struct {
	Packs []AccountantPack `json:"packs" nullable:"false"`
}

func (s Settings) accountantPacks(tx *db.Tx, _ *nothing) (out AccountantPacks, err error) {
	list, err := pack.List(tx)
	out.Packs = make([]AccountantPack, len(list))
	for i := range list {
		if err == nil {
			out.Packs[i], err = packShown(tx, &list[i])
		}
	}
	return out, err
}

// makePack makes the pack of a month, unless nothing changed since the newest one.
func (s Settings) makePack(tx *db.Tx, in *named) (web.None, error) {
	if !tx.Actor.May(access.SettlementsRead) { // it holds both
		return web.None{}, web.ErrForbidden
	}
	_, err := s.Packs.Ask(tx, in.ID)
	return web.None{}, err
}

// accountantPack hands out a pack as it is kept.
func (s Settings) accountantPack(ctx context.Context, c web.Call, in *struct {
	ID    string `path:"id" maxLength:"64"`
	Known string `header:"If-None-Match" hidden:"true"`
}) (func(huma.Context), error) {
	var p pack.Pack
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		if p, err = pack.Of(tx, in.ID); err == nil && p.State != pack.Ready {
			err = pack.ErrNotFound
		}
		return err
	}); err != nil {
		return nil, err
	}
	tag := `"` + p.Sum + `"`
	if strings.Contains(in.Known, tag) {
		return func(hc huma.Context) {
			hc.SetHeader("ETag", tag)
			hc.SetStatus(304)
		}, nil
	}
	content, size, err := kept(s.Blobs.Get(ctx, p.Key(c.Actor.Tenant)))
	if err != nil {
		return nil, err
	}
	if err := s.DB.Write(ctx, c.Actor, p.Record); err != nil {
		return nil, errors.Join(err, content.Close())
	}
	send := download(content, size, "application/zip", p.FileName())
	return func(hc huma.Context) {
		hc.SetHeader("ETag", tag)
		send(hc)
	}, nil
}
