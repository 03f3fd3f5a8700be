// Package web is the way from an HTTP request to a unit of work and back:
// request id and log line, authenticate, permission, limits and validation,
// idempotency key, unit of work, fault or JSON; in this order, for every route.
package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// Settings are what a router needs.
type Settings struct {
	DB      *db.DB
	Log     *slog.Logger
	Metrics prometheus.Registerer
	Secure  bool // the public address is https

	Proxies []netip.Prefix // whose word on a visitor's address is believed

	// SignIn is the origin of an identity provider at another address, which
	// the application may ask and frame; empty: there is none.
	SignIn string

	// Authenticate turns a bearer token into an actor, or fails.
	Authenticate func(ctx context.Context, token string) (access.Actor, error)
}

// Route is one operation. Name is its name in the contract.
type Route struct {
	Method, Path, Name string
	Permission         access.Permission
	Summary            string
	Status             int           // of a good answer; zero: 200, or 204 without one
	BodyLimit          int64         // bytes; zero: 1 MiB
	Timeout            time.Duration // of the whole operation; zero: 30 s
	Mails              bool          // it may write mails, and is refused where too many are asked for
	MissesPerMinute    int           // rate limit of requests that find nothing, for one address; zero: none
	Fresh              bool          // needs a sign-in of the last minutes: it changes where money goes, or who decides on it
	Personal           bool          // works on what is the driver's alone, with or without a partner
	// Page is where a browser goes that opened the address itself and gets no answer: people read pages. Nil: nowhere.
	Page func(*http.Request) string
}

// None is the answer of an operation that has nothing to say.
type None struct{}

// Router holds the routes and serves them.
type Router struct {
	settings Settings
	mux      *http.ServeMux
	api      huma.API
	routes   []Route
	seconds  *prometheus.HistogramVec
	misses   misses
	turns    *turns
}

// NewRouter makes a router without routes.
func NewRouter(s Settings) *Router {
	r := &Router{settings: s, mux: http.NewServeMux(), turns: newTurns()}
	config := huma.DefaultConfig("Saldo", "1")
	// no $schema fields, no documentation page from somebody else's server
	config.CreateHooks, config.DocsPath, config.SchemasPath, config.OpenAPIPath = nil, "", "", ""
	config.Formats = maps.Clone(config.Formats)
	for kind, format := range config.Formats {
		if strings.HasSuffix(kind, "json") {
			config.Formats[kind] = jsonText(format)
		}
	}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer", BearerFormat: "JWT"}}
	r.api = humago.New(r.mux, config)
	r.api.UseMiddleware(r.authenticate)
	r.api.OpenAPI().Components.Responses = map[string]*huma.Response{"Problem": {
		Description: "What is wrong, in a code that the interface has a text for",
		Content: map[string]*huma.MediaType{"application/problem+json": {
			Schema: r.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")}},
	}}
	r.api.OpenAPI().Components.Parameters = map[string]*huma.Param{"IdempotencyKey": {
		Name: "Idempotency-Key", In: "header", Schema: &huma.Schema{Type: huma.TypeString, MinLength: new(1), MaxLength: new(255)},
		Description: "Needed. Made once for each thing a person does and sent again with every retry: " +
			"a repeat changes nothing and answers the same.",
	}}
	r.api.OpenAPI().Components.Headers = map[string]*huma.Header{"Replayed": {Schema: &huma.Schema{Type: huma.TypeString},
		Description: "true when this is the stored answer of an earlier request with the same key"}}
	r.seconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "saldo_http_request_seconds", Help: "Time to answer requests.",
		Buckets: []float64{.001, .005, .01, .05, .1, .5, 1, 5, 30},
	}, []string{"route", "status"})
	s.Metrics.MustRegister(r.seconds)
	r.mux.HandleFunc("/api/", r.noRoute)
	return r
}

// Handle serves what is not an operation: the web application, pictures, health.
func (r *Router) Handle(pattern string, h http.Handler) { r.mux.Handle(pattern, h) }

// Routes lists the registered operations.
func (r *Router) Routes() []Route { return slices.Clone(r.routes) }

// Contract is the OpenAPI description of all operations, the same bytes for
// the same routes. What many operations share is described once and referred to.
func (r *Router) Contract() ([]byte, error) {
	for _, item := range r.api.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op != nil {
				r.refer(op)
			}
		}
	}
	contract, err := json.Marshal(r.api.OpenAPI())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = lay(&out, contract, 0)
	out.WriteByte('\n')
	return out.Bytes(), err
}

// lineMost is how long a line of the contract may be before what stands on it is spread over several.
const lineMost = 230

