package api

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

func (s Settings) templateRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/message-templates", Name: "message-templates", Permission: access.MessagesRead,
		Summary: "The texts of the program's notes in a language, as drivers get them and as they are by default"}, s.messageTemplates)
	web.Write(r, web.Route{Method: put, Path: "/api/message-templates", Name: "set-message-template",
		Permission: access.MessagesWrite,
		Summary:    "Change the text of a kind of note; notes that were told before keep theirs"}, setMessageTemplate)
	web.Write(r, web.Route{Method: del, Path: "/api/message-templates", Name: "reset-message-template",
		Permission: access.MessagesWrite, Summary: "Give a kind of note its default text again"}, resetMessageTemplate)
}

// NoteKind is what a note of the program is about; the contract lists all of them.
type NoteKind string

// Schema lists the kinds.
func (NoteKind) Schema(huma.Registry) *huma.Schema { return listed(messages.Kinds) }

// MessageTemplate is the text of a kind of note in a language.
type MessageTemplate struct {
	Kind           NoteKind   `json:"kind"`
	Language       Language   `json:"language"`
	Topic          string     `json:"topic"`
	Content        string     `json:"content"`
	DefaultTopic   string     `json:"defaultTopic"`
	DefaultContent string     `json:"defaultContent"`
	Own            bool       `json:"own" doc:"the partner wrote it"`
	Version        int64      `json:"version" doc:"counts the changes; 0: it never changed"`
	ChangedAt      *time.Time `json:"changedAt"`
	ChangedBy      string     `json:"changedBy"`
	Placeholders   []string   `json:"placeholders" nullable:"false" doc:"what the content may name; the topic may not name the payout"`
}

// MessageTemplates are the texts of all kinds of notes.
type MessageTemplates struct {
	Items   []MessageTemplate `json:"items" nullable:"false"`
	Example map[string]string `json:"example" doc:"what placeholders could stand for"`
}

func (s Settings) messageTemplates(tx *db.Tx, in *struct {
	Language Language `query:"lang" doc:"none: that of the instance"`
}) (out MessageTemplates, err error) {
	found, err := messages.Templates(tx, s.languageOr(in.Language))
	out.Items = make([]MessageTemplate, len(found))
	for i, t := range found {
		out.Items[i] = MessageTemplate{Kind: NoteKind(t.Kind), Language: Language(t.Text.Language), Topic: t.Text.Topic, Content: t.Text.Content,
			DefaultTopic: t.Default.Topic, DefaultContent: t.Default.Content, Own: t.Own, Version: t.Version,
			ChangedAt: instantOf(t.ChangedAt), ChangedBy: t.ChangedBy, Placeholders: messages.PlaceholdersOf(t.Kind)}
	}
	example := messages.Note{Params: map[string]string{"first": "2026-11-02", "last": "2026-11-08", "paid": "2026-11-11", "amount": "123456",
		"invoice": "FV/17/2026", "reason": "unreadable", "text": "…", "nip": "5213017228", "entry": "trip", "day": "2026-11-05",
		"document": "driving_licence", "until": "2026-12-31"}}
	out.Example = example.Values(s.languageOr(in.Language), s.Instance.Currency)
	return out, err
}

// MessageTemplateText is a text that a partner gives a kind of note.
type MessageTemplateText struct {
	Kind     NoteKind `json:"kind"`
	Language Language `json:"language"`
	Topic    string   `json:"topic" maxLength:"120"`
	Content  string   `json:"content" maxLength:"5000" doc:"paragraphs, **bold**, *italic*, lists, https links"`
	Version  int64    `json:"version" minimum:"0" doc:"what was edited; a text that changed meanwhile is refused"`
}

func setMessageTemplate(tx *db.Tx, in *struct{ Body MessageTemplateText }) (web.None, error) {
	b := in.Body
	return web.None{}, messages.SetTemplate(tx, messages.Kind(b.Kind),
		messages.Text{Language: i18n.Language(b.Language), Topic: b.Topic, Content: b.Content}, b.Version)
}

func resetMessageTemplate(tx *db.Tx, in *struct {
	Kind     NoteKind `query:"kind" required:"true"`
	Language Language `query:"lang" required:"true"`
	Version  int64    `query:"version" required:"true" minimum:"0" maximum:"1000000000"`
}) (web.None, error) {
	return web.None{}, messages.ResetTemplate(tx, messages.Kind(in.Kind), i18n.Language(in.Language), in.Version)
}
