package mail

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"saldo/internal/kernel/colour"
)

// Brand is in whose name and colours a mail is written: a partner's, or the instance's.
type Brand struct {
	Name    string // empty: the instance's
	Color   string // #RRGGBB; empty: Saldo's own
	Logo    string // path of the picture; empty: none
	ReplyTo string // whose e-mail address an answer reaches; empty: the sender's
}

// Action is an address in the text of a mail that its HTML shows as a button.
type Action struct {
	Address, Label string
	Second         bool // another one is the first thing to do
}

//go:embed branded.html
var brandedPage string

var brandedMails = template.Must(template.New("mail").Parse(brandedPage))

// branded gives a message the name and an HTML form that says what its text says, no more and no less: the addresses of actions become
// buttons, and the amount that the mail is about is emphasised. Colours are written inline, since many mail programs read no style
// sheet; those that do get dark ones too. Every text has a contrast of 4.5 or more on both.
func (o *Queue) branded(m Message) (Message, error) {
	b := m.Brand
	if b.Name == "" {
		b.Name = o.Name()
	}
	if b.Logo != "" {
		b.Logo = o.publicURL + b.Logo
	}
	brand := b.Color
	if !colour.Valid(brand) {
		brand = colour.Petrol
	}
	page := brandedMail{Brand: b, Subject: m.Subject, Language: m.Language, Light: coloursOf(brand, false), Dark: coloursOf(brand, true)}
	if name := []rune(strings.TrimSpace(b.Name)); len(name) > 0 {
		page.Initial = strings.ToUpper(string(name[0]))
	}
	page.Content = template.HTML(m.Content)
	page.Paragraphs = paragraphsOf(m)
	var html bytes.Buffer
	if err := brandedMails.Execute(&html, page); err != nil {
		return m, err
	}
	m.FromName, m.HTML = b.Name, html.String()
	m.ReplyTo = Address{Address: b.ReplyTo}
	return m, nil
}

// paragraphsOf are the lines of the text; of one that is formatted only the buttons, which follow its content.
func paragraphsOf(m Message) (paragraphs [][]brandedLine) {
	if m.Content != "" {
		var buttons []brandedLine
		for i := range m.Actions {
			buttons = append(buttons, brandedLine{Button: &m.Actions[i]})
		}
		return [][]brandedLine{buttons}
	}
	for paragraph := range strings.SplitSeq(strings.TrimSpace(m.Text), "\n\n") {
		var lines []brandedLine
		for line := range strings.SplitSeq(paragraph, "\n") {
			lines = append(lines, linesOf(line, m.Strong, m.Actions)...)
		}
		paragraphs = append(paragraphs, lines)
	}
	return paragraphs
}

type brandedMail struct {
	Brand
	Subject, Language, Initial string
	Light, Dark                mailColours
	Content                    template.HTML // of the program's own making: text in it is escaped
	Paragraphs                 [][]brandedLine
}

// brandedLine is a line of text, or a button.
type brandedLine struct {
	Before, Strong, After string
	Button                *Action
}

type mailColours struct{ Page, Surface, Line, Text, Fill, On, Link template.CSS }

// coloursOf are of the program's own making, so the template may take them as they are.
func coloursOf(brand string, night bool) mailColours {
	s, g := colour.Of(brand, night), colour.GroundOf(night)
	return mailColours{template.CSS(g.Page), template.CSS(g.Surface), template.CSS(g.Line), template.CSS(g.Text),
		template.CSS(s.Fill), template.CSS(s.On), template.CSS(s.Text)}
}

// linesOf splits a line of text before the address that it ends with.
func linesOf(line, strong string, actions []Action) []brandedLine {
	for i := range actions {
		if before, ok := strings.CutSuffix(line, actions[i].Address); ok {
			var lines []brandedLine
			if before = strings.TrimSpace(before); before != "" {
				lines = append(lines, brandedLine{Before: before})
			}
			return append(lines, brandedLine{Button: &actions[i]})
		}
	}
	if before, after, ok := strings.Cut(line, strong); ok && strong != "" {
		return []brandedLine{{Before: before, Strong: strong, After: after}}
	}
	return []brandedLine{{Before: line}}
}
