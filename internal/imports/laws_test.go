package imports_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// movement is something that happened, as files tell it.
type movement struct {
	day, who, typ, text, external string
	amount                        int
}

// String is the movement as a transaction or as a row that waits.
func (m movement) String() string {
	if last := map[string]string{"oleh@example.com": "Babiak", "anna@example.com": "Cicha"}[m.who]; last != "" {
		provider := "PARTNER"
		if m.external != "" {
			provider = "UBER"
		}
		return fmt.Sprintf("%s %s %s %d00 %s  %s", last, provider, m.typ, m.amount, m.day, m.text)
	}
	return fmt.Sprintf("%s waiting %s %d00 %s", m.who, m.typ, m.amount, m.day)
}

// book is files about one small world, so that rows repeat and files overlap. Where movements have names of their own, a movement
// is one however often files tell it; else equal rows of one file are as many movements.
type book struct {
	named bool
	files [][]movement
}

func newBook(seed uint64, named bool) book {
	random := rand.New(rand.NewPCG(seed, 7))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	world := make([]movement, 4+random.IntN(12))
	for n := range world {
		world[n] = movement{day: fmt.Sprintf("2026-11-%02d", 1+random.IntN(3)), who: pick("oleh@example.com", "anna@example.com", "ghost-1", "ghost-2"), typ: pick("TRIP", "TIP"), amount: 1 + random.IntN(3)}
		if named {
			world[n].external = fmt.Sprint("t-", n)
		} else {
			world[n].text = pick("", "a")
		}
	}
	b := book{named: named, files: make([][]movement, 3+random.IntN(2))}
	for f := range b.files {
		for range 1 + random.IntN(20) {
			b.files[f] = append(b.files[f], world[random.IntN(len(world))])
		}
	}
	return b
}

// content is a file in bytes. Blank lines at its end make it another file with the same rows.
func (b book) content(file, blanks int) (name, content string, o imports.Order) {
	var out strings.Builder
	out.WriteString(head)
	if b.named {
		out.Reset()
		out.WriteString(smallHead + "week\n")
		o.Chosen = "UBER"
	}
	for _, m := range b.files[file] {
		email, id := m.who, ""
		if !strings.Contains(m.who, "@") {
			email, id = "", m.who
		}
		if b.named {
			fmt.Fprintf(&out, "x;%s;;%s;;;%s;;;%s;%d;%s;\n", id, email, m.day, m.typ, m.amount, m.external)
		} else {
			out.WriteString(row(m.day, m.who, "", m.typ, fmt.Sprint(m.amount), m.text))
		}
	}
	return fmt.Sprint(file, ".csv"), out.String() + strings.Repeat("\n", blanks), o
}

// count is how many of each movement one file tells of.
func (b book) count(file int) map[movement]int {
	counts := map[movement]int{}
	for _, m := range b.files[file] {
		if counts[m]++; b.named {
			counts[m] = 1
		}
	}
	return counts
}

// union is what files bring together: of each movement as many as the file has that tells of most; and once more what a file
// brings that was allowed to come twice.
func (b book) union(files []int, twice ...int) string {
	maximum := map[movement]int{}
	for _, f := range files {
		for m, n := range b.count(f) {
			maximum[m] = max(maximum[m], n)
		}
	}
	for _, f := range twice {
		for m, n := range b.count(f) {
			maximum[m] += n
		}
	}
	booked, waiting := []string{}, []string{}
	for m, n := range maximum {
		into := &booked
		if !strings.Contains(m.who, "@") {
			into = &waiting
		}
		for range n {
			*into = append(*into, m.String())
		}
	}
	slices.Sort(booked)
	slices.Sort(waiting)
	return strings.Join(booked, "\n") + "\n--\n" + strings.Join(waiting, "\n")
}

func (w *fixture) remove(t *testing.T, id string) {
	t.Helper()
	testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := imports.Remove(tx, id); return err })
}

// Files in any order bring their union and nothing else; again they bring nothing; allowed to come twice they come twice and say
// of which file; and what is removed leaves everything as it was before it came.
func TestWhateverFilesBringFollowsTheLaws(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		w.driver(t, "Anna", "Cicha", "anna@example.com", "")
		empty := w.state(t)
		for seed := range uint64(4 * testkit.Soak()) {
			b := newBook(seed, seed%2 == 1)
			random := rand.New(rand.NewPCG(seed, 8))
			says := func(what string, files []int, twice ...int) {
				t.Helper()
				same(t, fmt.Sprintf("seed %d, files %v %s", seed, files, what), w.state(t), b.union(files, twice...))
			}
			for range 2 {
				order, ids := random.Perm(len(b.files)), []string{}
				for n, f := range order {
					name, content, o := b.content(f, f)
					ids = append(ids, w.bring(t, name, content, o).ID)
					says("bring their union", order[:n+1])
				}
				at := random.IntN(len(order))
				name, content, o := b.content(order[at], len(b.files))
				again := w.bring(t, name, content, o)
				if c := again.Counts.Transactions; c.Existing != c.All || c.All != int64(len(b.files[order[at]])) {
					t.Errorf("seed %d, again: %+v", seed, c)
				}
				says("bring nothing again", order)
				name, content, o = b.content(order[at], order[at])
				o.AllowDuplicates = true
				twice := w.bring(t, name, content, o)
				same(t, "comes twice and says of which", twice.DuplicateOf, ids[at])
				if warned := w.preview(t, twice.ID).Warnings; !slices.ContainsFunc(warned, func(x pipeline.Warning) bool { return x.Code == pipeline.WarnDuplicate && x.ImportID == ids[at] }) {
					t.Errorf("seed %d: a file that comes twice is shown with %v", seed, warned)
				}
				says("and one of them twice", order, order[at])
				w.remove(t, twice.ID)
				w.remove(t, again.ID)
				for n := len(order) - 1; n >= 0; n-- {
					says("are left", order[:n+1])
					w.remove(t, ids[n])
				}
				same(t, "all removed", w.state(t), empty)
			}
		}
	}, small("UBER", "weekly", "week", nil))
}