// lay writes JSON so that changes can be read: what fits stands on one line, and so do lists of words; else each entry has its own.
func lay(out *bytes.Buffer, text json.RawMessage, depth int) error {
	if depth+len(text) <= lineMost || text[0] != '{' && !bytes.HasPrefix(text, []byte("[{")) {
		out.Write(text)
		return nil
	}
	read := json.NewDecoder(bytes.NewReader(text))
	if _, err := read.Token(); err != nil {
		return err
	}
	begin := "\n" + strings.Repeat(" ", depth+1)
	out.WriteByte(text[0])
	for first := true; read.More(); first = false {
		if !first {
			out.WriteByte(',')
		}
		out.WriteString(begin)
		if text[0] == '{' {
			name, err := read.Token()
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%q: ", name)
		}
		var value json.RawMessage
		if err := read.Decode(&value); err != nil {
			return err
		}
		if err := lay(out, value, depth+1); err != nil {
			return err
		}
	}
	out.WriteString(begin[:len(begin)-1])
	out.WriteByte(text[len(text)-1])
	return nil
}

const (
	keyRef      = "#/components/parameters/IdempotencyKey"
	idRef       = "#/components/parameters/ID"
	replayed    = "Idempotency-Replayed"
	replayedRef = "#/components/headers/Replayed"
)

// refer puts references in the place of the parameters and headers that many operations have.
func (r *Router) refer(op *huma.Operation) {
	for i, p := range op.Parameters {
		if p.Name == "id" && p.In == "path" && p.Description == "" && p.Schema.MaxLength != nil && *p.Schema.MaxLength == 64 {
			r.api.OpenAPI().Components.Parameters["ID"] = p
			op.Parameters[i] = &huma.Param{Ref: idRef}
		}
	}
	for _, answer := range op.Responses {
		if answer.Headers[replayed] != nil {
			answer.Headers[replayed] = &huma.Param{Ref: replayedRef}
		}
	}
}

// problemRef is the answer of every operation that fails.
const problemRef = "#/components/responses/Problem"

// Read registers an operation that only reads, on one snapshot.
func Read[In, Out any](r *Router, route Route, h func(*db.Tx, *In) (Out, error)) {
	register(r, route, false, func(ctx context.Context, in *In) (Out, bool, error) {
		return reading(ctx, r.settings.DB, requestOf(ctx).actor, func(tx *db.Tx) (Out, error) { return h(tx, in) })
	})
}

// Write registers an operation that changes something, in one serial unit of
// work, once for each idempotency key.
func Write[In, Out any](r *Router, route Route, h func(*db.Tx, *In) (Out, error)) {
	register(r, route, true, func(ctx context.Context, in *In) (Out, bool, error) {
		return writing(ctx, r.settings.DB, requestOf(ctx).actor, route.Name, in, func(tx *db.Tx) (Out, error) { return h(tx, in) })
	})
}

func reading[Out any](ctx context.Context, d *db.DB, who access.Actor, h func(*db.Tx) (Out, error)) (out Out, _ bool, err error) {
	err = d.Read(ctx, who, func(tx *db.Tx) error {
		out, err = h(tx)
		return err
	})
	return out, false, err
}

func writing[In, Out any](ctx context.Context, d *db.DB, who access.Actor, route string, in *In,
	h func(*db.Tx) (Out, error)) (out Out, replayed bool, err error) {
	sum, err := Sum(route, in)
	if err != nil {
		return out, false, err
	}
	err = d.Write(ctx, who, func(tx *db.Tx) (err error) {
		out, replayed, err = Once(tx, requestOf(ctx).key, sum, func() (Out, error) { return h(tx) })
		return err
	})
	return out, replayed, err
}

// DriverScope is the program on behalf of a driver, who belongs to two tenants.
func DriverScope(driver access.Actor) access.Actor {
	return access.ProgramFor(driver.Person, "accounts")
}

// Driver registers an operation of a driver, who belongs to two tenants: their own, and the chosen partner's. It runs in one unit
// of work of the program, which h gives to the driver in either tenant by tx.As. A GET reads on one snapshot; everything else is
// done once for each idempotency key.
func Driver[In, Out any](r *Router, route Route, h func(*db.Tx, access.Actor, *In) (Out, error)) {
	route.Personal = true
	reads := route.Method == http.MethodGet
	register(r, route, !reads, func(ctx context.Context, in *In) (Out, bool, error) {
		driver := requestOf(ctx).actor
		do := func(tx *db.Tx) (Out, error) { return h(tx, driver, in) }
		if reads {
			return reading(ctx, r.settings.DB, DriverScope(driver), do)
		}
		return writing(ctx, r.settings.DB, DriverScope(driver), route.Name, in, do)
	})
}

