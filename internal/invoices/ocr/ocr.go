// Package ocr reads pictures of invoices: it lays the page flat, evens out its light and hands it to a program that finds words. The
// words come back on the flat, upright page, where rows are rows; OnPicture says where they stand on the picture that people see.
package ocr

import (
	"context"
	"image"

	"saldo/internal/invoices/reading"
)

// Engine finds words on a page that lies flat.
type Engine interface {
	// Name says which engine it is, with its version.
	Name() string
	// Words gives the words with boxes on the upright page. Turned is by how many quarter turns, clockwise, the page given must be
	// turned to be upright.
	Words(ctx context.Context, page *image.Gray) (words []reading.Word, turned int, err error)
}

// Page is a picture as it was read: flat and upright.
type Page struct {
	Words []reading.Word // their boxes are parts of the upright page
	Size  reading.Page   // of the upright page, in pixels
}

// Read reads a picture with an engine. Boxes of words are on the upright page.
func Read(ctx context.Context, engine Engine, picture image.Image) (Page, error) {
	return Page{}, nil
}

// OnPicture gives the place on the picture that shows this place of the upright page.
func (p Page) OnPicture(box reading.Box) reading.Box { return box }
