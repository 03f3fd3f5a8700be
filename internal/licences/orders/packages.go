package orders

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

//go:embed packages.json
var defaults []byte

// Package is what a partner can buy some pieces of. As a line of the operator's file it has no id and no version.
type Package struct {
	ID          string                   `json:"-"`
	Version     int64                    `json:"-"`
	Code        string                   `json:"code"`
	Names       map[i18n.Language]string `json:"names"`
	Units       int64                    `json:"units"` // settlements of one piece
	MinQuantity int64                    `json:"minQuantity"`
	MaxQuantity int64                    `json:"maxQuantity"`
	NetPrice    money.Amount             `json:"netPrice"` // of one piece, in minor units
	VATRate     money.Rate               `json:"vatRate"`  // basis points
	ValidFrom   calendar.Date            `json:"validFrom"`
	ValidTo     calendar.Date            `json:"validTo"`
	Currency    money.Currency           `json:"-"`
}

// The most of everything: what is more is a slip of the hand.
const (
	packagesMax = 50
	nameMax     = 100
	quantityMax = 100_000
	unitsMax    = 10_000_000 // of an order
	priceMax    = money.Amount(1_000_000_00)
)

var packageCode = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// ReadPackages are the packages of the operator's file, or those that come with the program for an instance where no file is named. The
// error is one sentence that says what to correct.
func ReadPackages(path string, instance config.Instance) ([]Package, error) {
	if path == "" {
		all := map[string][]Package{}
		if err := json.Unmarshal(defaults, &all); err != nil {
			return nil, err
		}
		return checked(all[instance.Code], instance)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("SALDO_PACKAGES: the file %s cannot be read: correct its path or its permissions", path)
	}
	list := []Package{}
	d := json.NewDecoder(strings.NewReader(string(content)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("SALDO_PACKAGES: %s is no list of packages (%w): write it as docs/operate/licences.md shows", path, err)
	}
	if list, err = checked(list, instance); err != nil {
		return nil, fmt.Errorf("SALDO_PACKAGES: %w", err)
	}
	return list, nil
}

// checked refuses what nobody could buy, by the place in the list.
func checked(list []Package, instance config.Instance) ([]Package, error) {
	if len(list) > packagesMax {
		return nil, fmt.Errorf("there are %d packages: offer %d at most", len(list), packagesMax)
	}
	codes := map[string]bool{}
	for i := range list {
		p := &list[i]
		p.Currency = instance.Currency
		where := fmt.Sprintf("package %d (%s)", i+1, p.Code)
		switch {
		case !packageCode.MatchString(p.Code):
			return nil, fmt.Errorf("package %d has the code %q: use 1 to 40 small letters, digits and dashes", i+1, p.Code)
		case codes[p.Code]:
			return nil, fmt.Errorf("%s is there twice: give each package a code of its own", where)
		case p.Units < 1 || p.Units > unitsMax:
			return nil, fmt.Errorf("%s has %d units: write 1 to %d", where, p.Units, unitsMax)
		case p.MinQuantity < 1 || p.MaxQuantity < p.MinQuantity || p.MaxQuantity > quantityMax:
			return nil, fmt.Errorf("%s has the quantities %d to %d: write 1 to %d, the larger one second", where, p.MinQuantity, p.MaxQuantity,
				quantityMax)
		case p.Units > unitsMax/p.MaxQuantity:
			return nil, fmt.Errorf("%s has more than %d units in its largest quantity: lower one of both", where, unitsMax)
		case p.NetPrice < 0 || p.NetPrice > priceMax/money.Amount(p.MaxQuantity):
			return nil, fmt.Errorf("%s costs %d: write the net price of a piece in minor units, of the largest quantity %d at most", where,
				p.NetPrice, priceMax)
		case !instance.HasVAT(p.VATRate):
			return nil, fmt.Errorf("%s has the VAT rate %d: write a rate of the instance in basis points, as 2300 for 23 %%", where, p.VATRate)
		case p.ValidFrom != "" && !p.ValidFrom.Exists() || p.ValidTo != "" && !p.ValidTo.Exists() ||
			p.ValidFrom != "" && p.ValidTo != "" && p.ValidTo < p.ValidFrom:
			return nil, fmt.Errorf("%s is valid from %q to %q: write days as 2026-11-30, the later one second", where, p.ValidFrom, p.ValidTo)
		}
		codes[p.Code] = true
		for _, l := range i18n.Languages {
			if name := strings.TrimSpace(p.Names[l]); name == "" || len([]rune(name)) > nameMax {
				return nil, fmt.Errorf("%s has no name in %s, or one of more than %d letters: name it in every language", where, l, nameMax)
			}
		}
		if len(p.Names) != len(i18n.Languages) {
			return nil, fmt.Errorf("%s has names in %d languages: Saldo has %d", where, len(p.Names), len(i18n.Languages))
		}
	}
	return list, nil
}

type packageRow struct {
	ID, Code, Names                          string
	Version, Units, MinQuantity, MaxQuantity int64
	NetPrice                                 money.Amount
	VATRate                                  money.Rate
	Currency                                 money.Currency
	ValidFrom, ValidTo                       calendar.Date
}

const packageColumns = `p.id, p.code, p.names, p.version, p.units, p.min_quantity, p.max_quantity, p.net_price, p.vat_rate, p.currency,
	p.valid_from, p.valid_to`

func (r *packageRow) value() (p Package, err error) {
	p = Package{r.ID, r.Version, r.Code, nil, r.Units, r.MinQuantity, r.MaxQuantity, r.NetPrice, r.VATRate, r.ValidFrom, r.ValidTo, r.Currency}
	return p, json.Unmarshal([]byte(r.Names), &p.Names)
}

func (p *Package) same(o *Package) bool {
	return p.Units == o.Units && p.MinQuantity == o.MinQuantity && p.MaxQuantity == o.MaxQuantity && p.NetPrice == o.NetPrice &&
		p.VATRate == o.VATRate && p.Currency == o.Currency && p.ValidFrom == o.ValidFrom && p.ValidTo == o.ValidTo &&
		maps.Equal(p.Names, o.Names)
}

// Offer makes the packages of the file those that are offered: a changed one is followed by a version of its own, one that is no longer
// there is retired. What was ordered stays as it was.
func Offer(tx *db.Tx, list []Package) error {
	rows, err := db.Select[packageRow](tx.Across(), `SELECT `+packageColumns+` FROM licence_packages p WHERE p.retired_at = ''`)
	if err != nil {
		return err
	}
	offered := map[string]*Package{}
	for i := range rows {
		p, err := rows[i].value()
		if err != nil {
			return err
		}
		offered[p.Code] = &p
	}
	for place, p := range list {
		before := offered[p.Code]
		delete(offered, p.Code)
		if before != nil && before.same(&p) {
			if _, err := tx.Across().Exec(`UPDATE licence_packages SET place = $2 WHERE id = $1 AND place <> $2`, before.ID, place); err != nil {
				return err
			}
			continue
		}
		if before != nil {
			if err := retire(tx, before.ID); err != nil {
				return err
			}
		}
		if _, err := tx.Across().Exec(`INSERT INTO licence_packages (id, code, version, names, units, min_quantity, max_quantity, net_price,
			vat_rate, currency, place, valid_from, valid_to, made_at, retired_at) VALUES ($1, $2, (SELECT COALESCE(MAX(version), 0) + 1
			FROM licence_packages WHERE code = $2), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, '')`, tx.NewID(), p.Code, db.JSON(p.Names),
			p.Units, p.MinQuantity, p.MaxQuantity, int64(p.NetPrice), int64(p.VATRate), string(p.Currency), place, string(p.ValidFrom),
			string(p.ValidTo), tx.Now); err != nil {
			return err
		}
	}
	for _, gone := range offered {
		if err := retire(tx, gone.ID); err != nil {
			return err
		}
	}
	return nil
}

func retire(tx *db.Tx, id string) error {
	_, err := tx.Across().Exec(`UPDATE licence_packages SET retired_at = $2 WHERE id = $1 AND retired_at = ''`, id, tx.Now)
	return err
}

// Packages are those that can be bought today.
func (s *Service) Packages(tx *db.Tx) ([]Package, error) {
	return packagesWhere(tx, ` AND (p.valid_from = '' OR p.valid_from <= $2) AND (p.valid_to = '' OR p.valid_to >= $2)`, s.today(tx.Now))
}

func packagesWhere(tx *db.Tx, where string, args ...any) ([]Package, error) {
	rows, err := db.Select[packageRow](tx, `SELECT `+packageColumns+` FROM licence_packages p JOIN partners t ON t.tenant_id = $1
		WHERE p.retired_at = ''`+where+` ORDER BY p.place, p.code`, args...)
	if err != nil {
		return nil, err
	}
	list := make([]Package, len(rows))
	for i := range rows {
		if list[i], err = rows[i].value(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// packageOf is a package that can be bought today.
func (s *Service) packageOf(tx *db.Tx, code string) (Package, error) {
	found, err := packagesWhere(tx, ` AND p.code = $2`, code)
	switch {
	case err != nil:
		return Package{}, err
	case len(found) == 0:
		return Package{}, ErrNoPackage
	}
	p, today := found[0], s.today(tx.Now)
	if p.ValidFrom > calendar.Date(today) || p.ValidTo != "" && p.ValidTo < calendar.Date(today) {
		return Package{}, ErrNoPackage
	}
	return p, nil
}

func (s *Service) today(now time.Time) string {
	return string(calendar.DateOf(now, s.Instance.Location(), 0))
}