// Call is what a Plain operation knows of its request.
type Call struct {
	Actor access.Actor
	Key   string // the idempotency key; empty for an operation that changes nothing

	Address, Agent string // where the request comes from, and the program that sent it, as it names itself
}

// Plain registers an operation that opens its own units of work: an upload, a
// download, a sign-in. One that changes something does so within Once.
func Plain[In, Out any](r *Router, route Route, h func(ctx context.Context, c Call, in *In) (Out, error)) {
	register(r, route, route.Method != http.MethodGet && route.Permission != access.Public,
		func(ctx context.Context, in *In) (Out, bool, error) {
			rq := requestOf(ctx)
			out, err := h(ctx, Call{rq.actor, rq.key, rq.visitor, rq.agent}, in)
			return out, false, err
		})
}

type answer[Out any] struct {
	Replayed string `header:"Idempotency-Replayed"`
	Body     Out
}

type read[Out any] struct{ Body Out }

type noContent struct {
	Replayed string `header:"Idempotency-Replayed"`
}

func register[In, Out any](r *Router, route Route, keyed bool, run func(context.Context, *In) (Out, bool, error)) {
	op := r.operation(route, keyed)
	call := func(ctx context.Context, in *In) (out Out, _ string, _ error) {
		if name := uncleanField(reflect.ValueOf(in), ""); name != "" {
			return out, "", problem(ctx, unclean(name))
		}
		out, replayed, err := run(ctx, in)
		if err != nil {
			return out, "", problem(ctx, err)
		}
		if replayed {
			return out, "true", nil
		}
		return out, "", nil
	}
	if reflect.TypeFor[Out]() == reflect.TypeFor[None]() {
		op.DefaultStatus = http.StatusNoContent
		huma.Register(r.api, op, func(ctx context.Context, in *In) (*noContent, error) {
			_, replayed, err := call(ctx, in)
			if err != nil {
				return nil, err
			}
			return &noContent{replayed}, nil
		})
		return
	}
	if !keyed {
		huma.Register(r.api, op, func(ctx context.Context, in *In) (*read[Out], error) {
			out, _, err := call(ctx, in)
			if err != nil {
				return nil, err
			}
			return &read[Out]{out}, nil
		})
		return
	}
	huma.Register(r.api, op, func(ctx context.Context, in *In) (*answer[Out], error) {
		out, replayed, err := call(ctx, in)
		if err != nil {
			return nil, err
		}
		return &answer[Out]{replayed, out}, nil
	})
}

func (r *Router) operation(route Route, keyed bool) huma.Operation {
	if !access.Known(route.Permission) {
		panic("web: " + route.Method + " " + route.Path + " has no permission")
	}
	if route.Method != http.MethodGet && !keyed && route.Permission != access.Public {
		panic("web: " + route.Method + " " + route.Path + " changes something and is registered as reading")
	}
	if route.BodyLimit == 0 {
		route.BodyLimit = 1 << 20
	}
	if route.Timeout == 0 {
		route.Timeout = 30 * time.Second
	}
	r.routes = append(r.routes, route)
	op := huma.Operation{
		OperationID: route.Name, Method: route.Method, Path: route.Path, Summary: route.Summary,
		DefaultStatus: route.Status, MaxBodyBytes: route.BodyLimit + 1,
		Responses: map[string]*huma.Response{"4XX": {Ref: problemRef}, "5XX": {Ref: problemRef}},
		Metadata:  map[string]any{"route": route, "keyed": keyed},
	}
	if route.MissesPerMinute > 0 || route.Mails {
		op.Responses["429"] = &huma.Response{Ref: problemRef}
	}
	if route.Fresh {
		op.Description = "Needs a sign-in of the last five minutes."
	}
	if route.Permission != access.Public {
		op.Security = []map[string][]string{{"bearer": {}}}
	}
	if keyed {
		op.Parameters = []*huma.Param{{Ref: keyRef}}
	}
	return op
}

// noRoute answers addresses under /api/ that no operation has.
func (r *Router) noRoute(w http.ResponseWriter, rq *http.Request) {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		other := rq.Clone(rq.Context())
		other.Method = method
		if _, pattern := r.mux.Handler(other); pattern != "/api/" {
			problem(rq.Context(), ErrMethod.With("method", rq.Method)).write(w)
			return
		}
	}
	problem(rq.Context(), ErrNoRoute).write(w)
}
