package api

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/connections"
	"saldo/internal/deliveries"
	"saldo/internal/feeds"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/web"
)

func (s Settings) connectionsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/partner-services", Name: "partner-services", Permission: access.PartnerRead,
		Summary: "Connections to services of others, and how they fare; never a password"}, s.partnerServices)
	web.Read(r, web.Route{Method: get, Path: "/api/partner-services/google/start", Name: "google-consent", Permission: access.PartnerWrite,
		Summary: "Where to let Saldo into a Google Drive"}, s.googleConsent)
	web.Plain(r, web.Route{Method: put, Path: "/api/partner-services/{kind}", Name: "connect-service", Fresh: true,
		Permission: access.PartnerWrite, Summary: "Try a connection, and keep it if it works"}, s.connectService)
	web.Plain(r, web.Route{Method: post, Path: "/api/partner-services/{kind}/test", Name: "test-service", Permission: access.PartnerWrite,
		Summary: "Try a connection that is there"}, s.testService)
	web.Write(r, web.Route{Method: post, Path: "/api/partner-services/{kind}/deliver", Name: "deliver-since", Permission: access.PartnerWrite,
		Summary: "Deliver what was made from a day on to a drive, also what is older than the connection"}, deliverSince)
	web.Write(r, web.Route{Method: post, Path: "/api/partner-services/{kind}/fetch", Name: "fetch-now", Permission: access.PartnerWrite,
		Summary: "Fetch fuel transactions now, in a job"}, s.fetchNow)
	web.Write(r, web.Route{Method: del, Path: "/api/partner-services/{kind}", Name: "remove-service", Permission: access.PartnerWrite,
		Summary: "Forget a connection and its password"}, s.removeService)
}

// ServiceKind is a service that a partner can be connected to.
type ServiceKind string

// Schema lists the kinds.
func (ServiceKind) Schema(huma.Registry) *huma.Schema {
	return listed(append(connections.Kinds(), ksefKind))
}

// ServiceState is how a connection fares.
type ServiceState string

// Schema lists the states.
func (ServiceState) Schema(huma.Registry) *huma.Schema {
	return listed(append(connections.States(), ""))
}

// ServiceProblem is why a connection does not work.
type ServiceProblem string

// Schema lists the problems; empty: none.
func (ServiceProblem) Schema(huma.Registry) *huma.Schema {
	return listed(append(append(connections.Problems(), ksefProblems()...), ""))
}

// ServiceDelivery is a sort of file that goes to a drive.
type ServiceDelivery string

// Schema lists them.
func (ServiceDelivery) Schema(huma.Registry) *huma.Schema { return listed(connections.Deliveries()) }

// ServiceSettings are what of a connection is shown again.
type ServiceSettings struct {
	Address     string            `json:"address,omitempty" maxLength:"1000" doc:"of a drive, with its bucket; server of a mailbox"`
	Account     string            `json:"account" maxLength:"200" doc:"user name or key"`
	FleetNumber string            `json:"fleetNumber,omitempty" maxLength:"40"`
	Region      string            `json:"region,omitempty" maxLength:"40" doc:"of a bucket"`
	Deliver     []ServiceDelivery `json:"deliver,omitempty" nullable:"false" maxItems:"10" doc:"what goes to a drive by itself"`
	Folder      string            `json:"folder,omitempty" maxLength:"200" doc:"of a mailbox"`
	Confirm     bool              `json:"confirm,omitempty" doc:"fetched files are confirmed where nothing is unclear"`
}

