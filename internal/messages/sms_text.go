package messages

import (
	"slices"

	"saldo/internal/messages/markdown"
	"saldo/internal/messages/sms"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// SMSLanguage is the SMS of a language: how many drivers get it, and in how many parts at most.
type SMSLanguage struct {
	Language   i18n.Language
	Recipients int64
	Parts      int64
	Unicode    bool // letters that make an SMS short, as Polish and Cyrillic ones
}

// SMSPreview is what the SMS of a draft would need.
type SMSPreview struct {
	Recipients  int64
	Parts, Cost int64
	Left, Most  int64 // parts of the month in which it is sent
	Languages   []SMSLanguage
}

// smsTexts writes the SMS of drivers. Names repeat, so what was written once is kept.
type smsTexts struct {
	service *Service
	texts   []Text
	written i18n.Language
	partner string
	plain   bool
	trees   map[i18n.Language]markdown.Tree
	known   map[[3]string]smsText
}

type smsText struct {
	language i18n.Language
	text     string
	parts    int64
	encoding sms.Encoding
}

func (s *Service) smsTexts(texts []Text, written i18n.Language, partner string, plain bool) *smsTexts {
	return &smsTexts{s, texts, written, partner, plain, map[i18n.Language]markdown.Tree{}, map[[3]string]smsText{}}
}

// of is what a driver reads: the content without its formatting.
func (x *smsTexts) of(c *candidate) smsText {
	text := textFor(x.texts, x.service.languageOf(c), x.written)
	key := [3]string{string(text.Language), c.FirstName, c.figuresJSON()}
	if known, ok := x.known[key]; ok {
		return known
	}
	if x.trees[text.Language] == nil {
		x.trees[text.Language] = markdown.Parse(text.Content)
	}
	content := markdown.Text(markdown.Fill(x.trees[text.Language], x.service.values(c, x.partner, text.Language)))
	if x.plain {
		content = sms.WithoutDiacritics(content)
	}
	parts, encoding := sms.Parts(content)
	one := smsText{text.Language, content, int64(parts), encoding}
	x.known[key] = one
	return one
}

// plan is the SMS of a draft: how many parts for which driver.
type plan struct {
	SMSPreview
	parts map[string]int64
}

// plan counts the SMS of a draft that starts at an instant. Nothing is reserved.
func (s *Service) plan(tx *db.Tx, d *Draft, all []candidate, month string) (p plan, err error) {
	p.parts = map[string]int64{}
	settings, err := smsSettings(tx)
	if err != nil {
		return p, err
	}
	if !settings.on() {
		return p, ErrSMSOff
	}
	brand, err := partners.MailBrand(tx)
	if err != nil {
		return p, err
	}
	texts := s.smsTexts(append(slices.Clone(d.Translations), d.Text), d.Language, brand.Name, d.Plain)
	for i := range all {
		c := &all[i]
		if c.Phone == "" || c.refusal(d.Channels) != "" {
			continue
		}
		text := texts.of(c)
		if text.parts == 0 || text.parts > sms.MostParts {
			return p, ErrSMSTooLong.With("parts", text.parts).With("max", sms.MostParts)
		}
		p.parts[c.ID] = text.parts
		p.Recipients++
		p.Parts += text.parts
		p.add(text)
	}
	used, err := usedParts(tx, month)
	p.Most, p.Left, p.Cost = settings.MonthParts, max(settings.MonthParts-used, 0), p.Parts*settings.PartCost
	return p, err
}

func (p *plan) add(text smsText) {
	at := slices.IndexFunc(p.Languages, func(l SMSLanguage) bool { return l.Language == text.language })
	if at < 0 {
		at = len(p.Languages)
		p.Languages = append(p.Languages, SMSLanguage{Language: text.language})
	}
	l := &p.Languages[at]
	l.Recipients++
	l.Parts, l.Unicode = max(l.Parts, text.parts), l.Unicode || text.encoding == sms.UCS2
}
