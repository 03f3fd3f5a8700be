package api

import (
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) coverageRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/imports/coverage", Name: "import-coverage", Permission: access.ImportsRead,
		Summary: "Which of the last twelve weeks of which providers are there"}, s.importCoverage)
}

// ImportWeek is what is there of one week of a provider.
type ImportWeek struct {
	Week    string   `json:"week"`
	State   string   `json:"state" enum:"complete,late,partial,missing" doc:"late: complete, but more than a week after it ended"`
	Days    int      `json:"days" doc:"of seven"`
	Imports []string `json:"imports" nullable:"false"`
}

// ImportProvider is what is there of one provider, the newest week first.
type ImportProvider struct {
	Provider string       `json:"provider"`
	Weeks    []ImportWeek `json:"weeks" nullable:"false"`
}

// ImportCoverage is which weeks of which providers are there.
type ImportCoverage struct {
	Providers []ImportProvider `json:"providers" nullable:"false"`
}

func (s Settings) importCoverage(tx *db.Tx, _ *nothing) (out ImportCoverage, err error) {
	covered, err := s.Imports.CoverageOf(tx)
	out.Providers = []ImportProvider{}
	for _, c := range covered {
		p := ImportProvider{c.Provider, []ImportWeek{}}
		for _, w := range c.Weeks {
			p.Weeks = append(p.Weeks, ImportWeek{string(w.Week), w.State, w.Days, w.Imports})
		}
		out.Providers = append(out.Providers, p)
	}
	return out, err
}
