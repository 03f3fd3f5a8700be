package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"saldo/internal/accounts"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

func (s Settings) messagesRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/direct-messages", Name: "messages", Permission: access.MessagesRead,
		Summary: "Messages that the partner wrote, newest first, and what became of them"}, s.listMessages)
	web.Write(r, web.Route{Method: post, Path: "/api/direct-messages", Name: "send-message", Mails: true,
		Permission: access.MessagesWrite, Status: http.StatusCreated, Timeout: time.Minute,
		Summary: "Write to drivers; to many it is sent half a minute later, so that it can be cancelled"}, s.sendMessage)
	web.Plain(r, web.Route{Method: post, Path: "/api/direct-messages/preview", Name: "preview-message",
		Permission: access.MessagesRead, Timeout: time.Minute,
		Summary: "Who would get a message, who would not and why; nothing is sent"}, s.previewMessage)
	web.Plain(r, web.Route{Method: get, Path: "/api/direct-messages/{id}", Name: "message", Permission: access.MessagesOpen,
		Summary: "One message: of a partner with what became of it, of a driver as it stands on their board"}, s.message)
	web.Read(r, web.Route{Method: get, Path: "/api/direct-messages/{id}/recipients", Name: "message-recipients",
		Permission: access.MessagesRead, Summary: "To whom a message goes and what became of it: failures first"}, messageRecipients)
	web.Driver(r, web.Route{Method: put, Path: "/api/direct-messages/{id}", Name: "read-note", Permission: access.AccountWrite,
		Summary: "The driver has read a note"}, asDriver(messages.Read))
	web.Driver(r, web.Route{Method: put, Path: "/api/direct-messages/board/read", Name: "read-board", Permission: access.AccountWrite,
		Summary: "The driver has read every note"}, readBoard)
	web.Driver(r, web.Route{Method: post, Path: "/api/direct-messages/{id}/confirm", Name: "confirm-note", Permission: access.AccountWrite,
		Summary: "The driver says that they have read a note, where the partner asks for it"}, asDriver(messages.Confirm))
	web.Plain(r, web.Route{Method: put, Path: "/api/direct-messages/delete/{id}", Name: "delete-message", Permission: access.MessagesOpen,
		Summary: "A driver takes a note off their own board; a partner a message off every board. Mails and SMS stay sent"}, s.deleteMessage)
	web.Driver(r, web.Route{Method: put, Path: "/api/direct-messages/restore/{id}", Name: "restore-note", Permission: access.AccountWrite,
		Summary: "The driver takes the deletion of a note back"}, asDriver(messages.Restore))
	web.Plain(r, web.Route{Method: put, Path: "/api/direct-messages/pinned/{id}", Name: "pin-message", Permission: access.MessagesOpen,
		Summary: "Put a message first: a driver on their own board, a partner on every board"}, s.pinMessage)
	web.Write(r, web.Route{Method: post, Path: "/api/direct-messages/{id}/cancel", Name: "cancel-message", Permission: access.MessagesWrite,
		Summary: "Take a message back while it waits; of one that has begun, the SMS that wait for the morning"}, cancelMessage)
	web.Write(r, web.Route{Method: post, Path: "/api/direct-messages/{id}/retry", Name: "retry-message", Mails: true,
		Permission: access.MessagesWrite, Summary: "Try the failed mails and SMS of a message again, or those of one driver"}, s.retryMessage)
	web.Driver(r, web.Route{Method: get, Path: "/api/direct-messages/board", Name: "board", Permission: access.AccountRead,
		Summary: "What stands on the driver's board: pinned notes first, then the newest"}, s.board)
	s.templateRoutes(r)
	noteChoiceRoutes(r)
}

// MessageText is a message in one language.
type MessageText struct {
	Language Language `json:"language"`
	Topic    string   `json:"topic,omitempty" maxLength:"120" doc:"empty: the first line of the content"`
	Content  string   `json:"content" maxLength:"5000" doc:"paragraphs, **bold**, *italic*, lists, https links"`
}

