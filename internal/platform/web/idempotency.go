package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"saldo/internal/platform/db"
)

// KeysKept is how long an idempotency key protects from a repeat.
const KeysKept = 7 * 24 * time.Hour

// Sum is the same for the same request: the name of its route and everything
// read from it.
func Sum(route string, in any) (string, error) {
	read, err := json.Marshal(in)
	sum := sha256.Sum256(append([]byte(route+"\n"), read...))
	return hex.EncodeToString(sum[:]), err
}

// Once runs what a key stands for in this unit of work, or gives the answer of
// the unit that ran it before. The same key with another sum is refused.
func Once[Out any](tx *db.Tx, key, sum string, run func() (Out, error)) (out Out, replayed bool, err error) {
	answer, known, err := recall(tx, key, sum)
	if err != nil {
		return out, false, err
	}
	if known {
		return out, true, json.Unmarshal([]byte(answer), &out)
	}
	if out, err = run(); err != nil {
		return out, false, err
	}
	return out, false, remember(tx, key, out)
}

// recall takes the key for this unit of work. If an earlier unit took it, it
// gives back that unit's answer. Twins at the same moment wait for each other:
// the row is what they collide on.
func recall(tx *db.Tx, key, sum string) (answer string, known bool, err error) {
	taken, err := tx.Exec(`INSERT INTO idempotency_keys (tenant_id, actor_id, key, request_sum, answer, created_at)
		VALUES ($1, $2, $3, $4, '', $5) ON CONFLICT DO NOTHING`, tx.Actor.ID, key, sum, tx.Now)
	if err != nil || taken == 1 {
		return "", false, err
	}
	earlier, err := db.One[struct{ RequestSum, Answer string }](tx,
		`SELECT request_sum, answer FROM idempotency_keys WHERE tenant_id = $1 AND actor_id = $2 AND key = $3`, tx.Actor.ID, key)
	if err != nil {
		return "", false, err
	}
	if earlier.RequestSum != sum {
		return "", false, ErrKeyReused
	}
	return earlier.Answer, true, nil
}

// remember keeps the answer in the unit of work that made it.
func remember(tx *db.Tx, key string, out any) error {
	answer, err := json.Marshal(out)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE idempotency_keys SET answer = $4 WHERE tenant_id = $1 AND actor_id = $2 AND key = $3`, tx.Actor.ID, key,
		string(answer))
	return err
}

// SweepKeys forgets keys taken before the instant.
func SweepKeys(tx *db.Tx, before time.Time) error {
	_, err := tx.Across().Exec(`DELETE FROM idempotency_keys WHERE created_at < $1`, before)
	return err
}

// Answered is the answer of an earlier unit to a key, for work that is done outside of units before Once: who asks again gets it without
// that work. Once decides.
func Answered[Out any](tx *db.Tx, key, sum string) (out Out, known bool, err error) {
	earlier, err := db.One[struct{ RequestSum, Answer string }](tx,
		`SELECT request_sum, answer FROM idempotency_keys WHERE tenant_id = $1 AND actor_id = $2 AND key = $3`, tx.Actor.ID, key)
	switch {
	case errors.Is(err, db.ErrNone):
		return out, false, nil
	case err != nil:
		return out, false, err
	case earlier.RequestSum != sum:
		return out, false, ErrKeyReused
	case earlier.Answer == "":
		return out, false, nil
	}
	return out, true, json.Unmarshal([]byte(earlier.Answer), &out)
}
