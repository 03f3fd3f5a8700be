package ksefd

import (
	"net/http"
	"time"
)

var ofLimits = map[string]func(*call) reply{
	"GET /limits/context": (*call).contextLimits, "GET /rate-limits": (*call).rateLimits,
	"POST /testdata/rate-limits/production": (*call).asProduction,
}

func (c *call) contextLimits() reply {
	one := object{"maxInvoiceSizeInMB": 1, "maxInvoiceWithAttachmentSizeInMB": 3, "maxInvoices": mostInvoices}
	return ok(object{"onlineSession": one, "batchSession": one})
}

func (c *call) rateLimits() reply {
	out := object{}
	for _, group := range []string{"onlineSession", "batchSession", "invoiceSend", "invoiceStatus", "sessionList", "sessionInvoiceList",
		"sessionMisc",
		"invoiceMetadata", "invoiceExport", "invoiceExportStatus", "invoiceDownload", "collectiveIdentifier", "other"} {
		out[group] = object{"perSecond": 5, "perMinute": 10, "perHour": 60} // those of sessionList, which the contract that is kept does not have
	}
	for _, o := range c.contract.Operations {
		if g := o.Group(); out[g] != nil {
			out[g] = object{"perSecond": o.Limits.PerSecond, "perMinute": o.Limits.PerMinute, "perHour": o.Limits.PerHour}
		}
	}
	return ok(out)
}

func (c *call) asProduction() reply {
	c.Limited = true
	return reply{status: http.StatusOK}
}

// Message is one of the lighthouse.
type Message struct {
	ID        string     `json:"id"`
	EventID   int        `json:"eventId"`
	Category  string     `json:"category"`
	Type      string     `json:"type"`
	Title     string     `json:"title"`
	Text      string     `json:"text"`
	Start     time.Time  `json:"start"`
	End       *time.Time `json:"end,omitempty"`
	Version   int        `json:"version"`
	Published time.Time  `json:"published"`
}

// Weather sets what the lighthouse says. It has no contract: this is what the Ministry's clients read.
func (s *Server) Weather(status string, messages ...Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.weather, s.messages = status, append(s.messages, messages...)
}

func (s *Server) lighthouse(r *http.Request) reply {
	if r.Header.Get("Authorization") != "" {
		s.breaches = append(s.breaches, "the lighthouse is shown a token")
	}
	all := append([]Message{}, s.messages...)
	switch r.Method + " " + r.URL.Path {
	case "GET /status":
		return ok(object{"status": s.weather, "messages": all})
	case "GET /messages":
		return ok(all)
	}
	return reply{status: http.StatusNotFound}
}
