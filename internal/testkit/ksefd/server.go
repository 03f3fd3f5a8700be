// Package ksefd is a KSeF for tests: it keeps its state, decrypts what it is sent, refuses what KSeF refuses and fails as it does. Every
// call and every answer is checked against the published contract. It knows nothing of how Saldo calls KSeF.
package ksefd

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/testkit/ksefd/contract"
)

// The hosts, which the client of the server finds.
const (
	apiHost     = "api-ksef.example.com"
	storageHost = "storage-ksef.example.com"
	skyHost     = "lighthouse-ksef.example.com"

	clientIP = "127.0.0.1"

	// API, Codes and Lighthouse are the addresses of this environment.
	API        = "https://" + apiHost + "/v2"
	Codes      = "https://qr-ksef.example.com"
	Lighthouse = "https://" + skyHost
)

// Server is one environment of KSeF. Its fields are set before it is called.
type Server struct {
	Limited    bool          // how often it is called is limited, as the contract says
	Lag        time.Duration // until an invoice is stored for good, and exports know of it
	ExportMost int           // invoices of one export
	PartMost   int           // bytes of one part of an export
	Repeat     int           // every so manyth invoice of before is in an export once more; 0: none
	Steps      int           // how often one is answered that something is not done yet

	t        testing.TB
	http     *httptest.Server
	contract *contract.Contract

	mu       sync.Mutex
	ahead    time.Duration
	breaches []string
	seen     []string // operations in the order of the calls
	faults   []*Fault
	ends     map[string][]int
	times    map[string][]time.Time // of calls, by who and group

	keys         []*key
	challenges   map[string]time.Time
	crossed      bool // xmlsec1 has seen a signed request
	logins       map[string]*login
	tokens       map[string]string // KSeF tokens: whose they are
	rights       map[string][]string
	people       map[string]string // PESEL: NIP of their company
	sessions     map[string]*session
	store        []*invoice          // by the time they were stored
	taken        map[string]*invoice // by what two invoices may not share
	exports      map[string]*export
	files        map[string]*file // at the storage
	grants       []*grant
	operations   map[string]*operation
	certificates []*certificate
	collected    map[string]int
	weather      string
	messages     []Message
	counter      int
	tooFast      int
}

// New starts a KSeF. Breaches of the contract that the test has not taken fail it.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{ExportMost: 10_000, PartMost: 50_000_000, t: t, contract: contract.Published(), ends: map[string][]int{},
		times: map[string][]time.Time{}, challenges: map[string]time.Time{}, logins: map[string]*login{}, tokens: map[string]string{},
		rights: map[string][]string{}, people: map[string]string{}, sessions: map[string]*session{}, taken: map[string]*invoice{},
		exports: map[string]*export{},
		files:   map[string]*file{}, operations: map[string]*operation{}, collected: map[string]int{}, weather: "AVAILABLE"}
	s.keys = []*key{newKey(t, s.now(), 0)}
	s.http = httptest.NewUnstartedServer(s)
	s.http.Config.ErrorLog = log.New(io.Discard, "", 0) // of connections that end with the test
	s.http.StartTLS()
	t.Cleanup(func() {
		s.http.Close()
		for _, b := range s.Breaches() {
			t.Errorf("breach of the contract: %s", b)
		}
	})
	return s
}

// Client finds the hosts of the server.
func (s *Server) Client() *http.Client { return s.http.Client() }

func (s *Server) now() time.Time { return time.Now().Add(s.ahead).UTC().Truncate(time.Millisecond) }

// Now is the server's time.
func (s *Server) Now() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now() }

// Advance lets time pass.
func (s *Server) Advance(by time.Duration) { s.mu.Lock(); defer s.mu.Unlock(); s.ahead += by }

// Breaches are those of the contract since it was last asked.
func (s *Server) Breaches() (found []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, s.breaches = s.breaches, nil
	return found
}

// Calls are the operations that were called, uploads and downloads among them, since it was last asked.
func (s *Server) Calls() (seen []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen, s.seen = s.seen, nil
	return seen
}

// TooMany is how many calls came too fast.
func (s *Server) TooMany() int { s.mu.Lock(); defer s.mu.Unlock(); return s.tooFast }

// Fault is what goes wrong with one call.
type Fault struct {
	On       string        // the operation; empty: any
	After    int           // so many calls of it go well before
	Cut      bool          // what was asked for is done, the answer is lost
	Hang     bool          // no answer comes until the caller gives up
	Status   int           // nothing is done: 429, 500, 410, 302 …
	Codes    []int         // of a status 400
	Reason   string        // of a status 403
	Retry    time.Duration // of a status 429
	Bytes    int           // an answer of so many spaces
	Empty    bool          // an object without anything in it
	Spoil    bool          // the answer comes with another last byte
	Location string        // of a status 302
}

// Script adds faults.
func (s *Server) Script(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		s.faults = append(s.faults, &f)
	}
}

