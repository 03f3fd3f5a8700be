package pdf

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image/color"
	"image/png"
	"sync"
)

// picture is a PNG as two objects of a file hold it.
type picture struct {
	width, height int
	about         string // what both say of themselves
	pixels, mask  []byte // packed: colours, and how much of each covers what is below
}

// known are the pictures that were asked for last: a partner's logo is the same on thousands of pages.
var known struct {
	sync.Mutex
	sums [8][sha256.Size]byte
	are  [8]*picture
	next int
}

// pictureOf reads a PNG. Nil: it is none.
func pictureOf(content []byte) *picture {
	if len(content) == 0 {
		return nil
	}
	sum := sha256.Sum256(content)
	known.Lock()
	for i, is := range known.are {
		if is != nil && known.sums[i] == sum {
			known.Unlock()
			return is
		}
	}
	known.Unlock()
	p := readPicture(content)
	if p == nil {
		return nil
	}
	known.Lock()
	defer known.Unlock()
	known.sums[known.next], known.are[known.next] = sum, p
	known.next = (known.next + 1) % len(known.are)
	return p
}

func readPicture(content []byte) *picture {
	read, err := png.Decode(bytes.NewReader(content))
	if err != nil || read.Bounds().Empty() {
		return nil
	}
	box := read.Bounds()
	pixels, mask := make([]byte, 0, 3*box.Dx()*box.Dy()), make([]byte, 0, box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := color.NRGBAModel.Convert(read.At(x, y)).(color.NRGBA)
			pixels, mask = append(pixels, c.R, c.G, c.B), append(mask, c.A)
		}
	}
	about := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8", box.Dx(), box.Dy())
	return &picture{box.Dx(), box.Dy(), about, pack(pixels, best), pack(mask, best)}
}
