package testkit

import (
	"context"
	"reflect"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// TwoDrivers are two drivers of the German instance who differ in every field that a partner writes down. All fields of the second
// are set. A test that holds them against each other notices a field that was left out; a new field needs a value here.
func TwoDrivers(t testing.TB, schema int64) (one, other drivers.Details) {
	t.Helper()
	one = drivers.Details{FirstName: "Jan", LastName: "Nowak", Email: "jan@example.com", Phone: "+4930901820", IBAN: "DE89370400440532013000",
		AccountHolder: "Anna Nowak", PassportName: "Jan Nowak", TaxID: "DE136695976", ContractNumber: "K/1", SummaryLanguage: "pl",
		SettlementFrequency: 1}
	other = drivers.Details{FirstName: "Oleh", LastName: "Babiak", Email: "oleh@example.com", Phone: "+380501234567",
		IBAN: "PL61109010140000071219812874", AccountHolder: "Olena Babiak", PassportName: "Oleh Babiak", TaxID: "DE129273398",
		SmallBusiness: true, ContractNumber: "K/2", Bailiff: true, SummaryLanguage: "uk", SettlementFrequency: 2, SchemaNumber: schema}
	a, b := reflect.ValueOf(one), reflect.ValueOf(other)
	for i := range a.NumField() {
		if a.Field(i).Equal(b.Field(i)) || b.Field(i).IsZero() {
			t.Fatalf("%s has no example: give both drivers one", a.Type().Field(i).Name)
		}
	}
	return one, other
}

// Columns are those of a table as all migrations leave it.
func Columns(t testing.TB, d *db.DB, table string) (names []string) {
	t.Helper()
	query := `SELECT name FROM pragma_table_info($1)`
	if d.Engine() == "postgres" {
		query = `SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1`
	}
	if err := d.Read(context.Background(), access.Program("test"), func(tx *db.Tx) (err error) {
		names, err = db.Select[string](tx.Across(), query, table)
		return err
	}); err != nil || len(names) == 0 {
		t.Fatalf("columns of %s: %v, %v", table, names, err)
	}
	return names
}
