package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Message is what another program sent, whole.
type Message struct {
	Method string
	URL    *url.URL
	Header http.Header
	Body   []byte
}

// Request is the message as a request, for whoever verifies one.
func (m Message) Request(ctx context.Context) *http.Request {
	return (&http.Request{Method: m.Method, URL: m.URL, Header: m.Header, Body: io.NopCloser(bytes.NewReader(m.Body))}).WithContext(ctx)
}

// Hook is an address that another program calls.
type Hook struct {
	Path    string
	Methods []string // none: POST
	Limit   int64    // bytes of a message
	Answer  string   // what the other program wants to read
}

// messageTime is how long a message may take to arrive and to be worked on.
const messageTime = 10 * time.Second

// Webhook registers an address that another program calls: Keycloak, a provider of SMS. It is not in the contract, as the
// other program decides what is sent. Nobody is signed in: h believes nothing before it has verified the message. Whoever gets no
// 200 may send the same message again, so h must do each of them once.
func Webhook(r *Router, hook Hook, h func(context.Context, Message) error) {
	methods := hook.Methods
	if len(methods) == 0 {
		methods = []string{http.MethodPost}
	}
	for _, method := range methods {
		r.mux.HandleFunc(method+" "+hook.Path, func(w http.ResponseWriter, hr *http.Request) { hook.serve(w, hr, h) })
	}
}

func (hook Hook) serve(w http.ResponseWriter, hr *http.Request, h func(context.Context, Message) error) {
	ctx, cancel := context.WithTimeout(hr.Context(), messageTime)
	defer cancel()
	rq := requestOf(ctx)
	rq.route = hr.Method + " " + hook.Path
	w.Header().Set("Cache-Control", "no-store")
	// on a kept connection that has ended meanwhile, as by our restart, a message that is sent once would be lost
	w.Header().Set("Connection", "close")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(messageTime)) // not every writer has one
	body, err := io.ReadAll(http.MaxBytesReader(w, hr.Body, hook.Limit))
	if err == nil {
		err = rq.turns.take(ctx, rq)
	}
	if err == nil {
		err = h(ctx, Message{hr.Method, hr.URL, hr.Header, body})
	}
	if err != nil {
		problem(ctx, err).write(w)
		return
	}
	if hook.Answer != "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, hook.Answer)
}
