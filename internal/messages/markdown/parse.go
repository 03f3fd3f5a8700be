// Package markdown reads the formatted text of messages: paragraphs with line breaks, **bold**, *italic*, bulleted and numbered lists,
// [text](https://…) and bare https links. Everything else is shown as typed. ui/src/components/markdown-parse.ts is its twin: the tests
// of both read testdata/cases.json and compare the same tree. Reading takes time in proportion to the length of the text.
package markdown

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kinds of blocks and of what they contain.
const (
	KindParagraph = "paragraph"
	KindBullets   = "bullets"
	KindNumbers   = "numbers"

	KindText   = "text"
	KindBreak  = "break"
	KindBold   = "bold"
	KindItalic = "italic"
	KindLink   = "link"
)

// Tree is a text that was read.
type Tree []Block

// Block is a paragraph or a list. A paragraph has one item.
type Block struct {
	Kind  string     `json:"kind"`
	Start int        `json:"start,omitempty"` // the number of the first item of Numbers
	Items [][]Inline `json:"items"`
}

// Inline is a part of a line.
type Inline struct {
	Kind    string   `json:"kind"`
	Text    string   `json:"text,omitempty"`    // of Text and Link
	Address string   `json:"address,omitempty"` // of a Link: https only, ASCII, without anything that would need escaping but &
	Host    string   `json:"host,omitempty"`    // of a Link: where it leads, if its text does not say exactly that
	Content []Inline `json:"content,omitempty"` // of Bold and Italic
}

var (
	// invisible characters change the order or the look of others: those of writing direction, of no width, and control characters.
	// The joiner of emoji (U+200D) stays.
	invisible = regexp.MustCompile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f" +
		"\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
	newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

	number = regexp.MustCompile(`^(0|[1-9][0-9]{0,3})\. +`)
	bullet = regexp.MustCompile(`^- +`)

	labelled = regexp.MustCompile(`^\[([^\[\]\n]+)\]\(([hH][tT][tT][pP][sS]://(?:[^\s\pZ()]|\([^\s\pZ()]*\))+)\)`)
	bare     = regexp.MustCompile("^[hH][tT][tT][pP][sS]://[^\\s\\pZ<>\"'*\u2010-\u2027\u00ab\u00bb]+")
	address  = regexp.MustCompile(`^https://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])(?::[0-9]{1,5})?` +
		`(?:[/?#][A-Za-z0-9._~:/?#@!$&()+,;=%-]*)?$`)
	origin = regexp.MustCompile(`^[^/?#]*//[^/?#]*`)
)

const longestAddress = 2000

func clean(text string) string {
	return invisible.ReplaceAllString(newlines.Replace(strings.ToValidUTF8(text, "\ufffd")), "")
}

