package api

import (
	"net/http"
	"time"

	"saldo/internal/accounts"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/questions"
)

func (s Settings) questionsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/threads", Name: "threads", Permission: access.SettlementsRead,
		Summary: "What drivers asked about their settlements; open questions begin with the one that waits longest"}, threads)
	web.Read(r, web.Route{Method: get, Path: "/api/threads/{id}", Name: "thread", Permission: access.SettlementsRead,
		Summary: "One question with everything that was written"}, thread)
	web.Write(r, web.Route{Method: post, Path: "/api/threads/{id}/entries", Name: "answer-question", Permission: access.SettlementsWrite,
		Summary: "Answer or close a question; with a correction, the transaction is entered for the driver"}, s.answerQuestion)
	web.Driver(r, web.Route{Method: post, Path: "/api/driver-accounts/settlements/{id}/questions", Name: "ask-question",
		Permission: access.AccountWrite, Status: http.StatusCreated,
		Summary: "Ask about a settlement, a line of it or a row; about the same thing there is one question"}, s.askQuestion)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/questions", Name: "driver-questions", Permission: access.AccountRead,
		Summary: "What the driver asked, newest first"}, driverQuestions)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/questions/{id}", Name: "driver-question",
		Permission: access.AccountRead, Summary: "One of the driver's questions with everything that was written"}, driverQuestion)
	web.Driver(r, web.Route{Method: post, Path: "/api/driver-accounts/questions/{id}/entries", Name: "ask-more",
		Permission: access.AccountWrite, Summary: "Ask further; an answered or closed question is open again"}, askMore)
	web.Driver(r, web.Route{Method: post, Path: "/api/driver-accounts/questions/{id}/close", Name: "close-question",
		Permission: access.AccountWrite, Summary: "Nothing is left to answer"}, asDriver(questions.CloseOwn))
}

// Question is what was asked about one thing.
type Question struct {
	ID           string           `json:"id"`
	State        questions.State  `json:"state" enum:"open,answered,closed"`
	DriverID     string           `json:"driverId"`
	FirstName    string           `json:"firstName"`
	LastName     string           `json:"lastName"`
	SettlementID string           `json:"settlementId"`
	Number       int64            `json:"number" doc:"of the settlement"`
	FirstOn      string           `json:"firstOn"`
	LastOn       string           `json:"lastOn"`
	Revoked      bool             `json:"revoked" doc:"the settlement holds no longer"`
	Figure       string           `json:"figure" doc:"the line that is asked about; empty: the whole settlement"`
	Provider     string           `json:"provider" doc:"the app, of a line that each app has"`
	RowID        string           `json:"rowId" doc:"the transaction that is asked about; empty: the line"`
	RowType      string           `json:"rowType"`
	RowOn        string           `json:"rowOn"`
	Amount       money.Amount     `json:"amount" doc:"what it was when it was asked about"`
	Entries      int64            `json:"entries" doc:"how many there are"`
	WaitingSince *time.Time       `json:"waitingSince" doc:"since when an open question waits; else null"`
	ChangedAt    time.Time        `json:"changedAt"`
	LastText     string           `json:"lastText"`
	LastAuthor   questions.Author `json:"lastAuthor" enum:"driver,partner"`
}

// QuestionCorrection is a transaction that came with an answer, as it is now.
type QuestionCorrection struct {
	_          struct{}     `nullable:"true"`
	ID         string       `json:"id"`
	Name       string       `json:"name"`
	Amount     money.Amount `json:"amount"`
	OccurredOn string       `json:"occurredOn"`
	Removed    bool         `json:"removed"`
	Settlement int64        `json:"settlement" doc:"number of the settlement that took it; 0: none yet"`
}

// QuestionEntry is one text of a question, or its closing.
type QuestionEntry struct {
	Kind       string              `json:"kind" enum:"text,closed"`
	Author     questions.Author    `json:"author" enum:"driver,partner"`
	Name       string              `json:"name" doc:"of who wrote it; of a partner's person told to the partner alone"`
	Text       string              `json:"text"`
	At         time.Time           `json:"at"`
	Correction *QuestionCorrection `json:"correction" doc:"null: none"`
}

// OpenedQuestion is a question with everything that was written.
type OpenedQuestion struct {
	Question
	Written []QuestionEntry `json:"written" nullable:"false"`
}

func questionOf(l *questions.Listed) Question {
	return Question{ID: l.ID, State: l.State, DriverID: l.Canonical, FirstName: l.FirstName, LastName: l.LastName,
		SettlementID: l.SettlementID, Number: l.Number, FirstOn: string(l.FirstOn), LastOn: string(l.LastOn), Revoked: l.Revoked,
		Figure: l.Figure, Provider: l.Provider, RowID: l.RowID, RowType: l.RowType, RowOn: string(l.RowOn), Amount: l.Amount,
		Entries: l.Entries, WaitingSince: instantOf(l.WaitingSince),
		ChangedAt: l.ChangedAt, LastText: l.LastText, LastAuthor: l.LastAuthor}
}

func openedQuestion(o *questions.Opened) OpenedQuestion {
	out := OpenedQuestion{questionOf(&o.Listed), make([]QuestionEntry, 0, len(o.Written))}
	for _, w := range o.Written {
		e := QuestionEntry{Kind: w.Kind, Author: w.Author, Name: w.AuthorName, Text: w.Content, At: w.CreatedAt}
		if c := w.Correction; c != nil {
			e.Correction = &QuestionCorrection{ID: c.ID, Name: c.Name, Amount: c.Amount, OccurredOn: string(c.OccurredOn), Removed: c.Removed,
				Settlement: c.Settlement}
		}
		out.Written = append(out.Written, e)
	}
	return out
}

