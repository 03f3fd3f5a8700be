package app

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/ledger"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// DemoSizes are how many drivers the first fleet of the demo has.
var DemoSizes = map[string]int{"none": 0, "small": 48, "large": 10_000}

// How many weeks before the running one have earnings, and how many drivers
// are made in one unit of work.
const (
	demoWeeks  = 4
	demoAtOnce = 500
)

// contractPrefix begins the contract numbers of invented drivers, by which the
// demo knows how many there are.
const contractPrefix = "SALDO/"

// Populate brings a fleet up to so many invented drivers with 100 transactions
// each, 500 drivers at once: a demo that was stopped goes on where it was. The
// same drivers and amounts come out each time.
func (a *App) Populate(ctx context.Context, tenant string, drivers int, progress func(made int)) error {
	for made := 0; made < drivers; {
		err := a.db.Write(ctx, access.ProgramFor(tenant, "demo"), func(tx *db.Tx) (err error) {
			if made, err = invented(tx, a); err != nil || made >= drivers {
				return err
			}
			until := min(made+demoAtOnce, drivers)
			if err := a.invent(tx, made, until); err != nil {
				return err
			}
			made = until
			return nil
		})
		if err != nil {
			return err
		}
		progress(made)
	}
	return nil
}

// invented is how many drivers the demo has made for the tenant.
func invented(tx *db.Tx, a *App) (n int, err error) {
	newest, err := drivers.List(tx, a.vault, drivers.Filter{Query: contractPrefix, Newest: true, Descending: true, Size: 1})
	if err != nil || len(newest.Drivers) == 0 {
		return 0, err
	}
	_, err = fmt.Sscanf(newest.Drivers[0].ContractNumber, contractPrefix+"%d", &n)
	return n, err
}

func (a *App) demoBook() drivers.Service {
	return drivers.Service{Vault: a.vault, Country: strings.ToUpper(a.settings.Instance.Code),
		Language: i18n.Language(a.settings.Instance.Language)}
}

func (a *App) invent(tx *db.Tx, from, until int) error {
	book := a.demoBook()
	tags, err := drivers.Tags(tx)
	if err != nil {
		return err
	}
	added := make([]drivers.NewDriver, 0, until-from)
	for i := from; i < until; i++ {
		added = append(added, inventedDriver(i, book.Country, tags))
	}
	ids, err := book.AddMany(tx, added)
	if err != nil {
		return err
	}
	today := calendar.DateOf(tx.Now, a.settings.Instance.Location(), 0)
	_, err = ledger.AddMany(tx, "", earnings(tx, a.settings.Instance, today, from, ids))
	return err
}

var (
	demoFirst = strings.Fields(
		`Adam Agnieszka Andrij Anna Artem Barbara Bartosz Bohdan Damian Daria Dmytro Dominik Ewa Filip Grzegorz Halyna Igor Iryna Jakub
		Jan Joanna Kamil Karol Katarzyna Krzysztof Łukasz Maciej Magdalena Marcin Marek Maria Mateusz Michał Mykola Natalia Oksana
		Oleksandr Olena Paweł Piotr
		Rafał Robert Serhij Sławomir Stanisław Świętosława Taras Tomasz Volodymyr Wojciech`)
	demoLast = strings.Fields(
		`Bąk Bondarenko Borkowski Chmielewski Czarnecka Dąbrowski Duda Dudek Górski Hrycenko Jabłońska Jankowski Jaworska Kaczmarek Kamińska
		Kołodziej Kovalenko Kowalczyk Kozak Kozłowski Krawczyk Król Kwiatkowski Lewandowska Lysenko Majewski Malinowski Marchenko Mazur Melnyk
		Michalak
		Nowak Nowicka Olszewski Pawlak Pawłowski Pietrzak Piotrowska Polishchuk Romaniuk Rutkowski Savchenko Sikora Stępień Szewczyk
		Szymański Tkachenko
		Tomaszewska Walczak Wieczorek Wiśniewska Witkowski Wójcik Woźniak Wróbel Zając Zalewska Zieliński Żak Żurek`)
	demoApps = []string{"BOLT", "UBER", "FREENOW"}
)

