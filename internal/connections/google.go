package connections

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/outbound"
)

// GoogleBack is the path to which Google leads whoever let Saldo in.
const GoogleBack = "/api/partner-services/google/callback"

const (
	consentPurpose = "google consent"
	consentMost    = 10 * time.Minute
)

// consent is what a person takes along to Google and back, sealed: nobody else can end what they began, and no other fleet gets their
// drive.
type consent struct {
	Member   string    `json:"member"`
	Verifier string    `json:"verifier"`
	Until    time.Time `json:"until"`
}

// GoogleConsent is the address at which the person lets Saldo into their drive.
func (s *Service) GoogleConsent(tx *db.Tx) (address string, err error) {
	if !s.Available(Google) {
		return "", ErrOff
	}
	c := consent{Member: tx.Actor.ID, Verifier: rand.Text() + rand.Text(), Until: tx.Now.Add(consentMost)}
	sum := sha256.Sum256([]byte(c.Verifier))
	state := s.Vault.Seal(tx.Actor.Tenant, consentPurpose, []byte(db.JSON(c)))
	return s.Google.Consent(s.PublicURL+GoogleBack, state, base64.RawURLEncoding.EncodeToString(sum[:])), nil
}

// letIn makes a lasting token of what Google led back with: the state and the code, divided by a space. It says whose drive it is too.
func (s *Service) letIn(ctx context.Context, who access.Actor, answer string, now time.Time) (token, account string, err error) {
	state, code, _ := strings.Cut(answer, " ")
	text, err := s.Vault.Unseal(who.Tenant, consentPurpose, state)
	var c consent
	if err != nil || json.Unmarshal(text, &c) != nil || c.Member != who.ID || !now.Before(c.Until) {
		return "", "", errDenied
	}
	ctx, stop := context.WithTimeout(ctx, trialMost)
	defer stop()
	client := outbound.Client(s.Allowed, s.Trust, trialMost)
	if token, err = s.Google.Exchange(ctx, client, code, c.Verifier, s.PublicURL+GoogleBack); err != nil {
		return "", "", Refusal(drive.ProblemOf(err))
	}
	if account, err = drive.NewGoogle(s.Google, token, client).Account(ctx); err != nil {
		return "", "", Refusal(drive.ProblemOf(err))
	}
	return token, account, nil
}
