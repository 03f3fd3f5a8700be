package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"

	"saldo/internal/kernel/access"
)

// request is what is known of a request on its way.
type request struct {
	id, route, code, key string
	page                 string // for a person who gets no answer; empty: none
	visitor, agent       string // address and program of whoever asks; never logged
	actor                access.Actor
	log                  *slog.Logger
	turns                *turns // of people who have not signed in
	leave                func() // gives the turn back; nil: there was none
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	if rq, ok := ctx.Value(requestKey{}).(*request); ok {
		return rq
	}
	return &request{actor: access.Nobody(), log: slog.Default()}
}

var (
	cleanID     = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)
	traceparent = regexp.MustCompile(`^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$`)
)

// How long a request may take to arrive, and its answer to leave, where nothing else is said. A phone with a weak line
// gets the web application within it.
const (
	slowest       = 30 * time.Second
	slowestAnswer = 5 * time.Minute
)

// Handler is the whole way in.
func (r *Router) Handler() http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		problem(rq.Context(), ErrCrossOrigin).write(w)
	}))
	return r.observe(r.secure(readable(protection.Handler(r.mux))))
}

// observe gives the request its id and writes its log line. Lines name the
// route, never the address: addresses hold tokens and people.
func (r *Router) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		started := time.Now()
		rq := &request{id: hr.Header.Get("X-Request-Id"), actor: access.Nobody(), log: r.settings.Log, turns: r.turns,
			visitor: Visitor(hr, r.settings.Proxies), agent: strings.ToValidUTF8(hr.UserAgent(), "")}
		if !cleanID.MatchString(rq.id) {
			rq.id = uuid.NewString()
		}
		w.Header().Set("X-Request-Id", rq.id)
		// Nobody holds a connection by sending or reading slowly. An operation that needs longer says so itself.
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(started.Add(slowest))
		_ = control.SetWriteDeadline(started.Add(slowestAnswer))
		seen := &statusWriter{ResponseWriter: w, status: http.StatusOK, request: rq}
		defer rq.endTurn()
		ctx := context.WithValue(hr.Context(), requestKey{}, rq)
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				r.settings.Log.Error("a request panicked", "request", rq.id, "route", rq.route, "panic", p)
				if !seen.wrote {
					problem(ctx, ErrInternal).write(seen)
				}
			}
			took := time.Since(started)
			if rq.route == "" {
				return // the web application, pictures, health: no line each
			}
			r.seconds.WithLabelValues(rq.route, strconv.Itoa(seen.status)).Observe(took.Seconds())
			line := []slog.Attr{slog.String("request", rq.id), slog.String("route", rq.route), slog.Int("status", seen.status),
				slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("actor", rq.actor.ID), slog.String("tenant", rq.actor.Tenant)}
			if rq.code != "" {
				line = append(line, slog.String("code", rq.code))
			}
			if trace := traceparent.FindStringSubmatch(hr.Header.Get("Traceparent")); trace != nil {
				line = append(line, slog.String("trace", trace[1]))
			}
			r.settings.Log.LogAttrs(ctx, slog.LevelInfo, "request", line...)
		}()
		next.ServeHTTP(seen, hr.WithContext(ctx))
	})
}

// policy lets scripts come only from our own files. Styles may stand inline:
// the component library writes them at run time.
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

func (r *Router) secure(next http.Handler) http.Handler {
	policy := policy
	if at := r.settings.SignIn; at != "" {
		policy = strings.Replace(policy, "connect-src 'self'", "connect-src 'self' "+at, 1) + "; frame-src 'self' " + at
	}
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(self), geolocation=(), microphone=(), payment=()")
		if r.settings.Secure {
			h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
		}
		if strings.HasPrefix(rq.URL.Path, "/api/") {
			h.Set("Cache-Control", "no-store")
		}
		next.ServeHTTP(w, rq)
	})
}

// authenticate finds the actor, asks for the permission and sets the limits,
// all before a byte of the body is read.
func (r *Router) authenticate(c huma.Context, next func(huma.Context)) {
	route := c.Operation().Metadata["route"].(Route)
	hr, w := humago.Unwrap(c)
	ctx, cancel := context.WithTimeout(c.Context(), route.Timeout)
	defer cancel()
	rq := requestOf(ctx)
	rq.route = route.Method + " " + route.Path
	if route.Page != nil && strings.Contains(hr.Header.Get("Accept"), "text/html") {
		rq.page = route.Page(hr)
	}
	if route.MissesPerMinute > 0 {
		who := rq.route + " " + Visitor(hr, r.settings.Proxies)
		if r.misses.over(who, route.MissesPerMinute, time.Now()) {
			w.Header().Set("Retry-After", "60")
			problem(ctx, ErrTooMany).write(w)
			return
		}
		defer func() {
			if rq.code != "" {
				r.misses.add(who, time.Now())
			}
		}()
	}
	if route.Permission != access.Public {
		scheme, token, _ := strings.Cut(c.Header("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || token == "" {
			problem(ctx, ErrUnauthenticated).write(w)
			return
		}
		actor, err := r.settings.Authenticate(ctx, token)
		if err != nil {
			problem(ctx, err).write(w)
			return
		}
		rq.actor = actor
	}
	if !rq.actor.May(route.Permission) {
		problem(ctx, ErrForbidden).write(w)
		return
	}
	if route.Fresh {
		if err := FreshLogin(rq.actor, r.settings.DB.Now()); err != nil {
			problem(ctx, err).write(w)
			return
		}
	}
	if route.Personal {
		rq.actor = rq.actor.AsDriver()
	}
	deadline := time.Now().Add(route.Timeout)
	control := http.NewResponseController(w)
	// the server has no deadlines of its own: a large upload may take longer than a small answer
	_ = control.SetReadDeadline(deadline)
	_ = control.SetWriteDeadline(deadline.Add(5 * time.Second))
	hr.Body = http.MaxBytesReader(w, hr.Body, route.BodyLimit)
	if route.Permission == access.Public {
		received(hr)
		if err := rq.turns.take(ctx, rq); err != nil {
			problem(ctx, err).write(w)
			return
		}
	}
	if n := unknownParameters(c.Operation(), hr.URL.RawQuery); n > 0 {
		problem(ctx, ErrInvalid.With("unknownParameters", n)).write(w)
		return
	}
	if c.Operation().Metadata["keyed"].(bool) {
		rq.key = c.Header("Idempotency-Key")
		if rq.key == "" || len(rq.key) > 255 {
			problem(ctx, ErrKeyRequired).write(w)
			return
		}
	}
	within := huma.WithContext(c, ctx)
	copied, _ := humago.Unwrap(within)
	defer func() {
		// the server sweeps up only after the request that it made itself, and this one is a copy
		if copied.MultipartForm != nil {
			_ = copied.MultipartForm.RemoveAll()
		}
	}()
	next(within)
}

// unknownParameters counts what a query says that the operation does not ask
// for. It names none: a name is the caller's text, and there may be thousands.
func unknownParameters(op *huma.Operation, query string) (count int) {
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if pair == "" {
			continue
		}
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil || !slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == name }) {
			count++
		}
	}
	return count
}

// statusWriter remembers what was answered.
type statusWriter struct {
	http.ResponseWriter
	status  int
	wrote   bool
	request *request
}

func (w *statusWriter) WriteHeader(status int) {
	w.status, w.wrote = status, true
	w.request.endTurn()
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	w.wrote = true
	w.request.endTurn()
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
