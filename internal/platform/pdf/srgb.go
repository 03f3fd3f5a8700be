package pdf

import (
	"encoding/binary"
	"math"
	"sync"
	"unicode/utf16"
)

// profile says what the colours of a document are: sRGB (IEC 61966-2-1), as an ICC profile of version 4 that is put together
// here out of the numbers of that standard, adapted to D50 after Bradford.
var profile = sync.OnceValue(func() []byte {
	d50 := xyz(0.9642, 1, 0.8249)
	curve := fixed([]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"), 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)
	turned := fixed([]byte("sf32\x00\x00\x00\x00"),
		1.0478860, 0.0229188, -0.0502161, 0.0295818, 0.9904835, -0.0170787, -0.0092519, 0.0150726, 0.7516781)
	content := []struct {
		name string
		body []byte
	}{
		{"desc", words("sRGB")}, {"cprt", words("No copyright, use freely")}, {"wtpt", d50}, {"chad", turned},
		{"rXYZ", xyz(0.4360413, 0.2224845, 0.0139202)},
		{"gXYZ", xyz(0.3851129, 0.7169051, 0.0970672)}, {"bXYZ", xyz(0.1430458, 0.0606104, 0.7139126)},
		{"rTRC", curve}, {"gTRC", curve}, {"bTRC", curve},
	}
	at := 128 + 4 + 12*len(content)
	places := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	var bodies []byte
	curveAt := 0
	for _, c := range content {
		where := at + len(bodies)
		if c.name[1:] == "TRC" && curveAt > 0 {
			where = curveAt // one curve is enough
		} else {
			if c.name == "rTRC" {
				curveAt = where
			}
			bodies = append(bodies, c.body...)
			bodies = append(bodies, make([]byte, -len(bodies)&3)...)
		}
		places = append(places, c.name...)
		places = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(places, uint32(where)), uint32(len(c.body)))
	}
	head := make([]byte, 128)
	binary.BigEndian.PutUint32(head, uint32(at+len(bodies)))
	copy(head[8:], "\x04\x20\x00\x00mntrRGB XYZ \x07\xEA\x00\x0B\x00\x0F\x00\x00\x00\x00\x00\x00acsp") // version 4.2, 2026-11-15
	copy(head[68:], d50[8:])
	return append(append(head, places...), bodies...)
})

// fixed writes numbers with sixteen bits before and after the point.
func fixed(b []byte, numbers ...float64) []byte {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(n*65536))))
	}
	return b
}

func xyz(x, y, z float64) []byte { return fixed([]byte("XYZ \x00\x00\x00\x00"), x, y, z) }

// words are a text of a profile, in English.
func words(text string) []byte {
	b := []byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0CenUS")
	b = binary.BigEndian.AppendUint32(b, uint32(2*len(text)))
	b = binary.BigEndian.AppendUint32(b, 28)
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return b
}
