package i18n

import (
	"strconv"
	"strings"

	"saldo/internal/kernel/calendar"
)

var shortMonths = map[Language][]string{
	Polish:    strings.Fields("sty lut mar kwi maj cze lip sie wrz paź lis gru"),
	English:   strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
	German:    strings.Fields("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
	Ukrainian: strings.Fields("січ. лют. бер. квіт. трав. черв. лип. серп. вер. жовт. лист. груд."),
	Russian:   strings.Fields("янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек."),
}

// parts are the number of a day, its month and its year, as a language writes them beside each other.
func parts(l Language, d calendar.Date) (day, month, year string) {
	m, _ := strconv.Atoi(string(d[5:7])) // it exists, as all that come here
	n, _ := strconv.Atoi(string(d[8:]))
	day, month, year = strconv.Itoa(n), shortMonths[l][m-1], string(d[:4])
	switch l {
	case German:
		day += "."
	case Ukrainian:
		year += " р."
	case Russian:
		year += " г."
	}
	return day, month, year
}

// ShortDay writes a day as the web application does: 9 lis 2026.
func ShortDay(l Language, d calendar.Date) string {
	if _, known := shortMonths[l]; !known || !d.Exists() {
		return Day(l, d)
	}
	day, month, year := parts(l, d)
	return day + " " + month + " " + year
}

// ShortDays writes from which day until which, as short as the language allows and as the web application does: 9–15 lis 2026.
func ShortDays(l Language, first, last calendar.Date) string {
	if _, known := shortMonths[l]; !known || !first.Exists() || !last.Exists() {
		return Days(l, first, last)
	}
	day, month, year := parts(l, first)
	_, lastMonth, lastYear := parts(l, last)
	dash := " – "
	if l == Polish {
		dash = "–"
	}
	switch until := ShortDay(l, last); {
	case first == last:
		return until
	case year != lastYear && l == Ukrainian:
		return day + " " + month + " " + string(first[:4]) + dash + strings.TrimSuffix(until, " р.") + " рр."
	case year != lastYear:
		return ShortDay(l, first) + dash + until
	case month != lastMonth:
		return day + " " + month + dash + until
	case l == English:
		return day + dash + until
	default:
		return day + "–" + until
	}
}
