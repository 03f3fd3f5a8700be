package idp

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"saldo/internal/platform/web"
)

// The least that OWASP asks of argon2id; a stored hash with other figures is
// made anew when its owner signs in. Tests have smaller ones (export_test.go).
var (
	memory uint32 = 19456 // KiB
	passes uint32 = 2
)

const (
	lanes       = 1
	saltLength  = 16
	hashLength  = 32
	shortest    = 10
	longest     = 128
	atTheSame   = 2 // hashes at a time: each takes its memory
	contextWord = "saldo"
)

// nobodys is checked for users who do not exist, so that they take as long.
// It has the figures of a real hash and fits no password.
func nobodys() string { return phc(make([]byte, saltLength), make([]byte, hashLength)) }

// phc is the stored form of a hash.
func phc(salt, sum []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, passes, lanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

// errBusy is the answer when too many passwords wait to be checked.
var errBusy = errors.New("idp: too many passwords wait to be checked")

// How many may wait for a hash: of all, and of those whose account or address
// has failed before. The rest are turned away at once.
const (
	mostWaiting  = 100
	mostSuspects = 20
)

// hasher makes and checks password hashes, a few at a time. Suspects have one
// turn among themselves, so that whoever has not failed finds one free.
type hasher struct {
	turns, suspects           chan struct{}
	waiting, waitingSuspected atomic.Int64
}

func newHasher() *hasher {
	return &hasher{turns: make(chan struct{}, atTheSame), suspects: make(chan struct{}, atTheSame-1)}
}

func (h *hasher) turn(ctx context.Context, suspect bool) (leave func(), err error) {
	web.EndTurn(ctx)
	if !suspect {
		return wait(ctx, h.turns, &h.waiting, mostWaiting)
	}
	leaveSuspects, err := wait(ctx, h.suspects, &h.waitingSuspected, mostSuspects)
	if err != nil {
		return nil, err
	}
	leaveAll, err := wait(ctx, h.turns, &h.waiting, mostWaiting)
	if err != nil {
		leaveSuspects()
		return nil, err
	}
	return func() { leaveAll(); leaveSuspects() }, nil
}

func wait(ctx context.Context, turns chan struct{}, waiting *atomic.Int64, maximum int64) (leave func(), err error) {
	defer waiting.Add(-1)
	if waiting.Add(1) > maximum {
		return nil, errBusy
	}
	select {
	case turns <- struct{}{}:
		return func() { <-turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// make hashes a password into its PHC form.
func (h *hasher) make(ctx context.Context, password string) (string, error) {
	leave, err := h.turn(ctx, false)
	if err != nil {
		return "", err
	}
	defer leave()
	salt := make([]byte, saltLength)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	return phc(salt, argon2.IDKey([]byte(password), salt, passes, memory, lanes, hashLength)), nil
}

// check compares a password with a hash. No hash takes as long and is never
// right. stale says that the hash should be made anew.
func (h *hasher) check(ctx context.Context, stored, password string, suspect bool) (right, stale bool, err error) {
	known := stored != ""
	if !known {
		stored = nobodys()
	}
	var version int
	var m, t uint32
	var p uint8
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, false, errors.New("idp: a password is stored in an unknown form")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &m, &t, &p); err != nil {
		return false, false, err
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, false, err
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, false, err
	}
	leave, err := h.turn(ctx, suspect)
	if err != nil {
		return false, false, err
	}
	defer leave()
	sum := argon2.IDKey([]byte(password), salt, t, m, p, uint32(len(want)))
	return subtle.ConstantTimeCompare(sum, want) == 1 && known, m != memory || t != passes || p != lanes, nil
}

//go:embed common-passwords.txt
var commonList string

var common = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(commonList) {
		known[strings.TrimSpace(line)] = true
	}
	return known
})

// weakness says what is wrong with a new password, as the key of a text, or
// nothing. There are no rules of composition: length and not being guessable.
func weakness(password string, about ...string) string {
	switch n := utf8.RuneCountInString(password); {
	case n < shortest:
		return "idp:password.short"
	case n > longest:
		return "idp:password.long"
	}
	small := strings.ToLower(password)
	core := strings.TrimFunc(small, func(r rune) bool { return !unicode.IsLetter(r) })
	if common()[small] || common()[core] || fewLetters(small) {
		return "idp:password.common"
	}
	for _, word := range append(about, contextWord) {
		local, _, _ := strings.Cut(strings.ToLower(word), "@")
		rest := strings.ReplaceAll(small, local, "")
		if len(local) >= 4 && len(rest) < len(small) && utf8.RuneCountInString(rest) < shortest-2 {
			return "idp:password.personal"
		}
	}
	return ""
}

// fewLetters is true for a password made of three different characters or fewer.
func fewLetters(password string) bool {
	seen := map[rune]bool{}
	for _, r := range password {
		seen[r] = true
	}
	return len(seen) <= 3
}
