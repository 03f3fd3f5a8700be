package unmatched

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"saldo/internal/imports/statement"
	"saldo/internal/platform/i18n"
)

// Name is what a driver is called once they are stored: each part in its own field, cased as people write names.
type Name struct{ First, Last string }

// firstNames are common first names without accents. They only tell which part of a name is which where a file does not say it.
var firstNames = func() map[string]bool {
	known := map[string]bool{}
	for _, name := range strings.Fields(`
		adam adrian agata agnieszka ahmed aleksander aleksandra ali alicja alina ana anastasiia anastasija andreas andrii andrij andrzej
		anna antoni artem artur barbara bartlomiej bartosz beata bohdan bogdan boris borys cezary christian dariusz dawid damian daniel
		david denis denys dmitrij dmitry dmytro dominik dorota edyta elena elzbieta emil ewa ewelina filip franciszek frank gabriel giorgi
		grazyna grzegorz halyna hanna helena henryk hubert ihor igor ilona irena iryna ivan iwan iwo iwona izabela jacek jakub jan janusz
		jaroslaw jerzy joanna jolanta jozef julia justyna kacper kamil karol karolina katarzyna kateryna kinga klaus konrad krystian
		krystyna krzysztof lech leszek lukasz lucyna maciej magdalena maja malgorzata marcin marek maria mariia mariusz marta martin
		marzena mateusz michael michal mikolaj miroslaw mohamed mohammad muhammad monika mykhailo mykola nadia natalia nataliia nazar
		norbert oksana oleg oleh olena oleksandr oleksii olga olha oliwia ostap patryk pavlo pawel peter petro piotr przemyslaw radoslaw
		rafal renata robert roman ryszard sebastian sergey serhii sergii slawomir stanislaw stefan stefania svitlana sviatoslav sylwia
		szymon tadeusz taras tatiana tetiana thomas tomasz urszula vadym vasyl viktor viktoriia vitalii vladimir volodymyr vyacheslav
		waldemar wanda wieslaw wiktor wiktoria witold wladyslaw wlodzimierz wojciech yaroslav yevhen yevhenii yurii yuliia zbigniew
		zdzislaw zofia zuzanna
		александр алексей анастасія андрій андрей анна богдан валентин василь віктор виктор віталій владимир володимир дмитро дмитрий
		євген евгений іван иван ігор игорь ірина ирина катерина марія мария микола михайло михаил наталія олег олександр олексій олена
		ольга павло петро роман сергій сергей тарас тетяна юлія юрій ярослав`) {
		known[i18n.Fold(name)] = true
	}
	return known
}()

// nameKey is the same for all ways to write one name: in any order, with and without capitals, accents and signs. Empty: the name
// has fewer than two words that are more than an initial, which many people share.
func nameKey(name string) string {
	words := strings.FieldsFunc(i18n.Fold(name), func(r rune) bool { return !unicode.IsLetter(r) && !isApostrophe(r) })
	slices.Sort(words)
	whole := 0
	for _, word := range words {
		if utf8.RuneCountInString(word) > 1 {
			whole++
		}
	}
	if whole < 2 {
		return ""
	}
	return strings.Join(words, " ")
}

// nameOf is what somebody of a file is called. Where the file does not say which part is which, a comma says it, or capitals
// ("KOWALSKI Jan"), or a common first name, or else how the other names of the provider are written.
func nameOf(p statement.Person, familyFirst bool) Name {
	if p.FirstName != "" && p.LastName != "" {
		return Name{proper(p.FirstName), family(p.LastName)}
	}
	whole := p.FullName()
	if before, after, found := strings.Cut(whole, ","); found && len(strings.Fields(before)) == 1 && strings.TrimSpace(after) != "" {
		return Name{proper(after), family(before)}
	}
	words := wordsOf(whole)
	if len(words) < 2 {
		return Name{First: proper(whole)}
	}
	at := 1 // where the second part begins
	switch capitals := capitalsOf(words); {
	case capitals != 0:
		if at, familyFirst = capitals, capitals > 0; !familyFirst {
			at += len(words)
		}
	default:
		if told, ok := familyNameFirst(words); ok {
			familyFirst = told
		}
		for !familyFirst && at < len(words)-1 && firstNames[i18n.Fold(words[at])] {
			at++
		}
	}
	first, last := strings.Join(words[:at], " "), strings.Join(words[at:], " ")
	if familyFirst {
		first, last = last, first
	}
	return Name{proper(first), family(last)}
}

// wordsOf are the words of a name without commas.
func wordsOf(name string) []string { return strings.Fields(strings.ReplaceAll(name, ",", " ")) }

// capitalsOf says how many words at the start are written in capitals while the others are not; negative: at the end; 0: neither.
func capitalsOf(words []string) int {
	loud := func(word string) bool {
		return utf8.RuneCountInString(word) > 1 && strings.ToUpper(word) == word && strings.ToLower(word) != word
	}
	start, end, all := 0, 0, 0
	for start < len(words) && loud(words[start]) {
		start++
	}
	for end < len(words) && loud(words[len(words)-1-end]) {
		end++
	}
	for _, word := range words {
		if loud(word) {
			all++
		}
	}
	switch {
	case all == len(words) || all != start+end || start > 0 && end > 0:
		return 0
	case start > 0:
		return start
	}
	return -end
}

// familyNameFirst says whether a name begins with the family name; ok: a common first name tells it.
func familyNameFirst(words []string) (yes, ok bool) {
	first, last := firstNames[i18n.Fold(words[0])], firstNames[i18n.Fold(words[len(words)-1])]
	return last, first != last
}

// familyFirst are the providers most of whose names begin with the family name.
func familyFirst(people []Identity) map[string]bool {
	votes := map[string]int{}
	for _, i := range people {
		words := wordsOf(i.Name)
		if i.FirstName != "" || i.LastName != "" || len(words) < 2 || strings.Contains(i.Name, ",") {
			continue
		}
		if yes, ok := familyNameFirst(words); ok && yes {
			votes[i.Provider]++
		} else if ok {
			votes[i.Provider]--
		}
	}
	providers := map[string]bool{}
	for provider, n := range votes {
		providers[provider] = n > 1 // one name may be anything
	}
	return providers
}

// proper is a name as people write it: words in capitals only, or without any, begin with one.
func proper(name string) string {
	words := wordsOf(name)
	for n, word := range words {
		parts := strings.Split(word, "-")
		for m, part := range parts {
			if strings.ToUpper(part) == part || strings.ToLower(part) == part {
				parts[m] = capitalised(part)
			}
		}
		words[n] = strings.Join(parts, "-")
	}
	return strings.Join(words, " ")
}

// family is a family name as people write it: "von der" before a name that begins with a capital is meant so, and so is "jun." after it.
func family(name string) string {
	words := wordsOf(name)
	last := len(words) // behind the last word that begins with a capital
	for last > 0 && !unicode.IsUpper([]rune(words[last-1])[0]) {
		last--
	}
	for n, word := range words {
		if strings.ToLower(word) != word || n >= last && !strings.HasSuffix(word, ".") || last == 0 {
			words[n] = proper(word)
		}
	}
	return strings.Join(words, " ")
}

func capitalised(word string) string {
	letters := []rune(strings.ToLower(word))
	for n, r := range letters {
		// O'Neil begins anew after the sign, В'ячеслав goes on
		if n == 0 || isApostrophe(letters[n-1]) && unicode.Is(unicode.Latin, r) {
			letters[n] = unicode.ToUpper(r)
		}
	}
	return string(letters)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }
