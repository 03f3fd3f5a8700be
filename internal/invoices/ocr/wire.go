package ocr

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"saldo/internal/invoices/layout"
)

// A page goes to saldo-reader as one line of JSON with its size, and then its pixels, row by row. The answer is one object of JSON. So
// the program decodes no pictures, and a file that somebody sent never reaches it.

const (
	mostPixels = 12_000_000 // of a page that is read
	mostWords  = 20_000     // on it
	mostAnswer = 16 << 20   // bytes of the answer
)

type question struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Answer is what saldo-reader says of a page.
type Answer struct {
	Turned int           `json:"turned"`
	Words  []layout.Word `json:"words"`
	Error  string        `json:"error,omitempty"`
}

// ask writes a page.
func ask(to io.Writer, page *image.Gray) error {
	line, err := json.Marshal(question{page.Rect.Dx(), page.Rect.Dy()})
	if err != nil {
		return err
	}
	if _, err := to.Write(append(line, '\n')); err != nil {
		return err
	}
	for y := range page.Rect.Dy() {
		if _, err := to.Write(page.Pix[y*page.Stride:][:page.Rect.Dx()]); err != nil {
			return err
		}
	}
	return nil
}

// Asked reads a page as saldo-reader gets it.
func Asked(from io.Reader) (*image.Gray, error) {
	buffered := bufio.NewReaderSize(from, 1<<16)
	line, err := buffered.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("reading the size of the page: %w", err)
	}
	var size question
	if err := json.Unmarshal(line, &size); err != nil {
		return nil, fmt.Errorf("reading the size of the page: %w", err)
	}
	if size.Width < 1 || size.Height < 1 || size.Width > mostPixels || size.Height > mostPixels || size.Width*size.Height > mostPixels {
		return nil, fmt.Errorf("a page of %d x %d pixels is not read", size.Width, size.Height)
	}
	page := image.NewGray(image.Rect(0, 0, size.Width, size.Height))
	if _, err := io.ReadFull(buffered, page.Pix); err != nil {
		return nil, fmt.Errorf("reading the pixels of the page: %w", err)
	}
	return page, nil
}

var errRubbish = errors.New("saldo-reader answered something that is no list of words")

// answered reads an answer. What is not what a page can have is an error: the program runs code that is not ours.
func answered(content []byte) (Answer, error) {
	var answer Answer
	if err := json.Unmarshal(content, &answer); err != nil {
		return Answer{}, errRubbish
	}
	if answer.Error != "" {
		return Answer{}, fmt.Errorf("saldo-reader: %.200s", answer.Error)
	}
	if answer.Turned < 0 || answer.Turned > 3 || len(answer.Words) > mostWords {
		return Answer{}, errRubbish
	}
	for _, word := range answer.Words {
		inside := func(low, high float64) bool {
			return !math.IsNaN(low) && !math.IsNaN(high) && 0 <= low && low <= high && high <= 1
		}
		if !inside(word.Box.X0, word.Box.X1) || !inside(word.Box.Y0, word.Box.Y1) || !inside(0, word.Sure) || word.Page != 1 ||
			word.Text == "" || len(word.Text) > 1000 || !utf8.ValidString(word.Text) || strings.ContainsFunc(word.Text, notInWord) {
			return Answer{}, errRubbish
		}
	}
	return answer, nil
}

func notInWord(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