// PartnerService is a connection, or that there can be one.
type PartnerService struct {
	Kind      ServiceKind     `json:"kind"`
	Available bool            `json:"available" doc:"the operator has set up a way there"`
	Version   int64           `json:"version" doc:"0: not connected"`
	State     ServiceState    `json:"state" doc:"empty: not connected"`
	Reason    ServiceProblem  `json:"reason"`
	Since     *time.Time      `json:"since" doc:"in this state"`
	LastTryAt *time.Time      `json:"lastTryAt"`
	LastOKAt  *time.Time      `json:"lastOkAt"`
	NextAt    *time.Time      `json:"nextAt" doc:"of the next try by itself"`
	Free      *int64          `json:"free" doc:"bytes on a drive that tells it"`
	Settings  ServiceSettings `json:"settings"`

	Delivered   int64  `json:"delivered" doc:"files that are on the drive, invoices that KSeF accepted"`
	Waiting     int64  `json:"waiting" doc:"those that are not there yet"`
	GivenUp     int64  `json:"givenUp" doc:"those that could not be brought there; held for KSeF"`
	DeliverFrom string `json:"deliverFrom" doc:"day; what is older is not delivered"`

	Rows     int64 `json:"rows" doc:"of the last fetch"`
	NewRows  int64 `json:"newRows" doc:"of those, brought by no import before"`
	Refused  int64 `json:"refused" doc:"messages of a month that were not read; late for KSeF"`
	Fetching bool  `json:"fetching"`

	Environment string `json:"environment,omitempty" doc:"of KSeF"`
	Serial      string `json:"serial,omitempty" doc:"of the certificate"`
	Days        int64  `json:"days,omitempty" doc:"for which it is valid"`
	RenewsOn    string `json:"renewsOn,omitempty" doc:"day from which Saldo asks for the next one"`

	RenewalRefusedAt *time.Time `json:"renewalRefusedAt,omitempty" doc:"when KSeF last gave none"`
	RenewalCode      int64      `json:"renewalCode,omitempty" doc:"of that refusal"`
}

// PartnerServices are those of a partner.
type PartnerServices struct {
	Services []PartnerService `json:"services" nullable:"false"`
}

func (s Settings) partnerServices(tx *db.Tx, _ *nothing) (PartnerServices, error) {
	list, err := connections.List(tx)
	out := PartnerServices{Services: []PartnerService{}}
	for _, kind := range connections.Kinds() {
		one := connections.Connection{Kind: kind, Free: drive.Unknown}
		if i := slices.IndexFunc(list, func(c connections.Connection) bool { return c.Kind == kind }); i >= 0 {
			one = list[i]
		}
		if kind == connections.Google && one.ID == "" && !s.Connections.Available(kind) {
			continue // the operator does not offer it
		}
		shown := s.shownService(one)
		if kind.Drive() && one.ID != "" {
			n, err := deliveries.Count(tx, one.ID)
			if err != nil {
				return out, err
			}
			shown.Delivered, shown.Waiting, shown.GivenUp = n.Stored, n.Waiting, n.GivenUp
		}
		if kind.Fuel() && one.ID != "" {
			l, err := feeds.LastOf(tx, &one)
			if err != nil {
				return out, err
			}
			shown.Rows, shown.NewRows, shown.Refused, shown.Fetching = l.RowCount, l.NewCount, l.Refused, l.Asked
		}
		out.Services = append(out.Services, shown)
	}
	if s.KSeF.Environment == "" || err != nil {
		return out, err
	}
	shown, err := s.listedKSeF(tx)
	out.Services = append(out.Services, shown)
	return out, err
}

func (s Settings) shownService(c connections.Connection) PartnerService {
	out := PartnerService{Kind: ServiceKind(c.Kind), Available: s.Connections.Available(c.Kind), Version: c.Version,
		State: ServiceState(c.State), Reason: ServiceProblem(c.Reason), Since: instantOf(c.Since),
		LastTryAt: instantOf(c.LastTryAt), LastOKAt: instantOf(c.LastOKAt), NextAt: instantOf(c.NextAt),
		DeliverFrom: string(c.DeliverFrom), Settings: ServiceSettings{Address: c.Public.Address, Account: c.Public.Account,
			FleetNumber: c.Public.FleetNumber, Region: c.Public.Region, Folder: c.Public.Folder,
			Confirm: c.Public.Confirm}}
	for _, d := range c.Public.Deliver {
		out.Settings.Deliver = append(out.Settings.Deliver, ServiceDelivery(d))
	}
	if c.Free != drive.Unknown {
		out.Free = &c.Free
	}
	return out
}

type serviceNamed struct {
	Kind ServiceKind `path:"kind"`
}

// ServiceChange is what a partner sets. Without a password the one that is there stays, while address and account do.
type ServiceChange struct {
	Version  int64           `json:"version" minimum:"0" doc:"from which it was changed; 0: not connected"`
	Settings ServiceSettings `json:"settings"`
	Password string          `json:"password,omitempty" maxLength:"2000"`

	Certificate []byte `json:"certificate,omitempty" maxLength:"20000" doc:"of KSeF, PEM or DER"`
	Key         []byte `json:"key,omitempty" maxLength:"20000"`
}

