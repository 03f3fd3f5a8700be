package purchases

import (
	"time"

	"saldo/internal/platform/jobs"
)

// Handlers are those of the jobs, by their kind.
func Handlers(s *Service) map[string]jobs.Handler {
	return map[string]jobs.Handler{LookKind: s.look, FetchKind: s.fetch, ParcelKind: s.parcel}
}

// SlotOf is the slot of an instant.
func SlotOf(s *Service, at time.Time, tenant string, r Role) string { return s.slot(at, tenant, r) }
