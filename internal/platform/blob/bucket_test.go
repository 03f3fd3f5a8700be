package blob

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestBucketAddressesAreReadOrExplained(t *testing.T) {
	for _, good := range []string{
		"s3://KEY:SECRET@s3.example/files", "s3://KEY:SECRET@localhost:9000/my.bucket-1/?tls=false",
		"s3://KEY:a%2Fb%2Bc@s3.example:443/files?region=eu-central-1&tls=true",
	} {
		if _, err := Open(good, "", nil); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"https://KEY:hush@s3.example/files", "s3://", "s3://s3.example/files", "s3://KEY@s3.example/files", "s3://KEY:hush@/files",
		"s3://KEY:hush@s3.example", "s3://KEY:hush@s3.example/", "s3://KEY:hush@s3.example/a/b", "s3://KEY:hush@s3.example/Files",
		"s3://KEY:hu/sh@s3.example/files", "s3://KEY:hush%zz@s3.example/files", "s3://KEY:hush@s3.example/files?tls=maybe",
		"s3://KEY:hush@s3.example/files?colour=blue", "s3://KEY:hush@s3.example/files?region=",
	} {
		_, err := Open(bad, "", nil)
		if err == nil {
			t.Errorf("%s is accepted", bad)
		} else if text := err.Error(); strings.Contains(text, "hush") || strings.Contains(text, "KEY:h") || strings.Contains(text, "\n") {
			t.Errorf("%s gives %q", bad, text)
		}
	}
}

func TestARefusalSaysWhatToDoAndTellsNoSecret(t *testing.T) {
	for name, c := range map[string]struct {
		status    int
		body, say string
	}{
		"no bucket":    {404, "<Error><Code>NoSuchBucket</Code><Message>gone</Message></Error>", "make the bucket files"},
		"wrong secret": {403, "<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>", "check the key, the secret"},
		"broken":       {400, "<Error><Code>Strange</Code><Message>odd</Message></Error>", "odd"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			defer srv.Close()
			s, err := Open("s3://KEYKEYKEY:hushhush@"+strings.TrimPrefix(srv.URL, "http://")+"/files?region=x&tls=false", "", newVault(t))
			if err != nil {
				t.Fatal(err)
			}
			_, putErr := s.Put(t.Context(), "t/a", strings.NewReader("x"), 1)
			_, _, getErr := s.Get(t.Context(), "t/a")
			deleteErr := s.Delete(t.Context(), "t/a")
			var listErr error
			for _, listErr = range s.List(t.Context(), "") {
			}
			for _, err := range []error{putErr, getErr, deleteErr, listErr} {
				if err == nil || !strings.Contains(err.Error(), c.say) {
					t.Errorf("got %v", err)
				} else if strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "KEYKEY") {
					t.Errorf("the error tells the credentials: %v", err)
				}
			}
		})
	}
}