// MessageDraft is a message that a partner writes.
type MessageDraft struct {
	Topic        string        `json:"topic,omitempty" maxLength:"120" doc:"empty: the first line of the content"`
	Content      string        `json:"content" maxLength:"5000" doc:"paragraphs, **bold**, *italic*, lists, https links"`
	Language     Language      `json:"language,omitempty" doc:"of the text; none: that of the instance"`
	Translations []MessageText `json:"translations,omitempty" maxItems:"4"`
	Channel      []string      `json:"channel" nullable:"false" minItems:"1" maxItems:"3" enum:"BOARD,EMAIL,SMS"`
	DriverUUIDs  []string      `json:"driverUUIDs,omitempty" maxItems:"20000"`
	Tags         []string      `json:"tags,omitempty" maxItems:"100" doc:"ids of tags: drivers who have any of them"`
	List         *DriverChoice `json:"list,omitempty" doc:"drivers of a list"`
	SendToAll    bool          `json:"sendToAll,omitempty"`
	Pinned       bool          `json:"pinned,omitempty" doc:"first on the board"`
	Confirm      bool          `json:"confirm,omitempty" doc:"drivers are asked to say that they have read it"`
	PlainLetters bool          `json:"plainLetters,omitempty" doc:"SMS without Polish letters, which make it longer"`
	SendAt       string        `json:"sendAt,omitempty" maxLength:"16" doc:"YYYY-MM-DDTHH:MM on the clock of the instance; empty: at once"`
	Period       string        `json:"period,omitempty" maxLength:"8" doc:"week whose {period} and {payout} the text names, as 2026-W45"`
	Expects      int64         `json:"expects,omitempty" minimum:"0" doc:"to how many drivers it goes, as was shown; needed with sendToAll"`
}

// DriverChoice chooses drivers as their list does.
type DriverChoice struct {
	_       struct{} `nullable:"true"`
	Query   string   `json:"query,omitempty" maxLength:"200"`
	Tag     string   `json:"tag,omitempty" maxLength:"64"`
	Income  bool     `json:"income,omitempty" doc:"with income in the last four weeks"`
	State   string   `json:"state,omitempty" enum:",active,inactive"`
	Missing string   `json:"missing,omitempty" enum:",iban,tax_id,schema,account"`
}

// channels are those of the contract and those of the domain.
var channels = map[string]messages.Channel{"BOARD": messages.Board, "EMAIL": messages.Mail, "SMS": messages.SMS}

func (s Settings) draftOf(b *MessageDraft) messages.Draft {
	if b.Language == "" {
		b.Language = Language(s.Instance.Language)
	}
	d := messages.Draft{Text: messages.Text{Language: i18n.Language(b.Language), Topic: b.Topic, Content: b.Content}, Pinned: b.Pinned,
		Confirm: b.Confirm, Plain: b.PlainLetters, LocalTime: b.SendAt, Period: b.Period, Expects: b.Expects,
		To: messages.Audience{Everybody: b.SendToAll, Drivers: b.DriverUUIDs, Tags: b.Tags}}
	for _, c := range b.Channel {
		d.Channels = append(d.Channels, channels[c])
	}
	for _, t := range b.Translations {
		d.Translations = append(d.Translations, messages.Text{Language: i18n.Language(t.Language), Topic: t.Topic, Content: t.Content})
	}
	if b.List != nil {
		d.To.List = &drivers.Filter{Query: b.List.Query, Tag: b.List.Tag, State: b.List.State, Missing: b.List.Missing}
		if b.List.Income {
			d.To.List.Income = s.Instance.Location()
		}
	}
	return d
}

// SentMessage is what sending a message answers.
type SentMessage struct {
	ID         string    `json:"id"`
	Recipients int64     `json:"recipients"`
	StartsAt   time.Time `json:"startsAt" doc:"until then it can be cancelled"`
	Waits      bool      `json:"waits" doc:"it is sent only then"`
}

func (s Settings) sendMessage(tx *db.Tx, in *struct{ Body MessageDraft }) (SentMessage, error) {
	m, err := s.Messages.Commission(tx, s.draftOf(&in.Body))
	return SentMessage{m.ID, m.Recipients, m.StartsAt, m.State == messages.Waiting}, err
}

