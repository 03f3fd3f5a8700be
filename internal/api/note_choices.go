package api

import (
	"saldo/internal/kernel/access"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

func noteChoiceRoutes(r *web.Router) {
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/note-choices", Name: "note-choices", Permission: access.AccountRead,
		Summary: "How the driver is told of notes beside the board, by the chosen partner"}, noteChoices)
	web.Driver(r, web.Route{Method: put, Path: "/api/driver-accounts/note-choices", Name: "set-note-choices", Permission: access.AccountWrite,
		Summary: "Choose how to be told; it holds for everything that has not been sent yet"}, setNoteChoices)
}

// NoteChoices are how a driver is told beside the board.
type NoteChoices struct {
	NoteMails    bool   `json:"noteMails" doc:"mails of what the program tells"`
	NotePush     bool   `json:"notePush" doc:"devices learn of what the program tells"`
	MessageMails bool   `json:"messageMails" doc:"mails of messages that the partner writes"`
	Language     string `json:"language" enum:",pl,en,de,uk,ru" doc:"of mails and notifications; empty: that of the driver's card"`
}

func noteChoices(tx *db.Tx, who access.Actor, _ *nothing) (out NoteChoices, err error) {
	err = asOwnDriver(tx, who, messages.ErrNotFound, func(driver string) error {
		c, err := messages.ChoicesOf(tx, driver)
		out = NoteChoices{c.NoteMails, c.NotePush, c.MessageMails, string(c.Language)}
		return err
	})
	return out, err
}

// NoteChoiceChange is what a driver chooses anew; what is not given stays.
type NoteChoiceChange struct {
	NoteMails    *bool   `json:"noteMails,omitempty"`
	NotePush     *bool   `json:"notePush,omitempty"`
	MessageMails *bool   `json:"messageMails,omitempty"`
	Language     *string `json:"language,omitempty" enum:",pl,en,de,uk,ru" doc:"empty: that of the driver's card"`
}

func setNoteChoices(tx *db.Tx, who access.Actor, in *struct{ Body NoteChoiceChange }) (web.None, error) {
	b := in.Body
	return web.None{}, asOwnDriver(tx, who, messages.ErrNotFound, func(driver string) error {
		return messages.Choose(tx, driver, messages.ChoiceChange{NoteMails: b.NoteMails, NotePush: b.NotePush, MessageMails: b.MessageMails,
			Language: (*i18n.Language)(b.Language)})
	})
}