func (s Settings) connectService(ctx context.Context, c web.Call, in *struct {
	Kind ServiceKind `path:"kind"`
	Body ServiceChange
}) (out PartnerService, err error) {
	if in.Kind == ksefKind {
		return s.connectKSeF(ctx, c, &in.Body)
	}
	b := in.Body.Settings
	public := connections.Public{Address: b.Address, Account: b.Account, FleetNumber: b.FleetNumber, Region: b.Region,
		Folder: b.Folder, Confirm: b.Confirm}
	for _, d := range b.Deliver {
		public.Deliver = append(public.Deliver, connections.Delivery(d))
	}
	kind := connections.Kind(in.Kind)
	// The password is in no sum: sums are kept.
	sum, err := web.Sum("connect-service", []any{in.Kind, in.Body.Version, b, in.Body.Password != ""})
	if err != nil {
		return out, err
	}
	return asked(ctx, s, c, sum, func() (keep func(*db.Tx) (PartnerService, error), err error) {
		p, err := s.Connections.Prepare(ctx, c.Actor, kind, connections.Change{Version: in.Body.Version, Public: public,
			Password: in.Body.Password})
		return func(tx *db.Tx) (PartnerService, error) {
			made, err := s.Connections.Keep(tx, p)
			if err == nil {
				err = deliverNow(tx, made)
			}
			return s.shownService(made), err
		}, err
	})
}

func (s Settings) testService(ctx context.Context, c web.Call, in *serviceNamed) (PartnerService, error) {
	if in.Kind == ksefKind {
		return s.testKSeF(ctx, c)
	}
	return asked(ctx, s, c, "test-service "+string(in.Kind), func() (keep func(*db.Tx) (PartnerService, error), err error) {
		tried, err := s.Connections.Try(ctx, c.Actor, connections.Kind(in.Kind))
		return func(tx *db.Tx) (PartnerService, error) {
			found, err := s.Connections.Note(tx, tried)
			if err == nil {
				err = deliverNow(tx, found)
			}
			return s.shownService(found), err
		}, err
	})
}

// asked asks somebody else, outside of units of work, and keeps what came of it; both are done once for a key.
func asked[Out any](ctx context.Context, s Settings, c web.Call, sum string, ask func() (func(*db.Tx) (Out, error), error)) (out Out,
	err error) {
	var known bool
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		out, known, err = web.Answered[Out](tx, c.Key, sum)
		return err
	}); err != nil || known {
		return out, err
	}
	keep, err := ask()
	if err != nil {
		return out, err
	}
	// What the other side was asked is kept though the caller went away.
	err = s.DB.Write(context.WithoutCancel(ctx), c.Actor, func(tx *db.Tx) (err error) {
		out, _, err = web.Once(tx, c.Key, sum, func() (Out, error) { return keep(tx) })
		return err
	})
	return out, err
}

// deliverNow lets what waits go as soon as a drive works.
func deliverNow(tx *db.Tx, c connections.Connection) error {
	if !c.Kind.Drive() || c.State != connections.Working {
		return nil
	}
	return deliveries.Ask(tx, c.Kind)
}

func deliverSince(tx *db.Tx, in *struct {
	Kind ServiceKind `path:"kind"`
	Body struct {
		From string `json:"from" maxLength:"10" doc:"day"`
	}
}) (web.None, error) {
	return web.None{}, deliveries.Since(tx, connections.Kind(in.Kind), calendar.Date(in.Body.From))
}

func (s Settings) fetchNow(tx *db.Tx, in *serviceNamed) (web.None, error) {
	return web.None{}, s.Feeds.Ask(tx, connections.Kind(in.Kind))
}

func (s Settings) removeService(tx *db.Tx, in *serviceNamed) (web.None, error) {
	if in.Kind == ksefKind {
		return web.None{}, s.KSeF.Remove(tx)
	}
	return web.None{}, connections.Remove(tx, connections.Kind(in.Kind))
}

// GoogleConsent is where a person goes on.
type GoogleConsent struct {
	Address string `json:"address"`
}

func (s Settings) googleConsent(tx *db.Tx, _ *nothing) (out GoogleConsent, err error) {
	out.Address, err = s.Connections.GoogleConsent(tx)
	return out, err
}

// googleBack leads whoever comes from Google on to the profile, where they are signed in: what Google gave works for them alone.
func (s Settings) googleBack() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		to := url.Values{"ask": {"connect-drive.google"}}
		if q.Get("error") == "" {
			to.Set("google", q.Get("state")+" "+q.Get("code"))
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		http.Redirect(w, r, s.PublicURL+"/app/profile?"+to.Encode(), http.StatusSeeOther)
	})
}