// MessageGroup is drivers whom a reason concerns.
type MessageGroup struct {
	Code    string        `json:"code" enum:"blocked,inactive,no_address,no_phone,no_mails,no_settlement"`
	Count   int64         `json:"count"`
	Drivers []NamedDriver `json:"drivers" nullable:"false" doc:"the first five"`
}

func groupOf(g messages.Group) MessageGroup {
	out := MessageGroup{string(g.Refusal), g.Count, []NamedDriver{}}
	for _, d := range g.Drivers {
		out.Drivers = append(out.Drivers, NamedDriver(d))
	}
	return out
}

// MessagePreview is what sending a message would do.
type MessagePreview struct {
	Recipients     int64          `json:"recipients"`
	ByMail         int64          `json:"byMail" doc:"who of them get a mail"`
	WithoutAccount int64          `json:"withoutAccount" doc:"who see the board only once they have an account"`
	WithoutAddress MessageGroup   `json:"withoutAddress" doc:"who get no mail"`
	WithoutPhone   MessageGroup   `json:"withoutPhone" doc:"who get no SMS"`
	Unwilling      MessageGroup   `json:"unwilling" doc:"who want no mails and get it another way"`
	LeftOut        []MessageGroup `json:"leftOut" nullable:"false"`
	SMS            *SMSPreview    `json:"sms,omitempty" doc:"where it goes by SMS"`
}

func (s Settings) previewMessage(ctx context.Context, c web.Call, in *struct{ Body MessageDraft }) (out MessagePreview, err error) {
	err = s.DB.Read(ctx, c.Actor, func(tx *db.Tx) error {
		p, err := s.Messages.Preview(tx, s.draftOf(&in.Body))
		if err != nil {
			return err
		}
		out = MessagePreview{p.Recipients, p.ByMail, p.WithoutAccount, groupOf(p.WithoutAddress), groupOf(p.WithoutPhone), groupOf(p.Unwilling),
			[]MessageGroup{}, smsPreviewOf(p.SMS)}
		for _, g := range p.LeftOut {
			out.LeftOut = append(out.LeftOut, groupOf(g))
		}
		return nil
	})
	return out, err
}

// MessageRow is a message in a list.
type MessageRow struct {
	ID         string     `json:"id"`
	Topic      string     `json:"topic"`
	Channels   []string   `json:"channels" nullable:"false" enum:"BOARD,EMAIL,SMS"`
	Pinned     bool       `json:"pinned"`
	Confirm    bool       `json:"confirm"`
	SendToAll  bool       `json:"sendToAll"`
	State      string     `json:"state" enum:"commissioned,sent,error,cancelled"`
	Waits      bool       `json:"waits" doc:"it can be cancelled"`
	SendAt     string     `json:"sendAt" doc:"as it was written; empty: at once"`
	StartsAt   time.Time  `json:"startsAt"`
	CreatedAt  time.Time  `json:"createdAt"`
	CreatedBy  string     `json:"createdBy"`
	FinishedAt *time.Time `json:"finishedAt"`
	Withdrawn  bool       `json:"withdrawn"`
	Recipients int64      `json:"recipients"`
	LeftOut    int64      `json:"leftOut"`
	Delivered  int64      `json:"delivered"`
	Failed     int64      `json:"failed"`
	Waiting    int64      `json:"waiting"`
	UnsentSMS  int64      `json:"unsentSMS" doc:"SMS that wait, as for the morning, and can be cancelled"`
	Read       int64      `json:"read"`
	Confirmed  int64      `json:"confirmed"`
	Now        time.Time  `json:"now" doc:"the server's clock"`
}

func messageRowOf(tx *db.Tx, l *messages.Listed) MessageRow {
	row := MessageRow{ID: l.ID, Topic: l.Topic, Channels: []string{}, Pinned: l.Pinned, Confirm: l.Confirm, SendToAll: l.Everybody,
		State: string(l.Outcome), Waits: l.State == messages.Waiting, SendAt: l.LocalTime, StartsAt: l.StartsAt, CreatedAt: l.CreatedAt,
		CreatedBy: l.CreatedBy, FinishedAt: instantOf(l.FinishedAt), Withdrawn: !l.WithdrawnAt.IsZero(), Recipients: l.Recipients,
		LeftOut: l.LeftOut, Delivered: l.Delivered, Failed: l.Failed, Waiting: l.Waiting, UnsentSMS: l.Unsent, Read: l.Read,
		Confirmed: l.Confirmed, Now: tx.Now}
	for _, name := range []string{"BOARD", "EMAIL", "SMS"} {
		if l.Has(channels[name]) {
			row.Channels = append(row.Channels, name)
		}
	}
	return row
}

// MessageList is a page of messages.
type MessageList struct {
	Items []MessageRow `json:"items" nullable:"false"`
	Total int64        `json:"total"`
}

func (s Settings) listMessages(tx *db.Tx, in *struct {
	Query   string `query:"q" maxLength:"200"`
	Channel string `query:"channel" enum:"BOARD,EMAIL,SMS"`
	From    string `query:"from" format:"date"`
	To      string `query:"to" format:"date" doc:"the last day"`
	Page    int64  `query:"page" minimum:"1" maximum:"100000" default:"1"`
	Size    int64  `query:"size" minimum:"1" maximum:"50" default:"20"`
}) (out MessageList, err error) {
	f := messages.Filter{Query: in.Query, Channel: channels[in.Channel], Page: in.Page, Size: in.Size}
	if in.From != "" {
		f.From, err = time.ParseInLocation(time.DateOnly, in.From, s.Instance.Location())
	}
	if in.To != "" && err == nil {
		f.To, err = time.ParseInLocation(time.DateOnly, in.To, s.Instance.Location())
		f.To = f.To.AddDate(0, 0, 1)
	}
	if err != nil {
		return out, messages.ErrInvalid.Field("from", fault.WrongFormat)
	}
	items, total, err := messages.List(tx, f)
	out = MessageList{Items: make([]MessageRow, len(items)), Total: total}
	for i := range items {
		out.Items[i] = messageRowOf(tx, &items[i])
	}
	return out, err
}

// Message is one message: of a partner or of a driver.
type Message struct {
	Message      *MessageRow   `json:"message,omitempty" doc:"for a partner"`
	Text         *MessageText  `json:"text,omitempty" doc:"for a partner: as it was written"`
	Translations []MessageText `json:"translations" nullable:"false"`
	Note         *BoardNote    `json:"note,omitempty" doc:"for a driver"`
}

func (s Settings) message(ctx context.Context, c web.Call, in *struct {
	ID       string   `path:"id" maxLength:"64"`
	Language Language `query:"lang" doc:"of a note; none: that of the instance"`
}) (out Message, err error) {
	out.Translations = []MessageText{}
	if c.Actor.Role == access.Driver {
		err = s.DB.Read(ctx, web.DriverScope(c.Actor), func(tx *db.Tx) error {
			return asOwnDriver(tx, c.Actor, messages.ErrNotFound, func(driver string) error {
				n, err := messages.NoteOf(tx, driver, in.ID, s.languageOr(in.Language))
				if err != nil {
					return err
				}
				note := s.noteOf(&n, s.languageOr(in.Language))
				out.Note = &note
				return nil
			})
		})
		return out, err
	}
	err = s.DB.Read(ctx, c.Actor, func(tx *db.Tx) error {
		l, err := messages.ListedOf(tx, in.ID)
		if err != nil {
			return err
		}
		row := messageRowOf(tx, &l)
		out.Message, out.Text = &row, &MessageText{Language(l.Language), l.Topic, l.Content}
		texts, err := messages.Translations(tx, in.ID)
		for _, t := range texts {
			out.Translations = append(out.Translations, MessageText{Language(t.Language), t.Topic, t.Content})
		}
		return err
	})
	return out, err
}