// QuestionPage is a page of questions.
type QuestionPage struct {
	Items    []Question `json:"items" nullable:"false"`
	Total    int64      `json:"total"`
	PageSize int64      `json:"pageSize"`
}

func threads(tx *db.Tx, in *struct {
	State questions.State `query:"state" enum:"open,answered,closed" doc:"none: any"`
	Query string          `query:"q" maxLength:"100" doc:"words of the driver's name"`
	Page  int64           `query:"page" minimum:"1" maximum:"100000" default:"1"`
}) (QuestionPage, error) {
	items, total, err := questions.List(tx, questions.Filter{State: in.State, Query: in.Query, Page: in.Page})
	return QuestionPage{questionsOf(items), total, questions.PageMax}, err
}

func questionsOf(items []questions.Listed) []Question {
	out := make([]Question, len(items))
	for i := range items {
		out[i] = questionOf(&items[i])
	}
	return out
}

func thread(tx *db.Tx, in *named) (OpenedQuestion, error) {
	o, err := questions.Of(tx, in.ID)
	if err != nil {
		return OpenedQuestion{}, err
	}
	return openedQuestion(&o), nil
}

// Correction is a transaction to enter with an answer.
type Correction struct {
	_    struct{} `nullable:"true"`
	Kind string   `json:"kind" doc:"cost, internal or invoice"`
	TransactionEntry
}

// QuestionReply is what a partner writes.
type QuestionReply struct {
	Text       string      `json:"text" maxLength:"5000" doc:"may be empty where the question is closed"`
	Seen       int64       `json:"seen" minimum:"0" doc:"how many entries there were when it was written"`
	Close      bool        `json:"close,omitempty" doc:"nothing is left to answer"`
	Correction *Correction `json:"correction,omitempty" doc:"entered for the driver in the same step"`
}

func (s Settings) answerQuestion(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body QuestionReply
}) (OpenedQuestion, error) {
	reply := questions.Reply{Text: in.Body.Text, Seen: in.Body.Seen, Close: in.Body.Close}
	if c := in.Body.Correction; c != nil {
		if !tx.Actor.May(access.TransactionsWrite) {
			return OpenedQuestion{}, web.ErrForbidden
		}
		entry := c.entry(c.Kind)
		reply.Correction = &entry
	}
	if _, err := questions.Answer(tx, s.Instance, in.ID, reply); err != nil {
		return OpenedQuestion{}, err
	}
	return thread(tx, &named{in.ID})
}

// DriverQuestion is what a driver asks.
type DriverQuestion struct {
	Figure   string `json:"figure,omitempty" maxLength:"40" doc:"name of the line; empty: the whole settlement"`
	Provider string `json:"provider,omitempty" maxLength:"40" doc:"of the line, where it has one"`
	RowID    string `json:"rowId,omitempty" maxLength:"64" doc:"a transaction behind the line; empty: the line"`
	Text     string `json:"text" maxLength:"5000"`
}

// NamedThing is something that has an id.
type NamedThing struct {
	ID string `json:"id"`
}

func (s Settings) askQuestion(tx *db.Tx, who access.Actor, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body DriverQuestion
}) (out NamedThing, err error) {
	err = asOwnDriver(tx, who, questions.ErrNotFound, func(driver string) error {
		t, err := questions.Ask(tx, s.Settlements, driver, questions.Subject{SettlementID: in.ID, Figure: in.Body.Figure,
			Provider: in.Body.Provider, RowID: in.Body.RowID}, in.Body.Text)
		out.ID = t.ID
		return err
	})
	return out, err
}

// DriverQuestions is what a driver asked.
type DriverQuestions struct {
	Items []Question `json:"items" nullable:"false"`
}

func driverQuestions(tx *db.Tx, who access.Actor, in *struct {
	Settlement string `query:"settlement" maxLength:"64" doc:"only about this one"`
}) (out DriverQuestions, err error) {
	out.Items = []Question{}
	partner, driver, err := accounts.OwnDriver(tx, who)
	if err != nil || driver == "" {
		return out, err
	}
	err = tx.As(who.In(partner), func() error {
		items, err := questions.Own(tx, driver, in.Settlement)
		out.Items = questionsOf(items)
		return err
	})
	return out, err
}

func driverQuestion(tx *db.Tx, who access.Actor, in *named) (out OpenedQuestion, err error) {
	err = asOwnDriver(tx, who, questions.ErrNotFound, func(driver string) error {
		o, err := questions.OfDriver(tx, driver, in.ID)
		if err != nil {
			return err
		}
		out = openedQuestion(&o)
		for i := range out.Written {
			if out.Written[i].Author == questions.ByPartner {
				out.Written[i].Name = "" // the partner answers, whichever of its people wrote
			}
		}
		return nil
	})
	return out, err
}

func askMore(tx *db.Tx, who access.Actor, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Text string `json:"text" maxLength:"5000"`
	}
}) (web.None, error) {
	return web.None{}, asOwnDriver(tx, who, questions.ErrNotFound, func(driver string) error {
		return questions.AskMore(tx, driver, in.ID, in.Body.Text)
	})
}
