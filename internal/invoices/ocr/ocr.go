// Package ocr reads pictures of invoices: it lays the page flat, evens out its light and hands it to a program that finds words. The
// words come back on the flat, upright page, where rows are rows; OnPicture says where they stand on the picture that people see.
package ocr

import (
	"context"
	"errors"
	"image"

	"saldo/internal/invoices/layout"
)

// Engine finds words on a page that lies flat.
type Engine interface {
	// Name says which engine it is, with its version.
	Name() string
	// Words gives the words with boxes on the upright page. Turned is by how many quarter turns, clockwise, the page given must be
	// turned to be upright.
	Words(ctx context.Context, page *image.Gray) (words []layout.Word, turned int, err error)
}

// Page is a picture as it was read: flat and upright.
type Page struct {
	Words []layout.Word // their boxes are parts of the upright page
	Size  layout.Size   // of the upright page, in pixels

	turned  int
	flat    layout.Size // the page before it was turned
	picture layout.Size // what people see, in the same pixels
	back    Projection  // from the flat page to the picture
}

// longestSide is what a picture is made smaller to before it is read: A4 at about 200 dots per inch.
const longestSide = 2400

var errNoPicture = errors.New("the picture is too small to be read")

// Prepared is a page that lies flat in even light.
type Prepared struct {
	Flat *image.Gray

	picture layout.Size
	back    Projection
}

// Prepare lays the page on a picture flat and evens out its light.
func Prepare(picture image.Image) (Prepared, error) {
	if size := picture.Bounds().Size(); size.X < 16 || size.Y < 16 {
		return Prepared{}, errNoPicture
	}
	grey := Grey(picture, longestSide)
	flat, back := straighten(grey)
	return Prepared{flatten(flat), size(grey), back}, nil
}

func size(picture *image.Gray) layout.Size {
	return layout.Size{Width: float64(picture.Rect.Dx()), Height: float64(picture.Rect.Dy())}
}

// Read reads a picture with an engine. Boxes of words are on the upright page.
func Read(ctx context.Context, engine Engine, picture image.Image) (Page, error) {
	prepared, err := Prepare(picture)
	if err != nil {
		return Page{}, err
	}
	words, turned, err := engine.Words(ctx, prepared.Flat)
	if err != nil {
		return Page{}, err
	}
	page := Page{Words: words, turned: turned, flat: size(prepared.Flat), picture: prepared.picture, back: prepared.back}
	page.Size = page.flat
	if turned%2 != 0 {
		page.Size = layout.Size{Width: page.flat.Height, Height: page.flat.Width}
	}
	return page, nil
}

// OnPicture gives the place on the picture that shows this place of the upright page: the rectangle around its four corners.
func (p Page) OnPicture(box layout.Box) layout.Box {
	result := layout.Box{X0: 1, Y0: 1}
	for _, corner := range []Point{{box.X0, box.Y0}, {box.X1, box.Y0}, {box.X1, box.Y1}, {box.X0, box.Y1}} {
		flat := turnBack(corner, p.turned)
		at := p.back.At(flat.X*p.flat.Width, flat.Y*p.flat.Height)
		x, y := min(max(at.X/p.picture.Width, 0), 1), min(max(at.Y/p.picture.Height, 0), 1)
		result.X0, result.X1 = min(result.X0, x), max(result.X1, x)
		result.Y0, result.Y1 = min(result.Y0, y), max(result.Y1, y)
	}
	return result
}