// inventedDriver is the invented driver with this number. Some lack what a real
// fleet's drivers lack.
func inventedDriver(i int, country string, tags []drivers.Tag) drivers.NewDriver {
	first, last := demoFirst[i*7%len(demoFirst)], demoLast[(i+i/len(demoFirst))%len(demoLast)]
	if again := i / (len(demoFirst) * len(demoLast)); again > 0 {
		last += "-" + demoLast[(i+again*13)%len(demoLast)]
	}
	last = gendered(first, last)
	n := drivers.NewDriver{Details: drivers.Details{FirstName: first, LastName: last,
		Phone:          fmt.Sprintf("+48601%06d", (i*7919+234_567)%1_000_000),
		ContractNumber: fmt.Sprintf(contractPrefix+"%06d", i+1), SummaryLanguage: []string{"pl", "pl", "pl", "uk", "ru", "en"}[i%6]}}
	if country == "DE" {
		n.Phone = fmt.Sprintf("+491512%07d", (i*7919+1_234_567)%10_000_000)
	}
	if i%9 != 4 {
		n.Email = fmt.Sprintf("kierowca%d@kierowcy.example", i+1)
	}
	if i%12 != 5 {
		n.IBAN = inventedAccount(i, country)
	}
	if i%10 != 7 {
		n.TaxID = inventedTaxID(i, country)
	}
	maximum, others := drivesFor(i)
	for _, app := range slices.Compact([]string{maximum, others}) {
		n.Identities = append(n.Identities, drivers.Identity{Provider: app, Value: fmt.Sprintf("%s-%07d", strings.ToLower(app), i+1)})
	}
	n.Identities = append(n.Identities, drivers.Identity{Provider: "ORLEN", Value: fmt.Sprintf("7896%014d", i+1)})
	if len(tags) > 0 && i%3 == 0 {
		n.Tags = append(n.Tags, tags[i/3%len(tags)].ID)
	}
	return n
}

// gendered is a surname in the form that goes with the first name.
func gendered(first, last string) string {
	for _, form := range [][2]string{{"ski", "ska"}, {"cki", "cka"}} {
		if strings.HasSuffix(first, "a") {
			last = strings.ReplaceAll(last+"-", form[0]+"-", form[1]+"-")
		} else {
			last = strings.ReplaceAll(last+"-", form[1]+"-", form[0]+"-")
		}
		last = strings.TrimSuffix(last, "-")
	}
	return last
}

// drivesFor are the apps a driver drives for, most days and on the others.
func drivesFor(i int) (maximum, others string) {
	return demoApps[i%len(demoApps)], demoApps[i%4%len(demoApps)]
}

func inventedAccount(i int, country string) official.Account {
	body := fmt.Sprintf("10901014%016d", 71_219_812_874+i)
	if country == "DE" {
		body = fmt.Sprintf("37040044%010d", 532_013_000+i)
	}
	for check := 2; check < 99; check++ {
		if account, err := official.ParseAccount(fmt.Sprintf("%s%02d%s", country, check, body)); err == nil {
			return account
		}
	}
	return ""
}

func inventedTaxID(i int, country string) string {
	for check := range 10 {
		if country == "DE" {
			if id, err := official.ParseUStIdNr(fmt.Sprintf("DE%08d%d", 12_345_678+i, check)); err == nil {
				return string(id)
			}
		} else if id, err := official.ParseNIP(fmt.Sprintf("526%06d%d", 100_000+i, check)); err == nil {
			return string(id)
		}
	}
	return "" // the remainder ten is given to nobody
}

// earnings are six days of each week as a provider's files tell them, and a
// tank of fuel. The drivers are those from the number on.
func earnings(tx *db.Tx, in config.Instance, today calendar.Date, from int, ids []string) iter.Seq[*ledger.Transaction] {
	return func(yield func(*ledger.Transaction) bool) {
		for i, id := range ids {
			random := rand.New(rand.NewPCG(2026, uint64(from+i)))
			between := func(low, high int) money.Amount { return money.Amount(low + random.IntN(high-low)) }
			line := int64(from + i + 2)
			for _, week := range calendar.Recent(today, demoWeeks+1)[1:] {
				for day := range 6 {
					app, others := drivesFor(from + i)
					if day > 3 {
						app = others
					}
					on := week.Monday().AddDays(day)
					trip := between(160_00, 520_00)
					for _, part := range []struct {
						typ    string
						amount money.Amount
					}{{"TRIP", trip}, {"FEE", -trip * 23 / 100}, {"TIP", between(1_00, 25_00)},
						{"CASH_COLLECTED", -trip * money.Amount(random.IntN(45)) / 100}} {
						if part.amount == 0 {
							part.amount = -1_00
						}
						if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: app, Type: part.typ, Amount: part.amount, Currency: in.Currency,
							OccurredOn: on,
							Source:     "import", SourceFile: fmt.Sprintf("%s-%s.csv", strings.ToLower(app), week), SourceRow: line, SourceColumn: part.typ}) {
							return
						}
					}
				}
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: "ORLEN", Type: "FUEL", Amount: -between(120_00, 380_00),
					Currency:   in.Currency,
					OccurredOn: week.Monday().AddDays(5), Description: "Efecta 95", Source: "import", SourceFile: fmt.Sprintf("orlen-%s.csv", week),
					SourceRow: line, SourceColumn: "Brutto"}) {
					return
				}
			}
		}
	}
}
