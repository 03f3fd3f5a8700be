package messages_test

import (
	"strings"
	"testing"

	"saldo/internal/messages"
	"saldo/internal/platform/i18n"
)

// Every kind of note has a text in every language, with every value that it names.
func TestNotes_ReadInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Languages {
		for _, kind := range messages.Kinds {
			topic, content := messages.Told(&messages.Note{Kind: kind, Params: map[string]string{
				"first": "2026-11-02", "last": "2026-11-08", "paid": "2026-11-11", "amount": "123456"}}, language, "PLN")
			if topic == "" || content == "" || strings.Contains(topic+content, "{{") || strings.Contains(topic+content, string(kind)) {
				t.Errorf("%s %s: %q %q", language, kind, topic, content)
			}
		}
	}
}
