package sandbox

import (
	"bytes"
	_ "embed"
	"errors"
	"html/template"
	"net/http"

	"saldo/internal/kernel/colour"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

const address = "/payment-sandbox/"

// Path is where the page is; what is chosen there is posted to the same address.
const Path = address + "{ref}"

//go:embed page.html
var pageText string

type pages map[i18n.Language]*template.Template

func readPages() (pages, error) {
	all := pages{}
	for _, l := range i18n.Languages {
		var err error
		say := template.FuncMap{"t": func(key string, params ...any) string { return i18n.Of(l, key, params...) }}
		if all[l], err = template.New("page").Funcs(say).Parse(pageText); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// view is what the page shows.
type view struct {
	Language       i18n.Language
	Languages      []i18n.Language
	Names          map[i18n.Language]string
	Name           string
	Is             string // open, ended, decided, unknown, or failed where the program could not look
	Late           bool   // something else was chosen meanwhile
	Amount         string
	Order, Text    string
	Back           string
	State          string // of what is decided: pending, paid, failed
	Actions        []Action
	Day, Night     template.CSS
	First, Arrives Action
}

// Page draws the page and does what is chosen on it. Whoever chose is sent back to where they came from.
func (s *Sandbox) Page(w http.ResponseWriter, rq *http.Request, over bool) bool {
	v := view{Name: s.Name, Language: s.Language, Languages: i18n.Languages, Names: i18n.Names, Is: "failed", Actions: actions[1:],
		First: Pay, Arrives: Arrive, Day: template.CSS(colour.Variables(colour.Petrol, false)),
		Night: template.CSS(colour.Variables(colour.Petrol, true))}
	status, to := http.StatusTooManyRequests, ""
	if !over {
		to, status = s.answer(rq, &v)
	}
	if to != "" {
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, rq, to, http.StatusSeeOther)
		return true
	}
	var page bytes.Buffer
	if err := s.pages[v.Language].Execute(&page, v); err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return true
	}
	web.SendPage(w, rq, status, string(v.Language), page.Bytes())
	return status != http.StatusNotFound
}

// answer fills the view, or says where to go.
func (s *Sandbox) answer(rq *http.Request, v *view) (to string, status int) {
	ref := rq.PathValue("ref")
	decided := true
	var err error
	if rq.Method == http.MethodPost {
		decided, err = s.Decide(rq.Context(), ref, Action(rq.PostFormValue("do")))
	}
	if err == nil {
		err = s.read(rq.Context(), func(tx *db.Tx) error {
			p, err := find(tx, ref)
			if err == nil {
				v.show(p, p.at(tx.Now))
			}
			return err
		})
	}
	if l, ok := i18n.Parse(rq.URL.Query().Get("lang")); ok {
		v.Language = l
	}
	var e *payments.Error
	switch {
	case errors.As(err, &e) && e.Reason == payments.NotFound:
		v.Is = "unknown"
		return "", http.StatusNotFound
	case err != nil:
		return "", http.StatusServiceUnavailable
	case rq.Method == http.MethodPost && decided:
		return v.Back, 0
	}
	v.Late = !decided
	return "", http.StatusOK
}

func (v *view) show(p payment, st payments.Status) {
	v.Language = i18n.ParseOr(string(p.Language), v.Language)
	v.Amount = i18n.Amount(v.Language, p.Amount) + "\u00a0" + p.Currency.Sign()
	v.Order, v.Text, v.Back, v.State = p.OrderNumber, p.Text, p.ReturnURL, string(st.State)
	switch {
	case st.State == payments.Pending && p.State == payments.Pending:
		v.Is = "open"
	case st.State == payments.Expired:
		v.Is = "ended"
	default:
		v.Is = "decided"
	}
}

// Label is what the button of an action says, and About what the provider does then.
func (v view) Label(a Action) string { return i18n.Of(v.Language, "payment-sandbox:do_"+string(a)) }
func (v view) About(a Action) string { return i18n.Of(v.Language, "payment-sandbox:about_"+string(a)) }

// Decided says what became of the payment.
func (v view) Decided() string { return i18n.Of(v.Language, "payment-sandbox:state_"+v.State) }
