package testkit

import (
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

// Fleet is what the fixtures of the domain begin with: an instance with the partner north, a clock and a place for files.
type Fleet struct {
	DB       *db.DB
	Settings db.Settings // of the database, which a second instance may open
	Clock    *Clock
	Vault    *vault.Vault
	Blobs    blob.Store
	Files    string // folder of Blobs
	Instance config.Instance
}

// NewFleet makes a Polish one in a database of its own.
func NewFleet(t testing.TB, engine string) Fleet {
	t.Helper()
	return NewFleetIn(t, engine, "pl")
}

// NewFleetIn makes one in an instance.
func NewFleetIn(t testing.TB, engine, instance string) Fleet {
	t.Helper()
	f := Fleet{Settings: Settings(t, engine), Clock: NewClock(), Files: t.TempDir()}
	f.Settings.Clock = f.Clock.Now
	var err error
	if f.Instance, err = config.InstanceOf(instance); err != nil {
		t.Fatal(err)
	}
	if f.Vault, err = vault.Open(Key); err != nil {
		t.Fatal(err)
	}
	if f.Blobs, err = blob.Open("", f.Files, f.Vault); err != nil {
		t.Fatal(err)
	}
	f.DB = Open(t, f.Settings)
	Write(t, f.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		return partners.Found(tx, partners.Partner{Code: "north", Name: "Wrzos Mobility", Color: "#0B5D68"}, 1000)
	})
	return f
}

// EachFleet runs a test with a fixture on every engine, beside other tests.
func EachFleet[F any](t *testing.T, fixture func(t *testing.T, engine string) F, test func(t *testing.T, w F)) {
	t.Helper()
	t.Parallel()
	for _, engine := range Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			test(t, fixture(t, engine))
		})
	}
}
