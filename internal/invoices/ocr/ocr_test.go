package ocr

import (
	"context"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"saldo/internal/invoices/layout"
)

// table is a picture of a page that lies on a dark table, with print on it; page takes parts of the page to the picture.
func table(width, height int, corners Quad) (picture *image.Gray, page Projection) {
	picture = image.NewGray(image.Rect(0, 0, width, height))
	page, _ = Project(Rectangle(1, 1), corners)
	onPage, _ := Project(corners, Rectangle(1, 1))
	for y := range height {
		for x := range width {
			at := onPage.At(float64(x)+0.5, float64(y)+0.5)
			value := 60.0
			if at.X >= 0 && at.X < 1 && at.Y >= 0 && at.Y < 1 {
				value = 225 - 60*at.X // light comes from the left
				if line := math.Mod(at.Y*30, 1); at.X > 0.1 && at.X < 0.9 && line > 0.6 && math.Mod(at.X*60, 1) > 0.4 {
					value *= 0.3
				}
			}
			picture.Pix[y*picture.Stride+x] = uint8(value)
		}
	}
	return picture, page
}

// engine finds the same words everywhere.
type engine struct {
	turned int
	words  []layout.Word
	page   *image.Gray
}

func (e *engine) Name() string { return "a fixed answer" }
func (e *engine) Words(_ context.Context, page *image.Gray) ([]layout.Word, int, error) {
	e.page = page
	return e.words, e.turned, nil
}

func TestStraighten_FindsThePageAndItsPlacesOnThePicture(t *testing.T) {
	corners := Quad{{130, 90}, {890, 160}, {850, 1290}, {70, 1230}}
	picture, onPicture := table(1000, 1400, corners)
	found, ok := findPage(picture)
	if !ok {
		t.Fatal("no page found")
	}
	for i, p := range found {
		if !near(p, corners[i], 6) {
			t.Errorf("corner %d is at %v instead of %v", i, p, corners[i])
		}
	}
	for turned := range 4 {
		e := &engine{turned: turned}
		read, err := Read(t.Context(), e, picture)
		if err != nil {
			t.Fatal(err)
		}
		if flat := size(e.page); (turned%2 == 0) != (read.Size == flat) {
			t.Errorf("turned by %d the page has the size %v, lying it has %v", turned, read.Size, flat)
		}
		for _, at := range []Point{{0.2, 0.3}, {0.7, 0.8}, {0.5, 0.05}} {
			// a small box at this place of the page, on the page with its margin, turned
			lies := Point{(at.X + margin) / (1 + 2*margin), (at.Y + margin) / (1 + 2*margin)}
			upright := lies
			for range turned {
				upright = Point{1 - upright.Y, upright.X}
			}
			box := read.OnPicture(layout.Box{X0: upright.X - 0.01, Y0: upright.Y - 0.01, X1: upright.X + 0.01, Y1: upright.Y + 0.01})
			middle := Point{(box.X0 + box.X1) / 2 * 1000, (box.Y0 + box.Y1) / 2 * 1400}
			if want := onPicture.At(at.X, at.Y); !near(middle, want, 8) {
				t.Errorf("turned by %d, %v of the page is shown at %v instead of %v", turned, at, middle, want)
			}
		}
	}
}

func TestStraighten_LeavesAScanAsItIs(t *testing.T) {
	picture, _ := table(900, 1300, Rectangle(900, 1300))
	flat, back := straighten(picture)
	if flat != picture || !near(back.At(500, 600), Point{500, 600}, 1e-9) {
		t.Error("a page that fills the picture was straightened")
	}
	for name, odd := range map[string]*image.Gray{
		"black": image.NewGray(image.Rect(0, 0, 400, 400)),
		"small": image.NewGray(image.Rect(0, 0, 20, 2000)),
	} {
		if flat, _ := straighten(odd); flat != odd {
			t.Errorf("%s: a page was found", name)
		}
	}
}

func TestStraighten_TakesNoRoundThingForAPage(t *testing.T) {
	picture := image.NewGray(image.Rect(0, 0, 800, 800))
	for y := range 800 {
		for x := range 800 {
			if math.Hypot(float64(x-400), float64(y-400)) < 300 {
				picture.Pix[y*picture.Stride+x] = 230
			}
		}
	}
	if corners, ok := findPage(picture); ok {
		t.Errorf("a plate has corners: %v", corners)
	}
}

