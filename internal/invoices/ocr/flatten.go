package ocr

import (
	"image"
	"math"
	"slices"
)

const (
	darkest    = 40  // of a background at 255: this and less becomes black; blurred print is grey and stays so
	lightest   = 250 // this and more becomes white
	starkBlack = 110 // the same for engines that see black and white alone
	starkWhite = 235
	noisy      = 0.0045 // of the brightness: how much pixels differ from those around them in a picture taken with little light
	coarse     = 4      // so many pixels are one where the light of the background is estimated
	backReach  = 60     // the longer side by this is what the darkest, boldest print never fills
)

// flatten evens out the light: every pixel is compared with the background around it, and what is dark from the border on is wiped.
func flatten(page *image.Gray) *image.Gray {
	if calm := smooth(page); noise(page, calm) > noisy {
		page = calm
	}
	width, height := page.Rect.Dx(), page.Rect.Dy()
	small := Resize(page, max(1, width/coarse), max(1, height/coarse))
	reach := max(2, max(small.Rect.Dx(), small.Rect.Dy())/backReach)
	background := Resize(blur(brightest(small, reach), reach), width, height)
	result := image.NewGray(page.Rect)
	for y := range height {
		for x := range width {
			i := y*page.Stride + x
			light := 255 * float64(page.Pix[i]) / max(float64(background.Pix[y*background.Stride+x]), 1)
			result.Pix[i] = uint8(min(max((light-darkest)*255/(lightest-darkest), 0), 255))
		}
	}
	wipeBorder(result)
	return result
}

// Stark makes a prepared page nearly black and white.
func Stark(page *image.Gray) *image.Gray {
	var levels [256]uint8
	for value := range levels {
		light := darkest + float64(value)*(lightest-darkest)/255
		levels[value] = uint8(min(max((light-starkBlack)*255/(starkWhite-starkBlack), 0), 255))
	}
	result := image.NewGray(page.Rect)
	for i, value := range page.Pix {
		result.Pix[i] = levels[value]
	}
	return result
}

// smooth makes every pixel the weighted mean of the nine around it.
func smooth(page *image.Gray) *image.Gray {
	width, height := page.Rect.Dx(), page.Rect.Dy()
	result := image.NewGray(page.Rect)
	copy(result.Pix, page.Pix)
	for y := 1; y < height-1; y++ {
		above, here, below := page.Pix[(y-1)*page.Stride:], page.Pix[y*page.Stride:], page.Pix[(y+1)*page.Stride:]
		column := func(x int) int { return int(above[x]) + 2*int(here[x]) + int(below[x]) }
		for x := 1; x < width-1; x++ {
			result.Pix[y*result.Stride+x] = uint8((column(x-1) + 2*column(x) + column(x+1) + 8) / 16)
		}
	}
	return result
}

// noise is how much most pixels differ from those around them, as a part of the brightness. Print is on few of them.
func noise(page, calm *image.Gray) float64 {
	var count [256]int
	bright := 0
	for i, value := range page.Pix {
		count[max(value, calm.Pix[i])-min(value, calm.Pix[i])]++
		bright += int(value)
	}
	// the median, between two whole numbers
	half, median := len(page.Pix)/2, 0.0
	for difference, n := range count {
		if n > half {
			median = float64(difference) + float64(half)/float64(n) - 0.5
			break
		}
		half -= n
	}
	return max(median, 0) / (float64(max(bright, 1)) / float64(max(len(page.Pix), 1)))
}

