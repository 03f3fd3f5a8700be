package web

import (
	"context"
	"io"
	"net/http"
	"time"
)

// Message is what another program sent, whole.
type Message struct {
	Header http.Header
	Body   []byte
}

// messageTime is how long a message may take to arrive and to be worked on.
const messageTime = 10 * time.Second

// Webhook registers an address that another program posts to: Keycloak, a payment provider. It is not in the contract, as the
// other program decides what is sent. Nobody is signed in: h believes nothing before it has verified the message. Whoever gets no
// 200 may send the same message again, so h must do each of them once.
func Webhook(r *Router, path string, limit int64, h func(context.Context, Message) error) {
	r.mux.HandleFunc("POST "+path, func(w http.ResponseWriter, hr *http.Request) {
		ctx, cancel := context.WithTimeout(hr.Context(), messageTime)
		defer cancel()
		rq := requestOf(ctx)
		rq.route = "POST " + path
		w.Header().Set("Cache-Control", "no-store")
		// on a kept connection that has ended meanwhile, as by our restart, a message that is sent once would be lost
		w.Header().Set("Connection", "close")
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(messageTime)) // not every writer has one
		body, err := io.ReadAll(http.MaxBytesReader(w, hr.Body, limit))
		if err == nil {
			err = rq.turns.take(ctx, rq)
		}
		if err == nil {
			err = h(ctx, Message{hr.Header, body})
		}
		if err != nil {
			problem(ctx, err).write(w)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
}
