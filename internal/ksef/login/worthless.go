package login

import (
	"context"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// Forget is for whom KSeF refuses a token that Client gave: the next one is another.
func (s *Service) Forget(ctx context.Context, who access.Actor) error {
	return s.DB.Read(ctx, who, func(tx *db.Tx) error {
		r, err := s.rowOf(tx)
		if err == nil {
			s.drop(r.ID)
		}
		return err
	})
}
