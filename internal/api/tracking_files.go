package api

import (
	"context"
	"io"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/web"
	"saldo/internal/tracking"
)

func (s Settings) trackingFilesRoutes(r *web.Router) {
	const body = tracking.PhotoMax + 1<<16
	web.Plain(r, web.Route{Method: get, Path: "/api/trips/{id}/photo", Name: "trip-photo", Permission: access.TrackingRead,
		Summary: "The photo of a trip"}, s.tripPhoto)
	web.Plain(r, web.Route{Method: put, Path: "/api/trips/{id}/photo", Name: "set-trip-photo", Permission: access.AccountWrite,
		BodyLimit: body, Timeout: time.Minute, Summary: "Give a trip its photo; the same one again changes nothing"}, s.setTripPhoto)
	web.Driver(r, web.Route{Method: del, Path: "/api/trips/{id}/photo", Name: "remove-trip-photo", Permission: access.AccountWrite,
		Summary: "Take the photo of a trip away"}, s.removeTripPhoto)
	web.Plain(r, web.Route{Method: get, Path: "/api/time-entries/{id}/photos/{side}", Name: "time-photo", Permission: access.TrackingRead,
		Summary: "A photo of the mileage"}, s.timePhoto)
	web.Plain(r, web.Route{Method: put, Path: "/api/time-entries/{id}/photos/{side}", Name: "set-time-photo", Permission: access.AccountWrite,
		BodyLimit: body, Timeout: time.Minute, Summary: "Add a photo of the mileage"}, s.setTimePhoto)
	web.Driver(r, web.Route{Method: del, Path: "/api/time-entries/{id}/photos/{side}", Name: "remove-time-photo",
		Permission: access.AccountWrite, Summary: "Take a photo of the mileage away"}, s.removeTimePhoto)
	web.Plain(r, web.Route{Method: get, Path: "/api/tracking/export", Name: "export-tracking", Permission: access.TrackingDecide,
		Timeout: 2 * time.Minute, Summary: "Trips or working time as a file"}, s.exportTracking)
}

// PhotoForm is an upload of a photo.
type PhotoForm struct {
	Photo huma.FormFile `form:"photo" required:"true" contentType:"application/octet-stream" doc:"JPEG, PNG or WebP to 1 MB"`
}

// OfSide names a photo of working time.
type OfSide struct {
	ID   string `path:"id" maxLength:"64"`
	Side string `path:"side" enum:"start,end"`
}

func (s Settings) tripPhoto(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	return s.trackedPhoto(ctx, c, tracking.OfTrip, in.ID, tracking.OfPayment)
}

func (s Settings) timePhoto(ctx context.Context, c web.Call, in *OfSide) (func(huma.Context), error) {
	return s.trackedPhoto(ctx, c, tracking.OfTime, in.ID, in.Side)
}

func (s Settings) trackedPhoto(ctx context.Context, c web.Call, kind tracking.Kind, id, side string) (func(huma.Context), error) {
	var p tracking.Photo
	if err := s.readAsSide(ctx, c, tracking.ErrUnlinked, func(tx *db.Tx, driver string) (err error) {
		p, err = tracking.PhotoOf(tx, trackingPerson(driver), kind, id, side)
		return err
	}); err != nil {
		return nil, err
	}
	content, err := s.Tracking.Content(ctx, p)
	if err != nil {
		return nil, damage(err)
	}
	return shownPicture(content, p.FileType), nil
}

// KeptPhoto says that a photo is there.
type KeptPhoto struct {
	Same bool `json:"same" doc:"it was there already"`
}

func (s Settings) setTripPhoto(ctx context.Context, c web.Call, in *struct {
	ID      string `path:"id" maxLength:"64"`
	RawBody huma.MultipartFormFiles[PhotoForm]
}) (KeptPhoto, error) {
	return s.setPhoto(ctx, c, tracking.OfTrip, in.ID, tracking.OfPayment, in.RawBody.Data().Photo)
}

func (s Settings) setTimePhoto(ctx context.Context, c web.Call, in *struct {
	OfSide
	RawBody huma.MultipartFormFiles[PhotoForm]
}) (KeptPhoto, error) {
	return s.setPhoto(ctx, c, tracking.OfTime, in.ID, in.Side, in.RawBody.Data().Photo)
}

func (s Settings) setPhoto(ctx context.Context, c web.Call, kind tracking.Kind, id, side string, file huma.FormFile) (out KeptPhoto,
	err error) {
	defer file.Close()
	tenant := ""
	if err := s.readAsSide(ctx, c, tracking.ErrUnlinked, func(tx *db.Tx, driver string) error {
		tenant = tx.Actor.Tenant
		return tracking.Allowed(tx, tracking.Driver(driver), kind)
	}); err != nil {
		return out, err
	}
	p, err := s.Tracking.Receive(ctx, tenant, file)
	used := false
	defer func() {
		if !used {
			s.Tracking.Drop(ctx, p)
		}
	}()
	if err != nil {
		return out, err
	}
	sum, err := web.Sum("set-photo", []string{string(kind), id, side, p.ReceivedHash})
	if err != nil {
		return out, err
	}
	named := false
	out, _, err = writeAsSide(s, ctx, c, sum, tracking.ErrUnlinked, func(tx *db.Tx, driver string) (KeptPhoto, error) {
		kept, same, err := tracking.AddPhoto(tx, tracking.Driver(driver), kind, id, side, p)
		named = err == nil && kept.ID == p.ID
		return KeptPhoto{same}, err
	})
	used = stays(err, named)
	return out, err
}

func (s Settings) removeTripPhoto(tx *db.Tx, who access.Actor, in *named) (web.None, error) {
	return web.None{}, asOwnDriver(tx, who, tracking.ErrUnlinked, func(driver string) error {
		return tracking.RemovePhoto(tx, tracking.Driver(driver), tracking.OfTrip, in.ID, tracking.OfPayment)
	})
}

func (s Settings) removeTimePhoto(tx *db.Tx, who access.Actor, in *OfSide) (web.None, error) {
	return web.None{}, asOwnDriver(tx, who, tracking.ErrUnlinked, func(driver string) error {
		return tracking.RemovePhoto(tx, tracking.Driver(driver), tracking.OfTime, in.ID, in.Side)
	})
}

func (s Settings) exportTracking(ctx context.Context, c web.Call, in *struct {
	TrackedDays
	Kind     tracking.Kind `query:"kind" enum:"trip,time" required:"true"`
	Format   string        `query:"format" enum:"csv,xlsx" default:"csv"`
	Language Language      `query:"lang"`
}) (func(huma.Context), error) {
	f, err := in.filter("")
	if err != nil {
		return nil, err
	}
	format := spreadsheet.Format(in.Format)
	e := tracking.Export{Filter: f, Kind: in.Kind, Language: s.wordsOf(in.Language), Zone: s.Instance.Location()}
	return s.serveExport(ctx, c, export{mediaType: format.MediaType(),
		write: func(tx *db.Tx, to io.Writer) error {
			table, err := spreadsheet.New(format, to, e.Name(), e.Heads())
			if err != nil {
				return err
			}
			if err := e.Write(tx, table); err != nil {
				return err
			}
			return table.Close()
		},
		record: func(tx *db.Tx) (string, error) { return e.FileName(tx.Now, format), e.Record(tx) }})
}