// MessageRecipient is a driver of a message and what became of it.
type MessageRecipient struct {
	DriverID    string     `json:"driverId"`
	FirstName   string     `json:"firstName"`
	LastName    string     `json:"lastName"`
	Refusal     string     `json:"refusal" enum:",blocked,inactive,no_address,no_phone,no_mails,no_settlement,quota" doc:"why not"`
	OnBoard     bool       `json:"onBoard"`
	Mail        string     `json:"mail" enum:",queued,sent,failed"`
	Reason      string     `json:"reason" doc:"why the mail failed or waits, in the server's words"`
	SMS         string     `json:"sms" enum:",queued,accepted,delivered,undelivered,failed,expired"`
	SMSReason   SMSReason  `json:"smsReason" doc:"why there was no SMS, or it was not delivered"`
	Phone       string     `json:"phone" doc:"where the SMS went: the last digits"`
	ReadAt      *time.Time `json:"readAt"`
	ConfirmedAt *time.Time `json:"confirmedAt"`
}

// MessageRecipients are a page of a message's drivers.
type MessageRecipients struct {
	Items []MessageRecipient `json:"items" nullable:"false"`
	Size  int64              `json:"size" doc:"the most on a page"`
}

func messageRecipients(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Page int64  `query:"page" minimum:"1" maximum:"100000" default:"1"`
}) (out MessageRecipients, err error) {
	if _, err := messages.Of(tx, in.ID); err != nil {
		return out, err
	}
	found, err := messages.Recipients(tx, in.ID, in.Page)
	out = MessageRecipients{make([]MessageRecipient, len(found)), messages.RecipientsMax}
	for i, r := range found {
		out.Items[i] = MessageRecipient{r.DriverID, r.FirstName, r.LastName, string(r.Refusal), r.Placed, string(r.MailState), r.Reason,
			string(r.SMSState), SMSReason(r.SMSReason), r.Phone, instantOf(r.ReadAt), instantOf(r.ConfirmedAt)}
	}
	return out, err
}

func cancelMessage(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, messages.Cancel(tx, in.ID)
}

// RetriedMessage is what trying again answers.
type RetriedMessage struct {
	Count int64 `json:"count" doc:"mails and SMS that are tried again"`
}

func (s Settings) retryMessage(tx *db.Tx, in *struct {
	ID     string `path:"id" maxLength:"64"`
	Driver string `query:"driver" maxLength:"64" doc:"none: all that failed"`
}) (RetriedMessage, error) {
	n, err := s.Messages.Retry(tx, in.ID, in.Driver)
	return RetriedMessage{n}, err
}

// asDriver is an operation of a driver on one of their notes.
func asDriver(do func(tx *db.Tx, driver, id string) error) func(*db.Tx, access.Actor, *named) (web.None, error) {
	return func(tx *db.Tx, who access.Actor, in *named) (web.None, error) {
		return web.None{}, asOwnDriver(tx, who, messages.ErrNotFound, func(driver string) error { return do(tx, driver, in.ID) })
	}
}

func readBoard(tx *db.Tx, who access.Actor, _ *nothing) (web.None, error) {
	return web.None{}, asOwnDriver(tx, who, messages.ErrNotFound, func(driver string) error { return messages.ReadAll(tx, driver) })
}

// byRole does something once for the key of a request: as the partner, or as the driver.
func (s Settings) byRole(ctx context.Context, c web.Call, sum string, partner func(*db.Tx) error, driver func(*db.Tx, string) error) error {
	_, _, err := writeAsSide(s, ctx, c, sum, messages.ErrNotFound, func(tx *db.Tx, id string) (web.None, error) {
		if id != "" {
			return web.None{}, driver(tx, id)
		}
		return web.None{}, partner(tx)
	})
	return err
}

func (s Settings) deleteMessage(ctx context.Context, c web.Call, in *named) (web.None, error) {
	return web.None{}, s.byRole(ctx, c, "delete-message "+in.ID, func(tx *db.Tx) error { return messages.Withdraw(tx, in.ID) },
		func(tx *db.Tx, driver string) error { return messages.Hide(tx, driver, in.ID) })
}

