package app

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

//go:embed terms/*.md
var demoTerms embed.FS

const demoTermsVersion = "demo-2026-11"

// PublishTerms publishes the files pl.md, en.md, de.md, uk.md and ru.md of a
// folder as a version of the terms. The first line of each is its title,
// written as `# Title`.
func (a *App) PublishTerms(ctx context.Context, version string, folder fs.FS) error {
	in, err := readTerms(folder)
	if err != nil {
		return err
	}
	return a.db.Write(ctx, access.Program("operator"), func(tx *db.Tx) error { return partners.PublishTerms(tx, version, in) })
}

func readTerms(folder fs.FS) (map[i18n.Language]partners.Text, error) {
	in := map[i18n.Language]partners.Text{}
	for _, l := range i18n.Languages {
		content, err := fs.ReadFile(folder, string(l)+".md")
		if err != nil {
			return nil, fmt.Errorf("the terms lack the file %s.md: write all of pl.md, en.md, de.md, uk.md and ru.md", l)
		}
		title, body, _ := strings.Cut(strings.TrimSpace(string(content)), "\n")
		if !strings.HasPrefix(title, "# ") {
			return nil, fmt.Errorf("%s.md must begin with its title, as # Title", l)
		}
		in[l] = partners.Text{Title: strings.TrimPrefix(title, "# "), Body: strings.TrimSpace(body)}
	}
	return in, nil
}
