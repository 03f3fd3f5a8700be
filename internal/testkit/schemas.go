package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Valid checks XML against a schema by its path in the folder of SALDO_XSD_DIR, or in ../shared/xsd beside the repository. The
// schemas belong to others and are not part of the project: where they are not, this check alone is left out, by name.
func Valid(t *testing.T, schema string, content []byte) {
	t.Helper()
	folder := os.Getenv("SALDO_XSD_DIR")
	if folder == "" {
		folder = filepath.Join(Root(t), "..", "shared", "xsd")
	}
	path := filepath.Join(folder, filepath.FromSlash(schema))
	t.Run("AgainstTheSchema", func(t *testing.T) {
		if _, err := os.Stat(path); err != nil {
			t.Skipf("the schema %s is not here: set SALDO_XSD_DIR to the folder that has it", schema)
		}
		file := filepath.Join(t.TempDir(), "file.xml")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("xmllint", "--noout", "--nonet", "--schema", path, file).CombinedOutput(); err != nil {
			t.Errorf("%s\n%s", out, content)
		}
	})
}
