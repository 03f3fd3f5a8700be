// Package connector hands invoices of the operator to the tax authority's system through a connector.
package connector

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"saldo/internal/ksef/numbers"
	"strings"
	"time"
)

// Receipt is what the office says of an invoice: its number, or why it is refused.
type Receipt struct{ Number, Refused string }

// Client speaks HTTP: a connector that holds the certificates of KSeF takes the file as the body of a POST
// and answers {"number": …} with 200, 201 or, for what is there already, 409; or {"reason": …} with 400 or 422.
type Client struct {
	URL  string
	HTTP *http.Client
}

// maxAnswer is as much as an office is listened to.
const maxAnswer = 64 << 10

// Send posts the file.
func (c Client) Send(ctx context.Context, file []byte) (Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	rq, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(c.URL, "/")+"/invoices", bytes.NewReader(file))
	if err != nil {
		return Receipt{}, err
	}
	rq.Header.Set("Content-Type", "application/xml")
	resp, err := c.HTTP.Do(rq)
	if err != nil {
		return Receipt{}, err
	}
	defer resp.Body.Close()
	var receipt struct{ Number, Reason string }
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&receipt); err != nil {
		return Receipt{}, fmt.Errorf("KSeF answers %d without a receipt", resp.StatusCode)
	}
	switch resp.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusConflict:
		if !numbers.IsInvoice(receipt.Number) {
			return Receipt{}, errors.New("KSeF gave a number that is none of its own")
		}
		return Receipt{Number: receipt.Number}, nil
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		if receipt.Reason == "" {
			receipt.Reason = http.StatusText(resp.StatusCode)
		}
		return Receipt{Refused: cut(receipt.Reason)}, nil
	}
	return Receipt{}, fmt.Errorf("KSeF answers %d", resp.StatusCode)
}

func cut(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), 500)])
}
