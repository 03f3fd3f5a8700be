//go:build bench

package bench

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"saldo/internal/kernel/calendar"
)

// yearOfTrips is a file of a year of 2,000 drivers in order of days: every row changes a sum of its day and of its driver's week.
func yearOfTrips(t *testing.T, rows int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "year.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, "date;driver_identifier;driver_name;app;type;amount;currency;payment_method;description;document_number")
	for i := range rows {
		driver := i % statsDrivers
		fmt.Fprintf(w, "%s;%s;Jan Kowalski %04d;PARTNER;%s;%d,%02d;PLN;card;Kurs nocny, ul. Marszałkowska 12 lok. %d, Warszawa, numer %d;FV/%d/25\n",
			calendar.Date("2025-10-06").AddDays(i*364/rows), phone(driver), driver, []string{"TRIP", "BONUS", "TIP"}[i%3], 1+i%90, i%100, i%400, i, i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// ticks is how long a process was busy, in hundredths of a second; with its children that ended where it has some.
func ticks(t *testing.T, pid int, children bool) (sum int64) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // it has ended meanwhile
	}
	fields := strings.Fields(string(stat[strings.LastIndex(string(stat), ")")+1:]))
	last := 12
	if children {
		last = 14
	}
	for _, field := range fields[11 : last+1] {
		var n int64
		_, _ = fmt.Sscan(field, &n)
		sum += n
	}
	return sum
}

// serverTicks are those of the whole PostgreSQL behind a database: its first process, those that ended, and those that run.
func serverTicks(t *testing.T, p *program) (sum int64) {
	t.Helper()
	if p.database == "" {
		return 0
	}
	connection := pool(t, "postgres", &house{database: p.database})
	defer connection.Close()
	var backend int
	if err := connection.QueryRow("SELECT pg_backend_pid()").Scan(&backend); err != nil {
		t.Fatal(err)
	}
	parent := func(pid int) (of int) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil {
			_, _ = fmt.Sscan(strings.Fields(string(stat[strings.LastIndex(string(stat), ")")+1:]))[1], &of)
		}
		return of
	}
	first := parent(backend)
	sum = ticks(t, first, true)
	all, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range all {
		var pid int
		if _, err := fmt.Sscan(entry.Name(), &pid); err == nil && parent(pid) == first {
			sum += ticks(t, pid, false)
		}
	}
	return sum
}

// The seconds of processor, of the program and its database, that importing a year takes. With SALDO_BENCH_BINARY it is those of another
// build: one whose ledger.Totals counts nothing tells what keeping sums costs.
func TestImportOfAYear(t *testing.T) {
	n := importRows(t)
	file := yearOfTrips(t, n)
	for _, engine := range engines() {
		for round := range rounds() {
			p := serve(t, engine)
			before := serverTicks(t, p)
			took := seconds(t, func() error { p.confirm(t, p.upload(t, file, "PARTNER")); return nil })
			own := ticks(t, p.process.Process.Pid, false)
			server := serverTicks(t, p) - before
			p.stop()
			fmt.Printf("| import of a year of %d rows, %s, round %d | %.2f s of processor, of them %.2f s of PostgreSQL | %.1f s by the clock | | |\n", n,
				engine, round+1, float64(own+server)/100, float64(server)/100, took)
		}
	}
}
