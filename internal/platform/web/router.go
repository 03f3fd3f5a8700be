// Package web is the way from an HTTP request to a unit of work and back:
// request id and log line, authenticate, permission, limits and validation,
// idempotency key, unit of work, fault or JSON; in this order, for every route.
package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
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
	Tagged             bool          // answers with an ETag, and 304 to whoever has the same answer already
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
	config.Security = []map[string][]string{{"bearer": {}}}
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

// problemRef is the answer of every operation that fails.
const problemRef = "#/components/responses/Problem"

// Read registers an operation that only reads, on one snapshot.
func Read[In, Out any](r *Router, route Route, h func(*db.Tx, *In) (Out, error)) {
	register(r, route, false, reflect.TypeFor[answer[Out]](), func(ctx context.Context, in *In) (any, bool, error) {
		return reading(ctx, r.settings.DB, requestOf(ctx).actor, func(tx *db.Tx) (any, error) { return h(tx, in) })
	})
}

// Write registers an operation that changes something, in one serial unit of
// work, once for each idempotency key.
func Write[In, Out any](r *Router, route Route, h func(*db.Tx, *In) (Out, error)) {
	register(r, route, true, reflect.TypeFor[answer[Out]](), func(ctx context.Context, in *In) (any, bool, error) {
		return writing(ctx, r.settings.DB, requestOf(ctx).actor, route.Name, in, func(tx *db.Tx) (Out, error) { return h(tx, in) })
	})
}

func reading(ctx context.Context, d *db.DB, who access.Actor, h func(*db.Tx) (any, error)) (out any, _ bool, err error) {
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
	register(r, route, !reads, reflect.TypeFor[answer[Out]](), func(ctx context.Context, in *In) (any, bool, error) {
		driver := requestOf(ctx).actor
		do := func(tx *db.Tx) (Out, error) { return h(tx, driver, in) }
		if reads {
			return reading(ctx, r.settings.DB, DriverScope(driver), func(tx *db.Tx) (any, error) { return do(tx) })
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
	register(r, route, route.Method != http.MethodGet && route.Permission != access.Public, reflect.TypeFor[answer[Out]](),
		func(ctx context.Context, in *In) (any, bool, error) {
			rq := requestOf(ctx)
			out, err := h(ctx, Call{rq.actor, rq.key, rq.visitor, rq.agent}, in)
			return out, false, err
		})
}

// answer is what the contract says of operations that answer Out.
type answer[Out any] struct{ Body Out }

// written is what every operation gives to huma: huma.Register is a long function that the compiler makes anew for each pair of types,
// so the answers of all operations have one.
type written struct{ Body func(huma.Context) }

// register adds an operation that answers what an answer describes.
func register[In any](r *Router, route Route, keyed bool, described reflect.Type, run func(context.Context, *In) (any, bool, error)) {
	op := r.operation(route, keyed)
	r.describe(&op, described.Field(0), keyed)
	huma.Register(r.api, op, func(ctx context.Context, in *In) (*written, error) {
		if name := uncleanField(reflect.ValueOf(in), ""); name != "" {
			return nil, problem(ctx, unclean(name))
		}
		answer, replayed, err := run(ctx, in)
		if err != nil {
			return nil, problem(ctx, err)
		}
		return &written{func(hc huma.Context) { r.write(hc, op.DefaultStatus, replayed, answer, route.Tagged) }}, nil
	})
}

// describe sets the status and the contract of a good answer.
func (r *Router) describe(op *huma.Operation, body reflect.StructField, keyed bool) {
	good := &huma.Response{Headers: map[string]*huma.Param{}}
	switch {
	case body.Type == reflect.TypeFor[None]():
		op.DefaultStatus = http.StatusNoContent
	case body.Type.Kind() != reflect.Func:
		schema := huma.SchemaFromField(r.api.OpenAPI().Components.Schemas, body, op.OperationID+"Response")
		good.Content = map[string]*huma.MediaType{"application/json": {Schema: schema}}
	}
	if op.DefaultStatus == 0 {
		op.DefaultStatus = http.StatusOK
	}
	if keyed || op.DefaultStatus == http.StatusNoContent {
		good.Headers[replayed] = &huma.Param{Ref: replayedRef}
	}
	good.Description = http.StatusText(op.DefaultStatus)
	op.Responses[strconv.Itoa(op.DefaultStatus)] = good
}

// write sends the answer of an operation. One that is a function writes by itself.
func (r *Router) write(hc huma.Context, status int, again bool, answer any, tagged bool) {
	if again {
		hc.SetHeader(replayed, "true")
	}
	if write, ok := answer.(func(huma.Context)); ok {
		write(hc)
		return
	}
	if status == http.StatusNoContent {
		hc.SetStatus(status)
		return
	}
	kind, err := r.api.Negotiate(hc.Header("Accept"))
	if err != nil {
		panic(err) // not in the configuration of NewRouter: what nobody can read is sent as JSON
	}
	if tagged {
		r.writeTagged(hc, status, kind, answer)
		return
	}
	hc.SetHeader("Content-Type", kind)
	hc.SetStatus(status)
	if err := r.api.Marshal(hc.BodyWriter(), kind, answer); err != nil && hc.Context().Err() == nil {
		panic(fmt.Errorf("the answer of %s cannot be written: %w", hc.Operation().OperationID, err))
	}
}

// writeTagged sends an answer with its sum as ETag, or nothing where whoever asks has the same already. The sum is that of the answer and
// not of a counter of changes: it cannot be older than the last write, whoever wrote, and no two writers wait for one row.
func (r *Router) writeTagged(hc huma.Context, status int, kind string, answer any) {
	var text bytes.Buffer
	if err := r.api.Marshal(&text, kind, answer); err != nil {
		panic(fmt.Errorf("the answer of %s cannot be written: %w", hc.Operation().OperationID, err))
	}
	sum := sha256.Sum256(text.Bytes())
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	hc.SetHeader("ETag", tag)
	for known := range strings.SplitSeq(hc.Header("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(known), "W/") == tag {
			hc.SetStatus(http.StatusNotModified)
			return
		}
	}
	hc.SetHeader("Content-Type", kind)
	hc.SetStatus(status)
	_, _ = hc.BodyWriter().Write(text.Bytes()) // whoever asked may be gone
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
		Responses: map[string]*huma.Response{"default": {Ref: problemRef}},
		Metadata:  map[string]any{"route": route, "keyed": keyed},
	}
	if route.MissesPerMinute > 0 || route.Mails {
		op.Responses["429"] = &huma.Response{Ref: problemRef}
	}
	if route.Tagged {
		op.Responses["304"] = &huma.Response{Description: http.StatusText(http.StatusNotModified)}
	}
	if route.Fresh {
		op.Description = "Needs a sign-in of the last five minutes."
	}
	if route.Permission == access.Public {
		op.Security = []map[string][]string{{}} // none of those that all others need
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
