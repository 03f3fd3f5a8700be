//go:build bench

package bench

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// TestDocumentArchive says how long the archive of a driver's documents takes, forty photos in twenty documents, over HTTP, and how much
// memory the server has meanwhile.
func TestDocumentArchive(t *testing.T) {
	photo, err := os.ReadFile(filepath.Join(testkit.Root(t), "internal", "invoices", "files", "testdata", "samples", "pl_classic-02-photo.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	var driver string
	p := serveOver(t, "sqlite", func(tx *db.Tx, v *vault.Vault) error {
		ids, err := drivers.Service{Vault: v, Country: "PL"}.AddMany(tx, []drivers.NewDriver{{Details: drivers.Details{FirstName: "Jan", LastName: "Kowalski"}}})
		driver = ids[0]
		return err
	})
	defer p.stop()
	for i := range 20 {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		_ = form.WriteField("type", "registration_certificate")
		_ = form.WriteField("vehicle", fmt.Sprintf("WX 10%02d", i))
		for _, side := range []string{"front", "back"} {
			part, _ := form.CreateFormFile(side, side+".jpg")
			_, _ = part.Write(photo)
		}
		_ = form.Close()
		var made struct{ ID string }
		p.call(t, "POST", "/api/driver-documents?driverUUID="+driver, form.FormDataContentType(), &body, &made)
	}
	pack := func() (int64, time.Duration) {
		rq, err := http.NewRequest("GET", p.url+"/api/driver-documents/"+driver+"/zip", nil)
		if err != nil {
			t.Fatal(err)
		}
		rq.Header.Set("Authorization", "Bearer "+p.token)
		began := time.Now()
		resp, err := http.DefaultClient.Do(rq)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		size, err := io.Copy(io.Discard, resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp.StatusCode, err)
		}
		return size, time.Since(began)
	}
	pack()
	// the most memory is counted anew
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.process.Process.Pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	before := p.peak(t)
	var took []float64
	size := int64(0)
	for range rounds() {
		n, one := pack()
		took, size = append(took, one.Seconds()), n
	}
	fmt.Printf("| **archive of 40 photos** of a driver's documents, %.1f MB, over HTTP, median of %d | %.2f s | goal 2 s | | |\n", float64(size)/(1<<20), len(took), median(took))
	fmt.Printf("| most memory of the server meanwhile; before it | %.0f MB; %.0f MB | goal 64 MB more | | |\n", p.peak(t), before)
}
