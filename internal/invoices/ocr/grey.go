package ocr

import (
	"image"
	"image/color"
)

// Grey makes a grey picture of any, smaller if its longer side has more than so many pixels. What is transparent is white.
func Grey(picture image.Image, longest int) *image.Gray {
	bounds := picture.Bounds()
	width, height := bounds.Dx(), bounds.Dy()
	grey := image.NewGray(image.Rect(0, 0, width, height))
	switch source := picture.(type) {
	case *image.Gray:
		for y := range height {
			copy(grey.Pix[y*grey.Stride:][:width], source.Pix[source.PixOffset(bounds.Min.X, bounds.Min.Y+y):])
		}
	case *image.YCbCr: // what JPEG decodes to: the brightness is there already
		for y := range height {
			copy(grey.Pix[y*grey.Stride:][:width], source.Y[source.YOffset(bounds.Min.X, bounds.Min.Y+y):])
		}
	case *image.RGBA: // of pages that were drawn
		for y := range height {
			row := source.Pix[source.PixOffset(bounds.Min.X, bounds.Min.Y+y):]
			for x := range width {
				pixel := row[4*x : 4*x+4]
				shown := (299*uint32(pixel[0]) + 587*uint32(pixel[1]) + 114*uint32(pixel[2])) / 1000
				grey.Pix[y*grey.Stride+x] = uint8(min(255, shown+255-uint32(pixel[3])))
			}
		}
	default:
		for y := range height {
			for x := range width {
				pixel := picture.At(bounds.Min.X+x, bounds.Min.Y+y)
				_, _, _, opaque := pixel.RGBA()
				shown := uint32(color.GrayModel.Convert(pixel).(color.Gray).Y)
				grey.Pix[y*grey.Stride+x] = uint8(min(255, shown+255-opaque>>8))
			}
		}
	}
	if long := max(width, height); long > longest {
		return Resize(grey, max(1, width*longest/long), max(1, height*longest/long))
	}
	return grey
}

// Resize makes a picture of another size: the mean of what each pixel covers where it shrinks, what is between pixels where it grows.
func Resize(source *image.Gray, width, height int) *image.Gray {
	if source.Rect.Dx() == width && source.Rect.Dy() == height {
		return source
	}
	across := weights(source.Rect.Dx(), width)
	down := weights(source.Rect.Dy(), height)
	// first across, then down
	rows := make([]float32, source.Rect.Dy()*width)
	for y := range source.Rect.Dy() {
		row := source.Pix[y*source.Stride:]
		for x, w := range across {
			sum := float32(0)
			for i, part := range w.parts {
				sum += part * float32(row[w.from+i])
			}
			rows[y*width+x] = sum
		}
	}
	result := image.NewGray(image.Rect(0, 0, width, height))
	sums := make([]float32, width)
	for y, w := range down {
		clear(sums)
		for i, part := range w.parts {
			for x, value := range rows[(w.from+i)*width:][:width] {
				sums[x] += part * value
			}
		}
		for x, sum := range sums {
			result.Pix[y*result.Stride+x] = uint8(sum + 0.5)
		}
	}
	return result
}

// share says how much of which pixels makes a pixel.
type share struct {
	from  int
	parts []float32
}

// weights are triangles as wide as a pixel of the coarser side.
func weights(from, to int) []share {
	scale := float64(from) / float64(to)
	reach := max(scale, 1)
	result := make([]share, to)
	for i := range result {
		middle := (float64(i)+0.5)*scale - 0.5
		first, last := max(0, int(middle-reach)), min(from-1, int(middle+reach)+1)
		parts, sum := make([]float32, last-first+1), float32(0)
		for k := range parts {
			far := (float64(first+k) - middle) / reach
			parts[k] = float32(max(0, 1-max(far, -far)))
			sum += parts[k]
		}
		if sum == 0 {
			parts, sum = []float32{1}, 1
		}
		for k := range parts {
			parts[k] /= sum
		}
		result[i] = share{first, parts}
	}
	return result
}
