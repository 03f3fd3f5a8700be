// Saldo-reader finds the words on one page: pixels in, words with their places out. Saldo starts it for every page, so whatever happens
// in the library that runs the models ends with that page.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"saldo/internal/invoices/ocr"
	"saldo/internal/invoices/ocr/onnx"
	"saldo/internal/invoices/ocr/ppocr"
)

// threads is what one page is read with: the other processors belong to people.
const threads = 1

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "saldo-reader finds the words on a page for saldo, which starts it; see docs/operate/invoices.md")
		os.Exit(2)
	}
	found, err := ocr.Answer{}, confine()
	if err == nil {
		found, err = answer(os.Stdin)
	}
	if err != nil {
		found = ocr.Answer{Error: err.Error()}
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		os.Exit(1)
	}
}

func answer(from io.Reader) (ocr.Answer, error) {
	page, err := ocr.Asked(from)
	if err != nil {
		return ocr.Answer{}, err
	}
	own, err := os.Executable()
	if err != nil {
		return ocr.Answer{}, err
	}
	reader, err := open(filepath.Dir(own))
	if err != nil {
		return ocr.Answer{}, err
	}
	words, turned, err := reader.Words(page)
	return ocr.Answer{Words: words, Turned: turned}, err
}

// open loads the library and the three models that lie beside the program.
func open(folder string) (*ppocr.Reader, error) {
	library, err := onnx.Open(filepath.Join(folder, "libonnxruntime.so"))
	if err != nil {
		return nil, err
	}
	sessions := map[string]*onnx.Session{}
	for _, name := range []string{"detection", "orientation", "recognition"} {
		if sessions[name], err = library.Load(filepath.Join(folder, name+".onnx"), threads); err != nil {
			return nil, err
		}
	}
	symbols, err := sessions["recognition"].Metadata("character")
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(symbols) == "" {
		return nil, fmt.Errorf("recognition.onnx names no symbols")
	}
	return &ppocr.Reader{
		Detection:   sessions["detection"],
		Orientation: sessions["orientation"],
		Recogniser:  ppocr.Recogniser{Model: sessions["recognition"], Symbols: ppocr.Symbols(symbols)},
	}, nil
}
