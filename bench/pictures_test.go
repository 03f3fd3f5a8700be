//go:build bench

package bench

import (
	"fmt"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"saldo/internal/invoices/ocr"
	"saldo/internal/testkit"
)

// TestReadingPictures says what a page costs: processor time of this process, which prepares it, and of saldo-reader, and its memory.
func TestReadingPictures(t *testing.T) {
	program := ocr.Program{Path: filepath.Join(testkit.Root(t), "bin", "reader", "saldo-reader")}
	if _, err := os.Stat(program.Path); err != nil {
		fmt.Println("| reading pictures: not measured, bin/reader is not here (make reader) | | | | |")
		return
	}
	used := func(who int) (time.Duration, int64) {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			t.Fatal(err)
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano()), r.Maxrss / 1024
	}
	for _, name := range []string{"receipt.jpg", "turned.jpg"} {
		file, err := os.Open(filepath.Join(testkit.Root(t), "internal", "invoices", "ocr", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := jpeg.Decode(file)
		_ = file.Close()
		if err != nil {
			t.Fatal(err)
		}
		var own, reader []time.Duration
		for range 5 {
			ownBefore, _ := used(syscall.RUSAGE_SELF)
			before, _ := used(syscall.RUSAGE_CHILDREN)
			if _, err := ocr.Read(t.Context(), program, picture); err != nil {
				t.Fatal(err)
			}
			ownAfter, _ := used(syscall.RUSAGE_SELF)
			after, _ := used(syscall.RUSAGE_CHILDREN)
			own, reader = append(own, ownAfter-ownBefore), append(reader, after-before)
		}
		slices.Sort(own)
		slices.Sort(reader)
		_, memory := used(syscall.RUSAGE_CHILDREN)
		fmt.Printf("| processor time of a picture (%s), median of 5: preparing it and reading it | %.2f s and %.1f s | | | |\n",
			name, own[2].Seconds(), reader[2].Seconds())
		fmt.Printf("| most memory of saldo-reader until then | %d MB | goal 600 MB | | |\n", memory)
	}
}
