package vault

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

const fileName = "north/imports/0199"

func sealFile(t *testing.T, v *Vault, name string, plain []byte) []byte {
	t.Helper()
	r, err := v.SealFile(name, bytes.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// both reads a sealed file in either way and gives what came before the error, if there was one.
func both(v *Vault, name string, sealed []byte, each func(way string, got []byte, size int64, err error)) {
	at, size, err := v.OpenFile(name, bytes.NewReader(sealed), int64(len(sealed)))
	var got []byte
	if err == nil {
		got, err = io.ReadAll(io.NewSectionReader(at, 0, size))
	}
	each("anywhere", got, size, err)
	stream, size, err := v.ReadFile(name, iotest.HalfReader(bytes.NewReader(sealed)), int64(len(sealed)))
	got = nil
	if err == nil {
		got, err = io.ReadAll(stream)
	}
	each("once", got, size, err)
}

func content(n int) []byte {
	plain := make([]byte, n)
	for i := range plain {
		plain[i] = byte(i>>16*7 + i)
	}
	return plain
}

func TestASealedFileComesBackAndShowsNothing(t *testing.T) {
	v := open(t, newKey())
	for _, n := range []int{0, 1, 1000, fileBlock - 1, fileBlock, fileBlock + 1, 3 * fileBlock, 3*fileBlock + 77} {
		plain := content(n)
		copy(plain, secret)
		sealed := sealFile(t, v, fileName, plain)
		if bytes.Contains(sealed, []byte(secret)) || v.FileKey(sealed[:FileHead]) != v.Current() {
			t.Errorf("%d bytes: sealed as %.100q", n, sealed)
		}
		if bytes.Equal(sealed, sealFile(t, v, fileName, plain)) {
			t.Errorf("%d bytes: two seals are the same", n)
		}
		both(v, fileName, sealed, func(way string, got []byte, size int64, err error) {
			if err != nil || !bytes.Equal(got, plain) || size != int64(n) {
				t.Errorf("%d bytes, %s: %d came back, size %d, %v", n, way, len(got), size, err)
			}
		})
	}
}

func TestASealedFileIsReadAnywhere(t *testing.T) {
	v := open(t, newKey())
	plain := content(4*fileBlock + 10)
	sealed := sealFile(t, v, fileName, plain)
	at, size, err := v.OpenFile(fileName, bytes.NewReader(sealed), int64(len(sealed)))
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(io.NewSectionReader(at, 0, size), plain); err != nil {
		t.Error(err)
	}
	if n, err := at.ReadAt(make([]byte, 5), size+3); n != 0 || err != io.EOF {
		t.Errorf("behind the end: %d, %v", n, err)
	}
}

func TestAChangedFileNeverGivesOtherBytes(t *testing.T) {
	v := open(t, newKey())
	plain := content(3*fileBlock + 500)
	sealed := sealFile(t, v, fileName, plain)
	head := len(sealed) - len(plain) - 4*fileTag
	block := func(i int) []byte { return sealed[head+i*(fileBlock+fileTag):][:fileBlock+fileTag] }
	flipped := func(at int) []byte {
		damaged := slices.Clone(sealed)
		damaged[at] ^= 4
		return damaged
	}
	cases := map[string][]byte{
		"last byte away":     sealed[:len(sealed)-1],
		"last block away":    sealed[:head+3*(fileBlock+fileTag)],
		"two blocks away":    sealed[:head+2*(fileBlock+fileTag)],
		"all blocks away":    sealed[:head],
		"half of its head":   sealed[:head/2],
		"more behind it":     append(slices.Clone(sealed), 0),
		"block more":         append(slices.Clone(sealed), block(0)...),
		"blocks swapped":     slices.Concat(sealed[:head], block(1), block(0), sealed[head+2*(fileBlock+fileTag):]),
		"a block twice":      slices.Concat(sealed[:head], block(0), block(0), sealed[head+2*(fileBlock+fileTag):]),
		"a block left out":   slices.Concat(sealed[:head], block(0), sealed[head+2*(fileBlock+fileTag):]),
		"head of another":    slices.Concat(sealFile(t, v, fileName, plain)[:head], sealed[head:]),
		"another one's name": sealFile(t, v, "south/imports/0199", plain),
		"another vault":      bytes.Replace(sealFile(t, open(t, newKey()), fileName, plain), []byte(v.Current()), []byte("00000000"), 1),
	}
	for at := range head {
		cases["bit of the head "+string(rune('a'+at%26))+strings.Repeat("'", at/26)] = flipped(at)
	}
	for _, at := range []int{head, head + fileBlock, head + fileBlock + fileTag, len(sealed) - 600, len(sealed) - 1} {
		cases["bit "+strings.Repeat("|", at/1000)] = flipped(at)
	}
	for what, damaged := range cases {
		both(v, fileName, damaged, func(way string, got []byte, _ int64, err error) {
			if err == nil || !bytes.HasPrefix(plain, got) {
				t.Errorf("%s, %s: %d bytes, %v", what, way, len(got), err)
			}
			if !errors.Is(err, ErrFileDamaged) && !errors.Is(err, ErrFileKey) {
				t.Errorf("%s, %s: it is not called damaged: %v", what, way, err)
			}
		})
	}
}

func TestADiskThatFailsIsNoDamage(t *testing.T) {
	v := open(t, newKey())
	sealed := sealFile(t, v, fileName, content(2*fileBlock))
	broken := errors.New("cable pulled")
	for _, n := range []int{10, len(sealed) / 2, len(sealed) - 1} {
		torn := io.MultiReader(bytes.NewReader(sealed[:n]), iotest.ErrReader(broken))
		r, _, err := v.ReadFile(fileName, torn, int64(len(sealed)))
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if !errors.Is(err, broken) || errors.Is(err, ErrFileDamaged) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

func TestAFileSealedWithAnOlderKeyIsStillRead(t *testing.T) {
	old, current := newKey(), newKey()
	before, after := open(t, old), open(t, current, old)
	sealed := sealFile(t, before, fileName, []byte(secret))
	both(after, fileName, sealed, func(way string, got []byte, _ int64, err error) {
		if err != nil || string(got) != secret {
			t.Errorf("%s: %q, %v", way, got, err)
		}
	})
	if id := after.FileKey(sealed); id == after.Current() || id != before.Current() {
		t.Errorf("it is sealed by %q", id)
	}
	both(open(t, current), fileName, sealed, func(way string, got []byte, _ int64, err error) {
		if err == nil || !strings.Contains(err.Error(), "older key") || errors.Is(err, ErrFileDamaged) {
			t.Errorf("%s without the older key: %q, %v", way, got, err)
		}
	})
}

func TestWhatIsNotSealedIsNotTakenForIt(t *testing.T) {
	v := open(t, newKey())
	for _, head := range []string{
		"", "date;driver", "%PDF-1.7", "age-encryption.org/v1\n-> X25519 abc\n", fileStart, fileStart + "0123456", strings.Repeat(" ", 100),
	} {
		if id := v.FileKey([]byte(head)); id != "" {
			t.Errorf("%q is sealed by %q", head, id)
		}
	}
}

// endless gives so many bytes of noise without holding them.
type endless struct{ left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), e.left))
	rand.Read(p[:min(n, 32)])
	e.left -= int64(n)
	return n, nil
}

func TestAFileOf256MBIsSealedAndReadWithoutMemory(t *testing.T) {
	v := open(t, newKey())
	const size = 256 << 20
	sealed, err := v.SealFile(fileName, &endless{size})
	if err != nil {
		t.Fatal(err)
	}
	overhead := int64(len(sealFile(t, v, fileName, nil)) - fileTag)
	plain, declared, err := v.ReadFile(fileName, sealed, overhead+size+size/fileBlock*fileTag)
	if err != nil || declared != size {
		t.Fatal(declared, err)
	}
	maximum, read := uint64(0), int64(0)
	buffer := make([]byte, 1<<20)
	for err == nil {
		var n int
		n, err = plain.Read(buffer)
		if read += int64(n); read%(16<<20) < fileBlock {
			runtime.GC()
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			maximum = max(maximum, memory.HeapAlloc)
		}
	}
	if err != io.EOF || read != size || maximum > 16<<20 {
		t.Errorf("%d bytes, %v, %d MB in use", read, err, maximum>>20)
	}
}
