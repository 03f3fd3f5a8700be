package official

import "strings"

// PostCode is a Polish post code, 00-001, or a German one, 10115.
type PostCode string

// ParsePostCode reads a post code of PL or DE. The dash of a Polish one is required: without it the five digits are a
// German one, and somebody typed them into the wrong country.
func ParsePostCode(text, country string) (PostCode, error) {
	var kept strings.Builder
	for _, r := range text {
		switch {
		case invisible(r):
		case dash(r) && country == "PL":
			kept.WriteByte('-')
		case r >= '0' && r <= '9':
			kept.WriteByte(byte(r))
		default:
			return "", ErrCharacters
		}
	}
	code := kept.String()
	switch country {
	case "PL":
		return polishPostCode(code)
	case "DE":
		return germanPostCode(code)
	}
	return "", ErrCountry
}

func polishPostCode(code string) (PostCode, error) {
	switch {
	case len(code) != 6:
		return "", ErrLength
	case code[2] != '-' || strings.Count(code, "-") != 1:
		return "", ErrForm
	case code == "00-000":
		return "", ErrNotIssued
	}
	return PostCode(code), nil
}

func germanPostCode(code string) (PostCode, error) {
	switch {
	case len(code) != 5:
		return "", ErrLength
	case code[:2] == "00": // the regions begin with 01, Dresden
		return "", ErrNotIssued
	}
	return PostCode(code), nil
}

// Display is the post code itself.
func (p PostCode) Display() string { return string(p) }

// Phone is a phone number of E.164: + and the digits of country and subscriber.
type Phone string

// ParsePhone reads an international number, begun with + or 00, or a national one of the country, PL or DE. The
// country's own code is also understood without +, where it can be nothing else: exports of other programs write it so.
func ParsePhone(text, country string) (Phone, error) {
	dialled, international, err := dial(text)
	if err != nil {
		return "", err
	}
	if !international {
		if dialled, err = internationally(dialled, country); err != nil {
			return "", err
		}
	}
	return subscriber(dialled)
}

// dial leaves the digits of a number without + or 00 and says whether it had one of them.
func dial(text string) (digits string, international bool, err error) {
	var kept strings.Builder
	for _, r := range text {
		switch {
		case invisible(r) || dash(r) || r == '.' || r == '/':
		case r >= '0' && r <= '9', r == '+', r == '(', r == ')':
			kept.WriteByte(byte(r))
		default:
			return "", false, ErrCharacters
		}
	}
	// In +49 (0)30 the zero is dialled only inside the country.
	foreign := strings.Replace(kept.String(), "(0)", "", 1)
	for _, prefix := range []string{"+", "00"} {
		if rest, found := strings.CutPrefix(brackets.Replace(foreign), prefix); found {
			digits, international = rest, true
			break
		}
	}
	if !international {
		digits = brackets.Replace(kept.String())
	}
	if strings.Contains(digits, "+") {
		return "", false, ErrForm
	}
	return digits, international, nil
}

var brackets = strings.NewReplacer("(", "", ")", "")

// internationally puts the code of the country before a national number.
func internationally(digits, country string) (string, error) {
	national, trunk := strings.CutPrefix(digits, "0")
	switch {
	case digits == "":
		return "", ErrLength
	case country == "PL" && len(digits) == 11 && digits[:2] == "48":
		return digits, nil
	case country == "PL":
		return "48" + national, nil // a Polish 0 before the number is a habit from before 2009
	case country == "DE" && trunk:
		return "49" + national, nil
	case country == "DE" && len(digits) >= 11 && digits[:2] == "49":
		return digits, nil // no German number without its area code is so long
	case country == "DE":
		return "", ErrForm
	}
	return "", ErrCountry
}

// subscriber checks the digits of an international number.
func subscriber(digits string) (Phone, error) {
	// A zero after the code is a trunk prefix that was left in; elsewhere, as in Italy, it may belong to the number.
	for _, code := range []string{"48", "49"} {
		if national, found := strings.CutPrefix(digits, code+"0"); found {
			digits = code + national
		}
	}
	switch {
	case strings.HasPrefix(digits, "0"):
		return "", ErrForm
	case len(digits) < 8, len(digits) > 15, digits[:2] == "48" && len(digits) != 11:
		return "", ErrLength
	case digits[:2] == "28", digits[:2] == "83", digits[:2] == "89": // spare codes of the numbering plan
		return "", ErrCountry
	case digits[:3] == "480", digits[:3] == "490", strings.Trim(digits[3:], "0") == "":
		return "", ErrNotIssued
	}
	return Phone("+" + digits), nil
}

// Display is the number in groups where its country has a habit: +48 601 234 567, +49 170 1234567.
func (p Phone) Display() string {
	number := string(p)
	switch {
	case len(number) == 12 && number[:3] == "+48":
		return groups(number, " ", 3)
	case len(number) > 6 && number[:4] == "+491" && strings.ContainsRune("567", rune(number[4])): // mobile networks
		return number[:3] + " " + number[3:6] + " " + number[6:]
	case len(number) > 3 && number[:3] == "+49":
		return number[:3] + " " + number[3:] // area codes have two to five digits
	}
	return number
}

// Email is an e-mail address in lower case.
type Email string

// Limits of RFC 5321 and of names in the DNS.
const (
	longestEmail = 254
	longestLocal = 64
	longestLabel = 63
)

// ParseEmail reads an e-mail address. It promises that the text can stand in the header of a mail and that its domain
// could exist, not that anybody reads it. Case is dropped: no server that matters tells Anna@ from anna@, and people
// who sign in write both. Letters beyond ASCII are refused, since most servers do not take them and they imitate others.
func ParseEmail(text string) (Email, error) {
	address := strings.TrimFunc(text, invisible)
	if strings.ContainsFunc(address, func(r rune) bool { return !strings.ContainsRune(inEmail, r) }) {
		return "", ErrCharacters
	}
	address = strings.ToLower(address)
	local, domain, found := strings.Cut(address, "@")
	switch {
	case address == "", len(address) > longestEmail, len(local) > longestLocal:
		return "", ErrLength
	case !found, strings.Contains(domain, "@"), local == "", strings.Contains("."+local+".", ".."):
		return "", ErrForm
	case domain == "localhost":
		return Email(address), nil
	}
	labels := strings.Split(domain, ".")
	for _, label := range labels {
		switch {
		case len(label) > longestLabel:
			return "", ErrLength
		case label == "", label[0] == '-', label[len(label)-1] == '-':
			return "", ErrForm
		case strings.ContainsFunc(label, func(r rune) bool { return !strings.ContainsRune(inDomain, r) }):
			return "", ErrCharacters
		}
	}
	// A last label of digits would be an address of a machine.
	if len(labels) < 2 || allDigits(labels[len(labels)-1]) {
		return "", ErrForm
	}
	return Email(address), nil
}

const (
	inDomain = "abcdefghijklmnopqrstuvwxyz0123456789-"
	inEmail  = inDomain + "ABCDEFGHIJKLMNOPQRSTUVWXYZ.@!#$%&'*+/=?^_`{|}~"
)

// Display is the address itself.
func (e Email) Display() string { return string(e) }
