package messages

import (
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/messages/markdown"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// ErrTextChanged is the answer to changing a text that somebody else changed meanwhile.
var ErrTextChanged = fault.Declare(fault.Conflict, "messages.text_changed")

// Template is the text of a kind of note in a language, with placeholders.
type Template struct {
	Kind      Kind
	Text      Text  // as drivers get it now
	Default   Text  // as the program has it
	Own       bool  // the partner wrote it
	Version   int64 // counts the changes; 0: it never changed
	ChangedAt time.Time
	ChangedBy string
}

// wording is a version of the text of a kind of note.
type wording struct {
	Kind      Kind
	Language  i18n.Language
	Version   int64
	Topic     string
	Content   string // empty: the program's own
	Since     time.Time
	ChangedBy string
}

// wordings are the versions that a partner wrote, the oldest first.
func wordings(tx *db.Tx, language i18n.Language) ([]wording, error) {
	return db.Select[wording](tx, `SELECT kind, language, version, topic, content, since, changed_by FROM message_templates
		WHERE tenant_id = $1 AND language = $2 ORDER BY version`, string(language))
}

// textAt is the text of a kind of note at an instant: a note keeps the text of when it was told, whatever a partner changes later.
func textAt(all []wording, kind Kind, language i18n.Language, when time.Time) (text Text, last wording) {
	for _, w := range all {
		if w.Kind == kind && !w.Since.After(when) {
			last = w
		}
	}
	if last.Content == "" {
		return defaultText(kind, language), last
	}
	return Text{language, last.Topic, last.Content}, last
}

// defaultText is the program's own text of a kind of note.
func defaultText(kind Kind, language i18n.Language) Text {
	text := func(key string, names []string) string {
		params := make([]any, 0, 2*len(names))
		for _, name := range names {
			params = append(params, name, "{"+placeholderOf[name]+"}")
		}
		return i18n.Of(language, key, params...)
	}
	return Text{language, text("notes:topic_"+string(kind), says[kind][0]), text("notes:content_"+string(kind), says[kind][1])}
}

// PlaceholdersOf are what the content of a kind of note may name. A topic may name all but an amount: it is read on lock screens.
func PlaceholdersOf(kind Kind) []string {
	names := []string{"first_name", "partner"}
	for _, name := range says[kind][1] {
		names = append(names, placeholderOf[name])
	}
	return slices.Compact(names) // the partner may stand first
}

// Templates are the texts of all notes of the program in a language.
func Templates(tx *db.Tx, language i18n.Language) ([]Template, error) {
	all, err := wordings(tx, language)
	if err != nil {
		return nil, err
	}
	found := make([]Template, len(Kinds))
	for i, kind := range Kinds {
		text, last := textAt(all, kind, language, tx.Now)
		found[i] = Template{Kind: kind, Text: text, Default: defaultText(kind, language), Own: last.Content != "", Version: last.Version,
			ChangedAt: last.Since, ChangedBy: last.ChangedBy}
	}
	return found, nil
}

// SetTemplate makes a text of the partner that of a kind of note from now on, if nobody changed it since the version that it was read at.
func SetTemplate(tx *db.Tx, kind Kind, text Text, version int64) error {
	if !slices.Contains(Kinds, kind) {
		return ErrNotFound
	}
	f := validate.New(ErrInvalid)
	text.Topic = f.Text("topic", text.Topic, TopicMax, true)
	text.Content = strings.TrimSpace(strings.ReplaceAll(text.Content, "\r\n", "\n"))
	switch n := len([]rune(text.Content)); {
	case n == 0:
		f.Wrong("content", fault.Required)
	case n > ContentMax:
		f.Wrong("content", fault.TooLong, "max", "5000")
	}
	known := PlaceholdersOf(kind)
	checkPlaceholders(f, "content", text.Content, known)
	checkPlaceholders(f, "topic", text.Topic, slices.DeleteFunc(known, func(name string) bool { return name == "payout" }))
	if err := f.Err(); err != nil {
		return err
	}
	return reword(tx, kind, text, version, "messages.set_text")
}

// ResetTemplate gives a kind of note the program's own text again.
func ResetTemplate(tx *db.Tx, kind Kind, language i18n.Language, version int64) error {
	if !slices.Contains(Kinds, kind) {
		return ErrNotFound
	}
	return reword(tx, kind, Text{Language: language}, version, "messages.reset_text")
}

// reword writes the next version. Its number decides between two people: the second one's is taken.
func reword(tx *db.Tx, kind Kind, text Text, version int64, action string) error {
	all, err := wordings(tx, text.Language)
	if err != nil {
		return err
	}
	_, last := textAt(all, kind, text.Language, tx.Now)
	switch {
	case last.Topic == text.Topic && last.Content == text.Content:
		return nil // the same again, or the own text where it is already
	case last.Version != version:
		return ErrTextChanged
	}
	n, err := tx.Exec(`INSERT INTO message_templates (tenant_id, kind, language, version, topic, content, since, changed_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
		string(kind), string(text.Language), version+1, text.Topic, text.Content, tx.Now, tx.Actor.Name)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrTextChanged
	}
	return audit.Record(tx, audit.Change{Action: action, Kind: "message_template", ID: string(kind) + " " + string(text.Language),
		Before: map[string]any{"topic": last.Topic, "content": last.Content},
		After:  map[string]any{"topic": text.Topic, "content": text.Content}})
}

// checkPlaceholders refuses what a text has in braces and nothing stands for.
func checkPlaceholders(f *validate.Form, field, text string, known []string) {
	unknown := slices.DeleteFunc(markdown.Used(text), func(name string) bool { return slices.Contains(known, name) })
	if unknown = append(markdown.Unknown(text), unknown...); len(unknown) > 0 {
		f.Wrong(field, fault.Unknown, "words", strings.Join(unknown, ", "))
	}
}