// End says how the next things of a kind end that KSeF does by itself: auth, online, batch, invoice, export, permission, certificate.
func (s *Server) End(kind string, codes ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ends[kind] = append(s.ends[kind], codes...)
}

// ending is how something of a kind ends: as the script says, else well.
func (s *Server) ending(kind string) int {
	if len(s.ends[kind]) == 0 {
		return 200
	}
	code := s.ends[kind][0]
	s.ends[kind] = s.ends[kind][1:]
	return code
}

func (s *Server) fault(name string) *Fault {
	for n, f := range s.faults {
		if f.On != "" && f.On != name {
			continue
		}
		if f.After > 0 {
			f.After--
			return nil
		}
		s.faults = slices.Delete(s.faults, n, n+1)
		return f
	}
	return nil
}

type (
	object = map[string]any

	call struct {
		*Server
		op     *contract.Operation
		r      *http.Request
		path   map[string]string
		body   []byte
		who    *login
		bearer string
	}

	reply struct {
		status int
		header http.Header
		value  any    // as JSON
		raw    []byte // of the type in the header
	}
)

// ServeHTTP answers calls of all hosts.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	s.mu.Lock()
	name, serve := s.route(r, content)
	s.seen = append(s.seen, name)
	f := s.fault(name)
	if f != nil && f.Hang {
		s.mu.Unlock()
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
	defer s.mu.Unlock()
	var out reply
	if f == nil || f.Cut || f.Spoil {
		out = serve()
	} else {
		out = s.broken(f)
	}
	if f != nil && f.Cut {
		panic(http.ErrAbortHandler)
	}
	if out.value != nil {
		if out.raw, err = json.Marshal(out.value); err != nil {
			panic(err)
		}
		if out.header.Get("Content-Type") == "" {
			out.header = maps.Clone(out.header)
			if out.header == nil {
				out.header = http.Header{}
			}
			out.header.Set("Content-Type", "application/json")
		}
	}
	if op := s.contract.Operations[name]; op != nil && (f == nil || op.Responses[strconv.Itoa(out.status)] != nil && f.Bytes == 0 &&
		!f.Empty) {
		s.breaches = append(s.breaches, op.Answer(out.status, out.header, out.raw)...)
	}
	if f != nil && f.Spoil && len(out.raw) > 0 {
		out.raw = slices.Clone(out.raw)
		out.raw[len(out.raw)-1] ^= 1
	}
	maps.Copy(w.Header(), out.header)
	w.WriteHeader(out.status)
	_, _ = w.Write(out.raw)
}

// broken is the answer of a fault.
func (s *Server) broken(f *Fault) reply {
	switch {
	case f.Bytes > 0:
		return reply{status: max(f.Status, 200), header: http.Header{"Content-Type": {"application/json"}}, raw: bytes.Repeat([]byte(" "),
			f.Bytes)}
	case f.Empty:
		return reply{status: http.StatusOK, header: http.Header{"Content-Type": {"application/json"}}, raw: []byte("{}")}
	case f.Status == http.StatusBadRequest:
		return s.bad(f.Codes...)
	case f.Status == http.StatusTooManyRequests:
		return s.tooMany(f.Retry)
	case f.Status == http.StatusFound:
		return reply{status: f.Status, header: http.Header{"Location": {f.Location}}}
	case f.Status == http.StatusForbidden:
		return s.forbidden(f.Reason)
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusGone:
		return s.problem(f.Status, nil)
	}
	return reply{status: f.Status, header: http.Header{"Content-Type": {"text/html"}}, raw: []byte("<html>PESEL 44051401359</html>")}
}

// route finds what a call is for.
func (s *Server) route(r *http.Request, content []byte) (string, func() reply) {
	switch r.Host {
	case apiHost:
	case storageHost:
		return r.Method + " storage", func() reply { return s.storage(r, content) }
	case skyHost:
		return r.Method + " lighthouse" + r.URL.Path, func() reply { return s.lighthouse(r) }
	default:
		return "elsewhere", func() reply {
			s.breaches = append(s.breaches, "a call of "+r.Host)
			return reply{status: http.StatusNotFound}
		}
	}
	path, inside := strings.CutPrefix(r.URL.EscapedPath(), "/v2")
	op, values := s.contract.Find(r.Method, path)
	if op == nil || !inside || serves[op.Name] == nil {
		return r.Method + " " + path, func() reply {
			s.breaches = append(s.breaches, r.Method+" "+path+" is not in the contract")
			return reply{status: http.StatusNotFound}
		}
	}
	return op.Name, func() reply {
		c := &call{Server: s, op: op, r: r, path: values, body: content}
		return c.serve()
	}
}

// serves are the operations.
var serves = map[string]func(*call) reply{}

func init() {
	for _, part := range []map[string]func(*call) reply{ofAccess, ofSessions, ofInvoices, ofGrants, ofCertificates, ofLimits} {
		maps.Copy(serves, part)
	}
}

