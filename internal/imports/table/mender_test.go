package table

import (
	"encoding/csv"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func mended(text string) string {
	out, err := io.ReadAll(newMender(strings.NewReader(text), ','))
	if err != nil {
		panic(err)
	}
	return string(out)
}

func TestMender_BareQuotesStayInTheirCell(t *testing.T) {
	for text, want := range map[string]string{
		"a,Jan \"Janek\" Nowak,5\nb,c,6\n": "a,\"Jan \"\"Janek\"\" Nowak\",5\nb,c,6\n",
		"a,\"Jan \"Janek\" Nowak\",5\r\n":  "a,\"Jan \"\"Janek\"\" Nowak\",5\r\n",
		"5\",6\"\n":                        "\"5\"\"\",\"6\"\"\"\n",
		"a,\"two\nlines\",5\n":             "a,\"two\nlines\",5\n",
		"a,\"x\"\"y\",\n":                  "a,\"x\"\"y\",\n",
		"a,\"b\"c,\"d\"\n":                 "a,\"b\"c,\"d\"\n", // nobody can tell where the second cell ends
		"a,\"open\nb,c\n":                  "a,\"open\nb,c\n",
	} {
		if got := mended(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// What can be read as it is, is not changed.
func TestMender_LeavesGoodFilesAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	signs := []string{"\"", "\"", ",", "\n", "a", "\r\n", "b", "\"\""}
	read := func(text string) ([][]string, error) {
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = -1
		return r.ReadAll()
	}
	good := 0
	for range 200_000 {
		var text strings.Builder
		for range random.IntN(14) {
			text.WriteString(signs[random.IntN(len(signs))])
		}
		plain, err := read(text.String())
		if err != nil {
			continue
		}
		good++
		if after, err := read(mended(text.String())); err != nil || !reflect.DeepEqual(plain, after) {
			t.Fatalf("%q was %q and became %q %v", text.String(), plain, after, err)
		}
	}
	if good < 10_000 {
		t.Errorf("only %d were good", good)
	}
}

func TestOpen_ReadsBareQuotes(t *testing.T) {
	got, err := read("a.csv", []byte("Kierowca;Opis;Kwota\nJan \"Janek\" Nowak;\"Opona 15\" nowa\";5\nEwa Lis;x;6\n"))
	want := []string{":1:Kierowca/Opis/Kwota", ":2:Jan \"Janek\" Nowak/Opona 15\" nowa/5", ":3:Ewa Lis/x/6"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}