// wipeBorder whitens what is dark and hangs together with the border, such as the table beside the page.
func wipeBorder(page *image.Gray) {
	width, height := page.Rect.Dx(), page.Rect.Dy()
	small := Resize(page, max(1, width/coarse), max(1, height/coarse))
	w, h := small.Rect.Dx(), small.Rect.Dy()
	seen := make([]bool, w*h)
	var queue []int
	add := func(x, y int) {
		if x >= 0 && y >= 0 && x < w && y < h && !seen[y*w+x] && small.Pix[y*small.Stride+x] < 144 {
			seen[y*w+x] = true
			queue = append(queue, y*w+x)
		}
	}
	for x := range w {
		add(x, 0)
		add(x, h-1)
	}
	for y := range h {
		add(0, y)
		add(w-1, y)
	}
	for at := 0; at < len(queue); at++ {
		x, y := queue[at]%w, queue[at]/w
		add(x-1, y)
		add(x+1, y)
		add(x, y-1)
		add(x, y+1)
	}
	for _, at := range queue {
		x, y := at%w, at/w
		for py := y * height / h; py < (y+1)*height/h; py++ {
			for px := x * width / w; px < (x+1)*width/w; px++ {
				page.Pix[py*page.Stride+px] = 255
			}
		}
	}
}

// brightest makes every pixel the brightest within reach, in a square.
func brightest(source *image.Gray, reach int) *image.Gray {
	width, height := source.Rect.Dx(), source.Rect.Dy()
	line := func(from []uint8, start, step, length int, to []uint8) {
		var falling []int // places whose brightness falls; the first is the brightest in reach
		next := 0
		for i := range length {
			for ; next < length && next <= i+reach; next++ {
				for len(falling) > 0 && from[start+falling[len(falling)-1]*step] <= from[start+next*step] {
					falling = falling[:len(falling)-1]
				}
				falling = append(falling, next)
			}
			for falling[0] < i-reach {
				falling = falling[1:]
			}
			to[start+i*step] = from[start+falling[0]*step]
		}
	}
	across, result := make([]uint8, len(source.Pix)), image.NewGray(source.Rect)
	for y := range height {
		line(source.Pix, y*source.Stride, 1, width, across)
	}
	for x := range width {
		line(across, x, source.Stride, height, result.Pix)
	}
	return result
}

// blur makes every pixel the mean within reach, in a square, twice.
func blur(source *image.Gray, reach int) *image.Gray {
	width, height := source.Rect.Dx(), source.Rect.Dy()
	line := func(from []uint8, start, step, length int, to []uint8) {
		sum, count, next := 0, 0, 0
		for i := range length {
			for ; next < length && next <= i+reach; next++ {
				sum += int(from[start+next*step])
				count++
			}
			if gone := i - reach - 1; gone >= 0 {
				sum -= int(from[start+gone*step])
				count--
			}
			to[start+i*step] = uint8((sum + count/2) / count)
		}
	}
	result := image.NewGray(source.Rect)
	across := make([]uint8, len(source.Pix))
	from := source.Pix
	for range 2 {
		for y := range height {
			line(from, y*source.Stride, 1, width, across)
		}
		for x := range width {
			line(across, x, source.Stride, height, result.Pix)
		}
		from = result.Pix
	}
	return result
}

const sharpAt = 1600 // pixels of the longer side at which sharpness is measured

// Sharpness says how sharp the print is: how steep the steepest edges are, compared with how bright the background is. Below 1.0 much
// of the print is too blurred to be read.
func Sharpness(picture image.Image) float64 {
	grey := Grey(picture, sharpAt)
	width, height := grey.Rect.Dx(), grey.Rect.Dy()
	if width < 3 || height < 3 {
		return 0
	}
	steps := make([]float64, 0, width*height)
	for y := 1; y < height-1; y++ {
		above, here, below := grey.Pix[(y-1)*grey.Stride:], grey.Pix[y*grey.Stride:], grey.Pix[(y+1)*grey.Stride:]
		for x := 1; x < width-1; x++ {
			across := int(above[x+1]) + 2*int(here[x+1]) + int(below[x+1]) - int(above[x-1]) - 2*int(here[x-1]) - int(below[x-1])
			down := int(below[x-1]) + 2*int(below[x]) + int(below[x+1]) - int(above[x-1]) - 2*int(above[x]) - int(above[x+1])
			steps = append(steps, math.Hypot(float64(across), float64(down)))
		}
	}
	slices.Sort(steps)
	light := slices.Clone(grey.Pix)
	slices.Sort(light)
	bright := float64(light[len(light)*90/100])
	return steps[len(steps)*993/1000] / max(bright, 1)
}
