package app

import (
	"bytes"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"strings"

	"saldo/internal/kernel/colour"
	"saldo/internal/messages"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

//go:embed unsubscribe.html
var unsubscribePage string

type unsubscribing struct {
	Language   i18n.Language
	Name       string // of the instance
	Partner    string
	Is         string // asking, done, or why it opens nothing
	Day, Night template.CSS
}

// unsubscribe is the page behind the address in mails of messages. Opening it asks: programs that look at the links of a mail stop nothing.
// Posting to it, as the page and the one click of mail programs do, stops the mails, however often.
func (a *App) unsubscribe() (draw func(w http.ResponseWriter, rq *http.Request, over bool) bool, err error) {
	pages := map[i18n.Language]*template.Template{}
	for _, l := range i18n.Languages {
		say := template.FuncMap{"t": func(key string, params ...any) string { return i18n.Of(l, key, params...) }}
		if pages[l], err = template.New("unsubscribe").Funcs(say).Parse(headOfPage + unsubscribePage); err != nil {
			return nil, err
		}
	}
	return func(w http.ResponseWriter, rq *http.Request, over bool) bool {
		v := unsubscribing{Name: a.mails.Name(), Is: "waiting", Language: i18n.Language(a.settings.Instance.Language),
			Day: template.CSS(colour.Variables(colour.Petrol, false)), Night: template.CSS(colour.Variables(colour.Petrol, true))}
		if l, ok := i18n.Preferred(strings.Join([]string{rq.URL.Query().Get("lang"), rq.Header.Get("Accept-Language")}, ",")); ok {
			v.Language = l
		}
		status := http.StatusTooManyRequests
		if !over {
			switch err := a.answerUnsubscribing(rq, &v); {
			case err == nil:
				status = http.StatusOK
			case errors.Is(err, messages.ErrLink):
				v.Is, status = "invalid", http.StatusNotFound
			default:
				v.Is, status = "failed", http.StatusServiceUnavailable
			}
		}
		var page bytes.Buffer
		if err := pages[v.Language].Execute(&page, v); err != nil {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
			return true
		}
		web.SendPage(w, rq, status, string(v.Language), page.Bytes())
		return status != http.StatusNotFound
	}, nil
}

func (a *App) answerUnsubscribing(rq *http.Request, v *unsubscribing) error {
	who, err := a.messages.Subscriber(rq.PathValue("token"))
	if err != nil {
		return err
	}
	post := rq.Method == http.MethodPost
	if post {
		if err := a.db.Write(rq.Context(), who.Actor(), who.Unsubscribe); err != nil {
			return err
		}
	}
	return a.db.Read(rq.Context(), who.Actor(), func(tx *db.Tx) error {
		_, choices, err := who.Choices(tx)
		if err != nil {
			return err
		}
		p, err := partners.Own(tx)
		v.Partner, v.Is = p.Name, "asking"
		if !choices.MessageMails {
			v.Is = "done"
		}
		return err
	})
}
