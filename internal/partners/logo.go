package partners

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // what a logo may come as
	"image/png"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
)

// ErrPictureRefused is the answer to a logo that is no PNG or JPEG, or has too many pixels.
var ErrPictureRefused = fault.Declare(fault.Invalid, "partner.picture_refused")

const (
	logoSide    = 512  // pixels of the longer side at most, after
	pictureSide = 3000 // before: a small file may hold a picture that fills the memory
	logoMost    = 4 << 20
)

// KeptLogo is the picture under a key of a partner's; nil: there is none, or it was taken away meanwhile.
func KeptLogo(ctx context.Context, store blob.Store, key string) ([]byte, error) {
	if key == "" {
		return nil, nil
	}
	content, err := blob.Whole(ctx, store, key, logoMost)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil
	}
	return content, err
}

// Logo makes the picture that is shown of what was uploaded: a PNG of its
// pixels alone. What else was in the file is gone.
func Logo(upload []byte) ([]byte, error) {
	shape, _, err := image.DecodeConfig(bytes.NewReader(upload))
	if err != nil {
		return nil, ErrPictureRefused.Field("body", fault.WrongFormat).Because(err)
	}
	if shape.Width > pictureSide || shape.Height > pictureSide || shape.Width < 1 || shape.Height < 1 {
		return nil, ErrPictureRefused.Field("body", fault.TooBig, "max", "3000")
	}
	picture, _, err := image.Decode(bytes.NewReader(upload))
	if err != nil {
		return nil, ErrPictureRefused.Field("body", fault.WrongFormat).Because(err)
	}
	var out bytes.Buffer
	err = png.Encode(&out, shrunk(picture))
	return out.Bytes(), err
}

// shrunk is the picture within logoSide; each of its pixels is the mean of
// those that it stands for.
func shrunk(picture image.Image) image.Image {
	from := image.NewRGBA(image.Rect(0, 0, picture.Bounds().Dx(), picture.Bounds().Dy()))
	draw.Draw(from, from.Bounds(), picture, picture.Bounds().Min, draw.Src)
	w, h := from.Bounds().Dx(), from.Bounds().Dy()
	if w <= logoSide && h <= logoSide {
		return from
	}
	width, height := max(1, w*logoSide/max(w, h)), max(1, h*logoSide/max(w, h))
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			to.SetRGBA(x, y, mean(from, image.Rect(x*w/width, y*h/height, (x+1)*w/width, (y+1)*h/height)))
		}
	}
	return to
}

func mean(of *image.RGBA, part image.Rectangle) color.RGBA {
	var r, g, b, a int
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			c := of.RGBAAt(x, y)
			r, g, b, a = r+int(c.R), g+int(c.G), b+int(c.B), a+int(c.A)
		}
	}
	n := part.Dx() * part.Dy()
	return color.RGBA{R: uint8(r / n), G: uint8(g / n), B: uint8(b / n), A: uint8(a / n)}
}

// SetLogo makes the blob under the key the partner's logo, or takes the logo
// away when the key is empty. It tells which blob nobody needs any more.
func SetLogo(tx *db.Tx, key string) (former string, err error) {
	p, err := Own(tx)
	if err != nil || p.Logo == key {
		return "", err
	}
	if _, err := tx.Exec(`UPDATE partners SET logo = $2 WHERE tenant_id = $1`, key); err != nil {
		return "", err
	}
	return p.Logo, audit.Record(tx, audit.Change{Action: "partners.set_logo", Kind: "partner", ID: tx.Actor.Tenant, Before: p.Logo,
		After: key})
}
