package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"net/url"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/colour"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
	"saldo/internal/summaries"
)

//go:embed summary_page.html
var summaryPageText string

// summaryPages are the templates of the page behind a mailed link, one for each language. The web application draws the same page with
// the same classes, and takes it over once its scripts are here.
var summaryPages = func() map[i18n.Language]*template.Template {
	pages := map[i18n.Language]*template.Template{}
	for _, l := range i18n.Languages {
		pages[l] = template.Must(template.New("summary").Funcs(template.FuncMap{
			"t":      func(key string, params ...any) string { return i18n.Of(l, key, params...) },
			"amount": func(a money.Amount) string { return i18n.Amount(l, a) },
			"day":    func(d string) string { return i18n.ShortDay(l, calendar.Date(d)) },
		}).Parse(summaryPageText))
	}
	return pages
}()

// summaryView is what the page shows: a summary, or why there is none.
type summaryView struct {
	Language       i18n.Language
	Languages      []i18n.Language
	Names          map[i18n.Language]string
	Head           template.HTML
	Day, Night     template.CSS
	Shown          *DriverSummary
	Is             string // without a summary: invalid, waiting or failed
	Days, Sign     string
	Amount, Next   money.Amount
	Debt           bool
	Lines          []summaryLine
	Statement, App string
	Initial        string
	Data           template.JS
}

type summaryLine struct {
	Name   string
	Amount money.Amount
	Plus   bool
}

// SummaryPage draws what a mailed link opens, so that it can be read without scripts and before they are here. That a person has seen it
// is said by the script alone: whatever fetches links to check them draws the page too.
func (s Settings) SummaryPage(shell web.Shell) func(w http.ResponseWriter, rq *http.Request, over bool) (found bool) {
	return func(w http.ResponseWriter, rq *http.Request, over bool) bool {
		token := rq.PathValue("token")
		var shown *DriverSummary
		var err error = web.ErrTooMany
		if !over {
			err = s.behind(rq.Context(), token, func(tx *db.Tx, link summaries.Opened) error {
				summary, err := s.shownSummary(tx, link)
				shown = &summary
				return err
			})
		}
		v, status := summaryView{Languages: i18n.Languages, Names: i18n.Names}, http.StatusOK
		switch {
		case err == nil:
		case over:
			v.Is, status = "waiting", http.StatusTooManyRequests
		case errors.Is(err, summaries.ErrLink):
			v.Is, status = "invalid", http.StatusNotFound
		default:
			v.Is, status = "failed", http.StatusServiceUnavailable
		}
		if err != nil {
			shown = nil
		}
		v.Language = s.summaryLanguage(rq, shown)
		v.fill(shown, token, shell)
		var page bytes.Buffer
		if failed := summaryPages[v.Language].Execute(&page, &v); failed != nil {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
			return true
		}
		web.SendPage(w, rq, status, string(v.Language), page.Bytes())
		return v.Is != "invalid"
	}
}

// summaryLanguage is the one asked for, else the driver's, else the browser's.
func (s Settings) summaryLanguage(rq *http.Request, shown *DriverSummary) i18n.Language {
	if l, ok := i18n.Parse(rq.URL.Query().Get("lang")); ok {
		return l
	}
	if shown != nil {
		return i18n.Language(shown.Language)
	}
	if l, ok := i18n.Preferred(rq.Header.Get("Accept-Language")); ok {
		return l
	}
	return i18n.Language(s.Instance.Language)
}

func (v *summaryView) fill(shown *DriverSummary, token string, shell web.Shell) {
	brand, name := colour.Petrol, "Saldo"
	if shown != nil {
		brand, name = shown.Partner.Color, shown.Partner.Name
	}
	v.Head = template.HTML(shell.Head(shown != nil)) // of the program's own build
	v.Day, v.Night = template.CSS(colour.Variables(brand, false)), template.CSS(colour.Variables(brand, true))
	v.Initial = string([]rune(name + " ")[0])
	v.App = "/app/?lang=" + string(v.Language)
	if shown == nil {
		return
	}
	f := shown.Figures
	v.Shown, v.Debt = shown, f["due"] < 0
	v.Amount, v.Next, v.Sign = f["payout"], f["nextPeriodTransfer"], money.Currency(shown.Currency).Sign()
	if v.Debt {
		v.Amount = f["due"]
	}
	v.Days = i18n.ShortDays(v.Language, calendar.Date(shown.FirstOn), calendar.Date(shown.LastOn))
	v.Statement = "/api/driver-summaries/" + url.PathEscape(token) + "/statement?lang=" + string(v.Language)
	for _, l := range shown.Lines {
		name := shown.Providers[l.Provider]
		switch {
		case l.Provider != "":
		case l.Name == "cashDeducted":
			name = i18n.Of(v.Language, "statement:yourCash")
		default:
			name = i18n.Of(v.Language, "statement:line_"+string(l.Name))
		}
		v.Lines = append(v.Lines, summaryLine{name, l.Amount, l.Amount > 0})
	}
	data, err := json.Marshal(shown) // with < and > written so that they end no element
	if err == nil {
		v.Data = template.JS(data)
	}
}