func TestFlatten_MakesTheBackgroundWhiteAndPrintDark(t *testing.T) {
	picture, _ := table(1000, 1400, Quad{{100, 60}, {900, 60}, {900, 1340}, {100, 1340}})
	prepared, err := Prepare(picture)
	if err != nil {
		t.Fatal(err)
	}
	flat := prepared.Flat
	width, height := flat.Rect.Dx(), flat.Rect.Dy()
	for _, x := range []float64{0.06, 0.5, 0.95} {
		lightest := uint8(0) // the background is between two lines, wherever that is
		for y := height / 2; y < height/2+height/25; y++ {
			lightest = max(lightest, flat.Pix[y*flat.Stride+int(x*float64(width))])
		}
		if lightest < 230 {
			t.Errorf("the background at %.2f of the width has the brightness %d", x, lightest)
		}
	}
	for x := range width {
		if value := flat.Pix[2*flat.Stride+x]; value < 200 {
			t.Fatalf("the table is still there, with %d at %d of %d", value, x, width)
		}
	}
	dark := 0
	for _, value := range flat.Pix {
		if value < 80 {
			dark++
		}
	}
	if part := float64(dark) / float64(len(flat.Pix)); part < 0.1 || part > 0.3 {
		t.Errorf("%.2f of the page is print", part)
	}
}

func TestFlatten_CalmsOnlyWhatIsNoisy(t *testing.T) {
	picture, _ := table(600, 800, Rectangle(600, 800))
	if level := noise(picture, smooth(picture)); level > noisy {
		t.Errorf("a clean picture has the noise %.4f", level)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i, value := range picture.Pix {
		picture.Pix[i] = uint8(min(max(float64(value)/2+6*random.NormFloat64(), 0), 255))
	}
	if level := noise(picture, smooth(picture)); level < 2*noisy {
		t.Errorf("a noisy picture has the noise %.4f", level)
	}
	if level := noise(image.NewGray(image.Rect(0, 0, 9, 9)), image.NewGray(image.Rect(0, 0, 9, 9))); level != 0 {
		t.Errorf("darkness has the noise %.4f", level)
	}
}

func TestStark_KeepsBlackAndWhite(t *testing.T) {
	page := image.NewGray(image.Rect(0, 0, 3, 1))
	copy(page.Pix, []uint8{60, 150, 250})
	if stark := Stark(page); stark.Pix[0] != 0 || stark.Pix[1] < 80 || stark.Pix[1] > 140 || stark.Pix[2] != 255 {
		t.Errorf("%v became %v", page.Pix, stark.Pix)
	}
}

func TestSharpness_IsLessOfABlurredPicture(t *testing.T) {
	picture, _ := table(1000, 1400, Rectangle(1000, 1400))
	sharp, blurred := Sharpness(picture), Sharpness(blur(picture, 4))
	if sharp < 1 || blurred > 0.8*sharp {
		t.Errorf("sharp %.2f, blurred %.2f", sharp, blurred)
	}
	if none := Sharpness(image.NewGray(image.Rect(0, 0, 1, 1))); none != 0 {
		t.Errorf("one pixel has the sharpness %v", none)
	}
}

func TestGrey_OfEveryKindOfPicture(t *testing.T) {
	within := image.Rect(3, 5, 23, 17)
	grey := image.NewGray(image.Rect(0, 0, 40, 40))
	rgba, nrgba := image.NewRGBA(grey.Rect), image.NewNRGBA(grey.Rect)
	jpeg := image.NewYCbCr(grey.Rect, image.YCbCrSubsampleRatio420)
	for y := range 40 {
		for x := range 40 {
			value := uint8(4*x + y)
			grey.SetGray(x, y, color.Gray{Y: value})
			rgba.Set(x, y, color.Gray{Y: value})
			nrgba.Set(x, y, color.Gray{Y: value})
			jpeg.Y[jpeg.YOffset(x, y)] = value
		}
	}
	for i := range jpeg.Cb {
		jpeg.Cb[i], jpeg.Cr[i] = 128, 128
	}
	for name, picture := range map[string]image.Image{
		"grey": grey.SubImage(within), "RGBA": rgba.SubImage(within), "NRGBA": nrgba.SubImage(within), "YCbCr": jpeg.SubImage(within),
	} {
		made := Grey(picture, 100)
		if made.Rect != image.Rect(0, 0, 20, 12) {
			t.Fatalf("%s: %v", name, made.Rect)
		}
		if got := int(made.Pix[2*made.Stride+4]); got < 4*7+7-1 || got > 4*7+7+1 {
			t.Errorf("%s: %d", name, got)
		}
	}
	for name, picture := range map[string]image.Image{"RGBA": image.NewRGBA(within), "NRGBA": image.NewNRGBA(within)} {
		if got := Grey(picture, 100).Pix[0]; got != 255 {
			t.Errorf("%s: nothing is shown as %d instead of white", name, got)
		}
	}
	if small := Grey(grey, 10); small.Rect.Dx() != 10 {
		t.Errorf("the longest side has %d pixels", small.Rect.Dx())
	}
}

func TestRead_RefusesWhatIsTooSmall(t *testing.T) {
	if _, err := Read(t.Context(), &engine{}, image.NewGray(image.Rect(0, 0, 15, 4000))); err == nil {
		t.Error("a stripe was read")
	}
}
