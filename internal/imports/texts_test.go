package imports_test

import (
	"slices"
	"testing"

	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/providers"
	"saldo/internal/testkit"
)

func TestEveryRowErrorHasAText(t *testing.T) {
	codes := testkit.Constants(t, "internal/imports/statement", "RowErrorCode")
	for _, code := range codes {
		testkit.HasText(t, "exports:refused."+code)
	}
	if listed := pipeline.RowErrorCodes(); !slices.Equal(listed, codes) {
		t.Errorf("the contract has the codes %q, there are %q", listed, codes)
	}
}

func TestEveryKindOfFileHasAName(t *testing.T) {
	for _, layout := range providers.Layouts() {
		if layout.Kind == "other" {
			testkit.HasText(t, "imports:kindOther") // kind_other would be a plural form
			continue
		}
		testkit.HasText(t, "imports:kind_"+layout.Kind)
	}
}
