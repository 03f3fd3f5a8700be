package files

import (
	"bytes"
	"encoding/binary"
	"image"

	"golang.org/x/image/draw"
)

// decode decodes a picture whose limits were checked, turned as it was taken.
func decode(content []byte) (image.Image, error) {
	picture, format, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, Refused{Broken}
	}
	if format == "jpeg" {
		return turned(picture, orientation(content)), nil
	}
	return picture, nil
}

// orientation is what a camera noted about how it was held: 1 to 8, and 1 where it noted nothing.
func orientation(content []byte) int {
	for at := 2; at+4 <= len(content) && content[at] == 0xFF; {
		marker, length := content[at+1], int(binary.BigEndian.Uint16(content[at+2:]))
		if marker == 0xDA || length < 2 || at+2+length > len(content) {
			break
		}
		if segment := content[at+4 : at+2+length]; marker == 0xE1 && bytes.HasPrefix(segment, []byte("Exif\x00\x00")) {
			return exifOrientation(segment[6:])
		}
		at += 2 + length
	}
	return 1
}

func exifOrientation(tiff []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	if bytes.HasPrefix(tiff, []byte("MM")) {
		order = binary.BigEndian
	}
	if len(tiff) < 8 {
		return 1
	}
	at := int(order.Uint32(tiff[4:]))
	if at < 8 || at+2 > len(tiff) {
		return 1
	}
	entries := int(order.Uint16(tiff[at:]))
	for i := range entries {
		e := at + 2 + 12*i
		if e+12 > len(tiff) {
			break
		}
		if order.Uint16(tiff[e:]) == 0x0112 {
			if o := int(order.Uint16(tiff[e+8:])); o >= 1 && o <= 8 {
				return o
			}
			break
		}
	}
	return 1
}

// turned is the picture as it is to be shown, by its orientation.
func turned(picture image.Image, orientation int) image.Image {
	if orientation == 1 {
		return picture
	}
	from := image.NewRGBA(image.Rect(0, 0, picture.Bounds().Dx(), picture.Bounds().Dy()))
	draw.Draw(from, from.Bounds(), picture, picture.Bounds().Min, draw.Src)
	w, h := from.Bounds().Dx(), from.Bounds().Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range out.Bounds().Dy() {
		for x := range out.Bounds().Dx() {
			var fx, fy int
			switch orientation {
			case 2:
				fx, fy = w-1-x, y
			case 3:
				fx, fy = w-1-x, h-1-y
			case 4:
				fx, fy = x, h-1-y
			case 5:
				fx, fy = y, x
			case 6:
				fx, fy = y, h-1-x
			case 7:
				fx, fy = w-1-y, h-1-x
			default:
				fx, fy = w-1-y, x
			}
			copy(out.Pix[out.PixOffset(x, y):][:4], from.Pix[from.PixOffset(fx, fy):][:4])
		}
	}
	return out
}

// shrunk is the picture with at most that width, on white.
func shrunk(picture image.Image, width int) image.Image {
	w, h := picture.Bounds().Dx(), picture.Bounds().Dy()
	if w > width {
		w, h = width, max(1, h*width/w)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(out, out.Bounds(), picture, picture.Bounds(), draw.Over, nil)
	return out
}
