package orders

import (
	"context"

	"saldo/internal/kernel/access"
)

type Paying struct {
	State State
	URL   string
}

func (s *Service) Pay(ctx context.Context, who access.Actor, key, id, provider string) (Paying, error) {
	return Paying{}, ErrClosed
}

func (s *Service) Retry(ctx context.Context, who access.Actor, key, id, provider string) (Paying, error) {
	return Paying{}, ErrClosed
}

func (s *Service) Cancel(ctx context.Context, who access.Actor, key, id string) (Paying, error) {
	return Paying{}, ErrClosed
}