// Parse reads a text. No text is refused.
func Parse(text string) Tree {
	tree := Tree{}
	var lines [][]string // of each item of the last block
	above := false       // the line above belongs to the last block
	end := func() {
		if len(tree) > 0 {
			last := &tree[len(tree)-1]
			for _, item := range lines {
				last.Items = append(last.Items, inlines(strings.Join(item, "\n")))
			}
		}
		lines = nil
	}
	begin := func(kind string, start int) {
		end()
		tree = append(tree, Block{Kind: kind, Start: start})
	}
	for line := range strings.SplitSeq(clean(text), "\n") {
		typed := strings.Trim(line, " \t")
		var last Block
		if len(tree) > 0 {
			last = tree[len(tree)-1]
		}
		marker := bullet.FindString(typed)
		found := number.FindStringSubmatch(typed)
		switch {
		case typed == "":
			above = false
			continue
		case marker != "":
			if last.Kind != KindBullets {
				begin(KindBullets, 0)
			}
			lines = append(lines, []string{typed[len(marker):]})
		case found != nil:
			// A number that does not follow starts another list: what is shown is always the number that was typed.
			if n, _ := strconv.Atoi(found[1]); last.Kind != KindNumbers || n != last.Start+len(lines) {
				begin(KindNumbers, n)
			}
			lines = append(lines, []string{typed[len(found[0]):]})
		case above && (last.Kind == KindParagraph || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")):
			lines[len(lines)-1] = append(lines[len(lines)-1], typed)
		default:
			begin(KindParagraph, 0)
			lines = append(lines, []string{typed})
		}
		above = true
	}
	end()
	return tree
}

// frame is emphasis that is open: its asterisks, and what follows them.
type frame struct {
	asterisks int
	content   []Inline
}

// inlines reads the content of a paragraph or of an item. At most one bold and one italic are open at a time.
func inlines(text string) []Inline {
	open := []frame{{}}
	put := func(i Inline) { open[len(open)-1].content = append(open[len(open)-1].content, i) }
	typed := 0 // where the text that was not put yet begins
	flush := func(to int) {
		if typed < to {
			put(Inline{Kind: KindText, Text: text[typed:to]})
		}
	}
	for at := 0; at < len(text); {
		long := 0
		switch c := text[at]; {
		case c == '\n':
			flush(at)
			put(Inline{Kind: KindBreak})
			long = 1
		case c == '*':
			long = len(text[at:]) - len(strings.TrimLeft(text[at:], "*"))
			flush(at)
			open = emphasis(open, long, before(text, at), after(text, at+long))
		case c == '[' || (c|0x20 == 'h' && !isASCIIWord(before(text, at))):
			link, n := linkAt(text[at:])
			if link.Kind == "" {
				at += n // an address that cannot be linked is read once, and shown as typed
				continue
			}
			flush(at)
			put(link)
			long = n
		}
		if long == 0 {
			at++
			continue
		}
		at += long
		typed = at
	}
	flush(len(text))
	for len(open) > 1 {
		open = dissolve(open, len(open)-1)
	}
	return joined(open[0].content)
}

// emphasis closes or opens what a run of asterisks can close or open, else the asterisks are text. They open before a word and close
// after one, never inside: 3*20*2 stays.
func emphasis(open []frame, run int, previous, next rune) []frame {
	opens := !unicode.IsSpace(next) && !isWord(previous)
	closes := !unicode.IsSpace(previous) && !isWord(next)
	if run > 3 {
		opens, closes = false, false
	}
	left := run
	if closes && (run == 3 || indexOf(open, run) > 0) {
		if run < 3 {
			i := indexOf(open, run)
			if top := len(open) - 1; i < top && len(open[i].content) == 0 { // opened together, as in ***a** b*
				open[i].asterisks, open[top].asterisks = open[top].asterisks, open[i].asterisks
				i = top
			}
			for len(open)-1 > i {
				open = dissolve(open, len(open)-1)
			}
		}
		for top := len(open) - 1; top > 0 && open[top].asterisks <= left; top = len(open) - 1 {
			kind := KindItalic
			if open[top].asterisks == 2 {
				kind = KindBold
			}
			left -= open[top].asterisks
			closed := Inline{Kind: kind, Content: joined(open[top].content)}
			open = open[:top]
			open[top-1].content = append(open[top-1].content, closed)
		}
	}
	switch {
	case left == run && opens:
		for _, asterisks := range []int{2, 1} {
			if run&asterisks == 0 {
				continue
			}
			if i := indexOf(open, asterisks); i > 0 { // the later one counts
				open = dissolve(open, i)
			}
			open = append(open, frame{asterisks: asterisks})
		}
	case left > 0:
		top := &open[len(open)-1]
		top.content = append(top.content, Inline{Kind: KindText, Text: strings.Repeat("*", left)})
	}
	return open
}

func indexOf(open []frame, asterisks int) int {
	return slices.IndexFunc(open, func(f frame) bool { return f.asterisks == asterisks })
}

// dissolve shows the asterisks of a frame as typed.
func dissolve(open []frame, i int) []frame {
	f := open[i]
	outer := &open[i-1]
	outer.content = append(outer.content, Inline{Kind: KindText, Text: strings.Repeat("*", f.asterisks)})
	outer.content = append(outer.content, f.content...)
	return slices.Delete(open, i, i+1)
}

// joined makes one text of neighbours.
func joined(parts []Inline) []Inline {
	out := []Inline{}
	for i := 0; i < len(parts); i++ {
		if parts[i].Kind != KindText {
			out = append(out, parts[i])
			continue
		}
		var text strings.Builder
		for ; i < len(parts) && parts[i].Kind == KindText; i++ {
			text.WriteString(parts[i].Text)
		}
		i--
		out = append(out, Inline{Kind: KindText, Text: text.String()})
	}
	return out
}

// linkAt reads the link that a text starts with and says how long it is, or how much of the text is no link.
func linkAt(text string) (link Inline, length int) {
	if found := labelled.FindStringSubmatch(text); found != nil {
		to, host := addressOf(found[2])
		if to == "" {
			return Inline{}, 1
		}
		if names := strings.TrimSuffix(found[1], "/"); names == host || names == strings.TrimSuffix(to, "/") {
			host = ""
		}
		return Inline{Kind: KindLink, Text: found[1], Address: to, Host: host}, len(found[0])
	}
	run := bare.FindString(text)
	shown, excess := run, strings.Count(run, ")")-strings.Count(run, "(")
	for shown != "" {
		last := shown[len(shown)-1]
		if last == ')' && excess > 0 {
			excess--
		} else if !strings.ContainsRune(".,;:!?]}", rune(last)) {
			break
		}
		shown = shown[:len(shown)-1]
	}
	to, _ := addressOf(shown)
	if to == "" {
		return Inline{}, max(1, len(run))
	}
	return Inline{Kind: KindLink, Text: shown, Address: to}, len(shown)
}

// addressOf is an address that may be linked, with its host in small letters, and that host: a name, not a number, without a user.
func addressOf(typed string) (to, host string) {
	if len(typed) > longestAddress || strings.ContainsFunc(typed, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return "", ""
	}
	to = origin.ReplaceAllStringFunc(typed, strings.ToLower)
	found := address.FindStringSubmatch(to)
	if found == nil {
		return "", ""
	}
	return to, found[1]
}

func before(text string, at int) rune {
	if at == 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return r
}

func after(text string, at int) rune {
	if at == len(text) {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return r
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

func isASCIIWord(r rune) bool { return r < utf8.RuneSelf && isWord(r) }
