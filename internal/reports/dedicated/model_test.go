package dedicated

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/reports/query"
	"saldo/internal/testkit"
)

const asksDays = `"ask":[{"name":"from","kind":"day"},{"name":"to","kind":"day"}]`

// Everything that the model names runs on both engines, alone and together, and the rows add up to the totals where they should.
func TestEveryMeasureRunsByEveryDimension(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, audience := range []query.Audience{query.ForPartner, query.ForDriver} {
			for _, s := range query.Model(i18n.English) {
				if audience == query.ForDriver && !s.Drivers {
					continue
				}
				measures := []string{}
				for _, m := range s.Measures {
					measures = append(measures, m.Key)
				}
				for _, by := range append(s.Dimensions, query.Term{}) {
					for n := 0; n < len(measures); n += query.MeasuresMost {
						some := measures[n:min(n+query.MeasuresMost, len(measures))]
						if audience == query.ForDriver {
							some = some[:min(len(some), 3)]
						}
						w.addsUp(t, s, audience, some, by)
					}
				}
			}
		}
	})
}

func (w *world) addsUp(t *testing.T, s query.Subject, audience query.Audience, measures []string, by query.Term) {
	t.Helper()
	dimensions, ask, filter, total := []string{}, "", "", true
	if by.Key != "" {
		dimensions = []string{by.Key}
	}
	if s.Dated {
		ask = "," + asksDays
	}
	if s.Key == "settlement_figures" && by.Key != "figure" {
		filter = `,"filter":[{"field":"figure","is":["costs"]}]`
	} else if s.Key == "settlement_figures" {
		total = false
	}
	text := fmt.Sprintf(`{"subject":%q,"title":{"en":"x"},"measures":%s,"by":%s,"total":%v%s%s}`, s.Key, db.JSON(measures), db.JSON(dimensions), total, ask, filter)
	d, err := query.Parse(text, audience)
	if err != nil {
		if audience == query.ForPartner {
			t.Fatalf("%s: %v", text, err)
		}
		return // not for drivers
	}
	testkit.Read(t, w.DB, Scope("north"), func(tx *db.Tx) error {
		shown, err := w.ask(tx, d, Asking{Parameters: wholeSpan, Language: i18n.English, Driver: w.drivers[0].id, Page: 1, Size: 1000}, w.today(tx))
		if !s.Dated {
			shown, err = w.ask(tx, d, Asking{Language: i18n.English, Driver: w.drivers[0].id, Page: 1, Size: 1000}, w.today(tx))
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return nil
		}
		if len(shown.Rows) == 0 && audience == query.ForPartner {
			t.Errorf("%s found nothing", text)
		}
		for i, key := range measures {
			if by.Kind == query.Tag || key == "drivers" || !total {
				continue
			}
			sum := int64(0)
			for _, r := range shown.Rows {
				sum += r[len(dimensions)+i].(int64)
			}
			if sum != shown.Totals[len(dimensions)+i] {
				t.Errorf("%s: the rows of %s add up to %d, the total is %v", text, key, sum, shown.Totals[len(dimensions)+i])
			}
		}
		for _, r := range shown.Rows {
			if strings.Contains(fmt.Sprint(r), "south") {
				t.Errorf("%s shows a row of another partner: %v", text, r)
			}
		}
		return nil
	})
}
