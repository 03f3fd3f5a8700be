//go:build bench

package bench

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// TestUploads says how much memory the server takes while 200 invoices are uploaded, eight at a time, and read: PDFs, and photos that
// nothing here reads.
func TestUploads(t *testing.T) {
	samples := filepath.Join(testkit.Root(t), "internal", "invoices", "files", "testdata", "samples")
	var contents [][]byte
	for _, name := range []string{"pl_fuel-01.pdf", "pl_classic-01.pdf", "de_repair-01.pdf", "pl_classic-02-photo.jpg"} {
		content, err := os.ReadFile(filepath.Join(samples, name))
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, content)
	}
	var driver string
	p := serveOver(t, "sqlite", func(tx *db.Tx, v *vault.Vault) error {
		ids, err := drivers.Service{Vault: v, Country: "PL"}.AddMany(tx, []drivers.NewDriver{{Details: drivers.Details{FirstName: "Jan", LastName: "Kowalski"}}})
		driver = ids[0]
		return err
	}, "SALDO_READER=/nowhere", "PATH=/nowhere") // what reads pictures has memory of its own: see TestReadingPictures
	defer p.stop()
	const count = 200
	began := time.Now()
	var all sync.WaitGroup
	turn := make(chan struct{}, 8)
	for i := range count {
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			var body bytes.Buffer
			form := multipart.NewWriter(&body)
			_ = form.WriteField("driverUUID", driver)
			part, _ := form.CreateFormFile("file", fmt.Sprint(i, ".pdf"))
			_, _ = part.Write(contents[i%len(contents)])
			_, _ = fmt.Fprintf(part, "\n%% %d\n", i) // a file that no other is
			_ = form.Close()
			var made struct{ ID string }
			p.call(t, "POST", "/api/invoice-images/partner", form.FormDataContentType(), &body, &made)
		})
	}
	all.Wait()
	uploaded := time.Since(began)
	for {
		var page struct {
			Counts map[string]int
			Items  []json.RawMessage
		}
		p.call(t, "GET", "/api/invoice-images?state=uploaded", "", nil, &page)
		if len(page.Items) == 0 {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	fmt.Printf("| **memory of the server** while %d invoices were uploaded in %.0f s and read in %.0f s | %.0f MB | goal 300 MB | | |\n", count,
		uploaded.Seconds(), time.Since(began).Seconds(), p.peak(t))
}

// TestHostileFiles says what the worst files take of `saldo read`, the whole command, with the limits that the server has.
func TestHostileFiles(t *testing.T) {
	packed := func(content string, times int) string {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		for range times {
			_, _ = z.Write([]byte(content))
		}
		_ = z.Close()
		return b.String()
	}
	page := func(content string) []byte {
		var b bytes.Buffer
		var at []int
		b.WriteString("%PDF-1.7\n")
		for i, object := range []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
			fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(content), content)} {
			at = append(at, b.Len())
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
		}
		start := b.Len()
		fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
		for _, n := range at {
			fmt.Fprintf(&b, "%010d 00000 n \n", n)
		}
		fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
		return b.Bytes()
	}
	zeros := strings.Repeat("\x00", 1<<20)
	folder := t.TempDir()
	for name, content := range map[string][]byte{
		"a stream that unpacks to 300 MB": page(packed(zeros, 300)),
		"a page of 400,000 texts":         page(packed("q 1 0 0 1 0 0 cm BT /F 9 Tf (x) Tj ET Q\n", 400_000)),
		"a page of 4 million lines":       page(packed("0 0 m 595 842 l S\n", 4_000_000)),
	} {
		file := filepath.Join(folder, "hostile.pdf")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		command := exec.Command(filepath.Join(testkit.Root(t), "bin", "saldo"), "read", "--json", file)
		command.Env = append(os.Environ(), "SALDO_READER=/nowhere", "PATH=/nowhere")
		began := time.Now()
		_ = command.Run() // refused or empty, both are answers
		used := command.ProcessState.SysUsage().(*syscall.Rusage)
		fmt.Printf("| **hostile file**, %s, `saldo read` | %.1f s, %d MB | goal 10 s, 600 MB | | |\n", name, time.Since(began).Seconds(), used.Maxrss/1024)
	}
}