func (s Settings) pinMessage(ctx context.Context, c web.Call, in *struct {
	ID     string `path:"id" maxLength:"64"`
	Pinned bool   `query:"pinned"`
}) (web.None, error) {
	return web.None{}, s.byRole(ctx, c, "pin-message "+in.ID+" "+strconv.FormatBool(in.Pinned),
		func(tx *db.Tx) error { return messages.Pin(tx, in.ID, in.Pinned) },
		func(tx *db.Tx, driver string) error { return messages.PinNote(tx, driver, in.ID, in.Pinned) })
}

// BoardNote is what stands on a driver's board.
type BoardNote struct {
	ID          string     `json:"id"`
	Kind        string     `json:"kind" doc:"message, or what the program tells"`
	Settlement  string     `json:"settlement" doc:"the settlement that it is about; empty: none"`
	Question    string     `json:"question" doc:"the question that it is about; empty: none"`
	Invoice     string     `json:"invoice" doc:"the invoice that it is about; empty: none"`
	Document    string     `json:"document" doc:"the type of document that it is about; empty: none"`
	Vehicle     string     `json:"vehicle" doc:"whose document it is; empty: the driver's"`
	Language    Language   `json:"language"`
	Topic       string     `json:"topic"`
	Content     string     `json:"content" doc:"formatted as messages are"`
	Pinned      bool       `json:"pinned"`
	Confirm     bool       `json:"confirm" doc:"the partner asks to confirm that it was read"`
	PlacedAt    time.Time  `json:"placedAt"`
	ReadAt      *time.Time `json:"readAt"`
	ConfirmedAt *time.Time `json:"confirmedAt"`
	// Values are those of this note alone.
	Values map[string]string `json:"values" doc:"what further placeholders in its text stand for"`
}

// noteOf is a note with its values in a language.
func (s Settings) noteOf(n *messages.Note, language i18n.Language) BoardNote {
	out := BoardNote{ID: n.ID, Kind: string(n.Kind), Language: Language(n.Text.Language), Topic: n.Text.Topic, Content: n.Text.Content,
		Pinned: n.Pinned, Confirm: n.Confirm, PlacedAt: n.PlacedAt, ReadAt: instantOf(n.ReadAt), ConfirmedAt: instantOf(n.ConfirmedAt),
		Values: n.Values(language, s.Instance.Currency)}
	if strings.HasPrefix(string(n.Kind), "settlement_") || n.Kind == messages.PayoutReturned {
		out.Settlement = n.ObjectID
	}
	if n.Kind == messages.QuestionAnswered || n.Kind == messages.QuestionClosed {
		out.Question = n.ObjectID
	}
	if strings.HasPrefix(string(n.Kind), "invoice_") {
		out.Invoice = n.ObjectID
	}
	if strings.HasPrefix(string(n.Kind), "document_") {
		out.Document, out.Vehicle = n.Params["type"], n.Params["vehicle"]
	}
	return out
}

// DriverBoard is a driver's board.
type DriverBoard struct {
	Notes  []BoardNote       `json:"notes" nullable:"false"`
	Unread int64             `json:"unread"`
	Values map[string]string `json:"values" doc:"what placeholders in texts stand for"`
}

func (s Settings) board(tx *db.Tx, who access.Actor, in *struct {
	Language Language  `query:"lang" doc:"none: that of the instance"`
	Before   time.Time `query:"before" doc:"older notes than that"`
}) (out DriverBoard, err error) {
	out = DriverBoard{Notes: []BoardNote{}, Values: map[string]string{}}
	partner, driver, err := accounts.OwnDriver(tx, who)
	if err != nil || driver == "" {
		return out, err
	}
	language := s.languageOr(in.Language)
	err = tx.As(who.In(partner), func() error {
		notes, err := messages.OnBoard(tx, driver, language, in.Before)
		if err != nil {
			return err
		}
		for i := range notes {
			out.Notes = append(out.Notes, s.noteOf(&notes[i], language))
		}
		if out.Values, err = messages.ValuesFor(tx, driver); err != nil {
			return err
		}
		out.Unread, err = messages.Unread(tx, driver)
		return err
	})
	return out, err
}
