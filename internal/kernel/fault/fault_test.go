package fault

import (
	"errors"
	"fmt"
	"testing"
)

var errClosed = Declare(Conflict, "test.closed")

func TestADeclaredFaultNeverChanges(t *testing.T) {
	made := errClosed.With("period", "2026-W45").Field("name", TooLong, "max", "50").Because(errors.New("disk"))
	if len(errClosed.Params) != 0 || len(errClosed.Fields) != 0 || errClosed.Unwrap() != nil {
		t.Fatalf("the declared fault now holds %+v", errClosed)
	}
	if made.Params["period"] != "2026-W45" || made.Fields[0].Params["max"] != "50" {
		t.Fatalf("the made fault lost something: %+v", made)
	}
}

func TestFaultsAreComparedByCode(t *testing.T) {
	wrapped := fmt.Errorf("settling: %w", errClosed.With("period", "x"))
	if !errors.Is(wrapped, errClosed) {
		t.Error("a fault with parameters is not the declared one")
	}
	if errors.Is(wrapped, &Fault{Code: "test.other"}) {
		t.Error("a fault equals one of another code")
	}
}

func TestTheSameCodeCannotBeDeclaredTwice(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("declared twice without a panic")
		}
	}()
	Declare(Conflict, "test.closed")
}