func (c *call) serve() reply {
	c.bearer = strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")
	c.who = c.bearing(c.bearer)
	breaches := c.op.Request(c.r, c.body, c.path)
	c.breaches = append(c.breaches, breaches...)
	if len(c.op.Security) > 0 && c.who == nil {
		return c.problem(http.StatusUnauthorized, nil)
	}
	if wait := c.over(); wait > 0 {
		c.tooFast++
		return c.tooMany(wait)
	}
	if len(breaches) > 0 {
		return c.bad(21405)
	}
	if c.who != nil && c.who.lets(c.bearer) && len(c.who.addresses) > 0 && !slices.Contains(c.who.addresses, clientIP) {
		return c.forbidden("ip-not-allowed")
	}
	if c.who != nil && len(c.op.Permissions) > 0 {
		has := func(p string) bool { return slices.Contains(c.who.rights, p) }
		if !slices.ContainsFunc(c.op.Permissions, has) {
			return c.forbidden("missing-permissions")
		}
	}
	return serves[c.op.Name](c)
}

// over counts a call and says how long the caller has to wait. What is refused counts too.
func (c *call) over() (wait time.Duration) {
	who := strings.Split(c.r.RemoteAddr, ":")[0]
	if c.who != nil {
		who += " " + c.who.nip
	}
	key, now := who+" "+c.op.Group(), c.now()
	c.times[key] = append(c.times[key], now)
	if !c.Limited {
		return 0
	}
	all := c.times[key]
	for span, most := range map[time.Duration]int{time.Second: c.op.Limits.PerSecond, time.Minute: c.op.Limits.PerMinute,
		time.Hour: c.op.Limits.PerHour} {
		if most > 0 && len(all) > most && now.Sub(all[len(all)-1-most]) < span {
			wait = max(wait, span-now.Sub(all[len(all)-most]))
		}
	}
	return wait
}

func (s *Server) bad(codes ...int) reply {
	list := []object{}
	for _, code := range codes {
		list = append(list, object{"code": code, "description": "Błąd", "details": []string{"Dotyczy: Jan Kowalski, PESEL 44051401359"}})
	}
	p := s.problem(http.StatusBadRequest, object{"errors": list, "instance": "/", "traceId": s.trace()})
	return p
}

// problem are details as RFC 9457 has them.
func (s *Server) problem(status int, more object) reply {
	p := object{"title": http.StatusText(status), "status": status, "detail": "Błąd", "timestamp": stamp(s.now()), "instance": "/",
		"traceId": s.trace()}
	maps.Copy(p, more)
	return reply{status: status, header: http.Header{"Content-Type": {"application/problem+json"}}, value: p}
}

func (s *Server) forbidden(reason string) reply {
	return s.problem(http.StatusForbidden, object{"reasonCode": reason})
}

func (s *Server) tooMany(wait time.Duration) reply {
	r := s.problem(http.StatusTooManyRequests, nil)
	r.header.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	return r
}

// former is an error as those get it who do not ask for problem details.
func (c *call) former(codes ...int) reply {
	list := []object{}
	for _, code := range codes {
		list = append(list, object{"exceptionCode": code, "exceptionDescription": "Błąd", "details": []string{"PESEL 44051401359"}})
	}
	return reply{status: http.StatusBadRequest, value: object{"exception": object{"exceptionDetailList": list, "timestamp": stamp(c.now())}}}
}

// bad is an error in the form that the caller asked for.
func (c *call) bad(codes ...int) reply {
	if c.r.Header.Get("X-Error-Format") == "problem-details" {
		return c.Server.bad(codes...)
	}
	return c.former(codes...)
}

func (s *Server) trace() string { return s.id("TR") }

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// id is a reference of 36 characters, as KSeF's are.
func (s *Server) id(kind string) string {
	s.counter++
	random := make([]byte, 6)
	_, _ = rand.Read(random)
	return fmt.Sprintf("%s-%s-%010X-%s-%02X", s.now().Format("20060102"), kind, s.counter, strings.ToUpper(hex.EncodeToString(random)[:10]),
		s.counter%256)
}

func read[T any](c *call) (in T) {
	if err := json.Unmarshal(c.body, &in); err != nil {
		panic(err) // the contract was checked
	}
	return in
}

func ok(value any) reply { return reply{status: http.StatusOK, value: value} }

// status is one of an operation.
func status(code int) object {
	return object{"code": code, "description": "Stan " + strconv.Itoa(code), "details": []string{"Dotyczy: Jan Kowalski"}}
}

// page is a part of a list by pageOffset and pageSize, and whether there is more.
func page[T any](c *call, all []T) (part []T, more bool) {
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(c.r.URL.Query().Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	size := number("pageSize", 10)
	from := min(number("pageOffset", 0)*size, len(all))
	to := min(from+size, len(all))
	return all[from:to:to], to < len(all)
}
