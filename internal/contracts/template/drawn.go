package template

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"

	"saldo/internal/platform/pdf"
)

// What a drawn signature must be: no larger, and with so much ink over so much of its box.
const (
	PictureMax   = 200 << 10
	pictureSide  = 4000
	inkLeast     = 120  // pixels
	inkBoxLeast  = 0.02 // of the picture
	inkDarkness  = 60   // of 255
	inkMostShare = 0.6  // a filled box is no signature
)

// Drawn is a signature as pages show it: trimmed, without a background, in the one size. Only the picture is kept, not how it was drawn.
// Where it is no signature, why says what is wrong with it: size, type or ink.
func Drawn(content []byte) (picture []byte, why string) {
	if len(content) > PictureMax {
		return nil, "size"
	}
	about, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil || about.Width > pictureSide || about.Height > pictureSide {
		return nil, "type"
	}
	read, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, "type"
	}
	box := read.Bounds()
	ink := image.NewNRGBA(box)
	var found image.Rectangle
	dots := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := color.NRGBAModel.Convert(read.At(x, y)).(color.NRGBA)
			light := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
			dark := (255 - light) * int(c.A) / 255
			if dark < inkDarkness {
				continue
			}
			dots++
			found = found.Union(image.Rect(x, y, x+1, y+1))
			ink.SetNRGBA(x, y, color.NRGBA{pdf.Ink.R, pdf.Ink.G, pdf.Ink.B, uint8(dark)})
		}
	}
	area := float64(box.Dx() * box.Dy())
	if dots < inkLeast || float64(found.Dx()*found.Dy()) < inkBoxLeast*area || float64(dots) > inkMostShare*area {
		return nil, "ink"
	}
	return fitted(ink, found), ""
}

// fitted is a part of a picture in the middle of one of the size of signatures.
func fitted(from image.Image, part image.Rectangle) []byte {
	const width, height, edge = PictureWidth, PictureHeight, 12
	scale := min(float64(width-2*edge)/float64(part.Dx()), float64(height-2*edge)/float64(part.Dy()))
	w, h := max(1, int(float64(part.Dx())*scale)), max(1, int(float64(part.Dy())*scale))
	to := image.NewNRGBA(image.Rect(0, 0, width, height))
	left, top := (width-w)/2, (height-h)/2
	draw.CatmullRom.Scale(to, image.Rect(left, top, left+w, top+h), from, part, draw.Over, nil)
	var out bytes.Buffer
	if err := png.Encode(&out, to); err != nil {
		panic(err) // memory takes everything
	}
	return out.Bytes()
}

const scanPixels = 40_000_000

// Redrawn is the picture of a scan as JPEG: what phones write into it beside the picture is gone.
func Redrawn(content []byte) ([]byte, error) {
	about, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	if about.Width*about.Height > scanPixels {
		return nil, errors.New("template: a picture with too many pixels")
	}
	picture, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, picture, &jpeg.Options{Quality: 88})
	return out.Bytes(), err
}
