package files

import (
	"image"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/multi/qrcode"
	single "github.com/makiuchi-d/gozxing/qrcode"
	"golang.org/x/image/draw"
)

// qrCodes are the texts of the QR codes on a picture.
func qrCodes(picture image.Image) (texts []string) {
	defer func() { _ = recover() }() // a page without its codes is better than none
	if w, h := picture.Bounds().Dx(), picture.Bounds().Dy(); w > 2400 || h > 2400 {
		scale := 2400 / float64(max(w, h))
		small := image.NewGray(image.Rect(0, 0, int(float64(w)*scale), int(float64(h)*scale)))
		draw.ApproxBiLinear.Scale(small, small.Bounds(), picture, picture.Bounds(), draw.Src, nil)
		picture = small
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		return nil
	}
	hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true}
	if found, err := qrcode.NewQRCodeMultiReader().DecodeMultiple(bitmap, hints); err == nil {
		for _, f := range found {
			texts = append(texts, f.GetText())
		}
	}
	if len(texts) == 0 {
		if found, err := single.NewQRCodeReader().Decode(bitmap, hints); err == nil {
			texts = append(texts, found.GetText())
		}
	}
	return texts
}
