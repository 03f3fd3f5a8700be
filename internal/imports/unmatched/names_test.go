package unmatched

import (
	"testing"

	"saldo/internal/imports/statement"
)

func TestNameOf_FirstAndLastNameInTheirPlacesProperlyCased(t *testing.T) {
	for _, c := range []struct {
		person      statement.Person
		familyFirst bool
		first, last string
	}{
		{statement.Person{FirstName: "JAN", LastName: "KOWALSKI"}, false, "Jan", "Kowalski"},
		{statement.Person{FirstName: "Ahmed", LastName: "Safa, Beng"}, false, "Ahmed", "Safa Beng"},
		{statement.Person{FirstName: "grażyna", LastName: "ŚCIBOR-ĆWIEK"}, false, "Grażyna", "Ścibor-Ćwiek"},
		{statement.Person{Name: "JAN KOWALSKI"}, false, "Jan", "Kowalski"},
		{statement.Person{Name: "KOWALSKI JAN"}, false, "Jan", "Kowalski"},
		{statement.Person{Name: "JAN KOWALSKI"}, true, "Jan", "Kowalski"},
		{statement.Person{Name: "KOWALSKI Jan Adam"}, false, "Jan Adam", "Kowalski"},
		{statement.Person{Name: "Jan VAN DYK"}, false, "Jan", "Van Dyk"},
		{statement.Person{Name: "Safa, Beng Ahmed"}, false, "Beng Ahmed", "Safa"},
		{statement.Person{Name: "Ahmed Safa, Beng"}, false, "Ahmed", "Safa Beng"},
		{statement.Person{Name: "Beng Xu"}, false, "Beng", "Xu"},
		{statement.Person{Name: "XU BENG"}, true, "Beng", "Xu"},
		{statement.Person{Name: "Anna Maria Nowak"}, false, "Anna Maria", "Nowak"},
		{statement.Person{Name: "В'ЯЧЕСЛАВ О'КОННОР"}, false, "В'ячеслав", "О'коннор"},
		{statement.Person{Name: "SINEAD O'NEIL"}, false, "Sinead", "O'Neil"},
		{statement.Person{Name: "Ronald McDonald"}, false, "Ronald", "McDonald"},
		{statement.Person{Name: "Karl von der Heide, jun."}, false, "Karl", "von der Heide jun."},
		{statement.Person{FirstName: "karl", LastName: "von der Heide, jun."}, false, "Karl", "von der Heide jun."},
		{statement.Person{FirstName: "Anna maria", LastName: "Nowak kowalska"}, false, "Anna Maria", "Nowak Kowalska"},
		{statement.Person{Name: "jan van dyk"}, false, "Jan", "Van Dyk"},
		{statement.Person{Name: "cher"}, false, "Cher", ""},
		{statement.Person{LastName: "NOWAK"}, false, "Nowak", ""},
		{statement.Person{}, false, "", ""},
	} {
		if got := nameOf(c.person, c.familyFirst); got != (Name{c.first, c.last}) {
			t.Errorf("%+v: %+v", c.person, got)
		}
	}
}

func TestNameKey_TheSameForEveryWayToWriteAName(t *testing.T) {
	for _, name := range []string{"Ahmed Safa, Beng", "SAFA, BENG AHMED", "Beng  ahmed-safa"} {
		if got := nameKey(name); got != "ahmed beng safa" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, name := range []string{"", "Jan", "J. Nowak", "– –"} {
		if got := nameKey(name); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestFamilyFirst_MostNamesOfTheProviderDecide(t *testing.T) {
	people := []Identity{{Provider: "A", Name: "Kowalski Jan"}, {Provider: "A", Name: "NOWAK ANNA"}, {Provider: "A", Name: "Lis Ewa"}, {Provider: "A", Name: "Adam Xu"},
		{Provider: "B", Name: "Jan Kowalski"}, {Provider: "C", FirstName: "Kos", LastName: "Jan"}}
	if got := familyFirst(people); !got["A"] || got["B"] || got["C"] {
		t.Error(got)
	}
}
