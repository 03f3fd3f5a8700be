package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"saldo/internal/ksef"
)

var (
	errNumber = errors.New("ksef: this is no number of KSeF")
	errNoSky  = errors.New("ksef: this environment has no lighthouse")
)

// Weather is whether KSeF works.
type Weather string

// The kinds of weather.
const (
	Available    Weather = "AVAILABLE"
	Maintenance  Weather = "MAINTENANCE"
	Failure      Weather = "FAILURE"
	TotalFailure Weather = "TOTAL_FAILURE"
)

// Notice is what the lighthouse announces: that maintenance is to come, that a failure has begun or ended.
type Notice struct {
	ID       string     `json:"id"`
	Event    int        `json:"eventId"`
	Category Weather    `json:"category"`
	Type     string     `json:"type"`
	Title    string     `json:"title"`
	Text     string     `json:"text"`
	Start    time.Time  `json:"start"`
	End      *time.Time `json:"end"`
	Version  int        `json:"version"`
}

// Weather asks the lighthouse. What it says that is not known is an error, never good weather.
func (c Client) Weather(ctx context.Context) (Weather, []Notice, error) {
	var got struct {
		Status   Weather  `json:"status"`
		Messages []Notice `json:"messages"`
	}
	if err := c.sky(ctx, "/status", &got); err != nil {
		return "", nil, err
	}
	switch got.Status {
	case Available, Maintenance, Failure, TotalFailure:
		return got.Status, got.Messages, nil
	}
	return "", nil, &Said{HTTP: http.StatusOK, Reason: reasonUnreadable}
}

// Notices are all that the lighthouse announces.
func (c Client) Notices(ctx context.Context) (all []Notice, err error) {
	err = c.sky(ctx, "/messages", &all)
	return all, err
}

func (c Client) sky(ctx context.Context, path string, answer any) error {
	if c.Lighthouse == "" {
		return errNoSky
	}
	c.Env = ksef.Env{API: c.Lighthouse}
	c.Pace = nil // the lighthouse counts for itself
	content, _, err := c.content(ctx, request{method: http.MethodGet, path: path, public: true}, mostAnswer)
	if err == nil && json.Unmarshal(content, answer) != nil {
		err = &Said{HTTP: http.StatusOK, Reason: reasonUnreadable}
	}
	return err
}
