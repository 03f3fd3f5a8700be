package markdown

import (
	"html"
	"strconv"
	"strings"
)

// HTML writes a tree for a mail. Whatever the text was, the result has only the elements p, br, strong, em, ul, ol, li and a, and
// a leads to an https address; a link that names another place than its own is followed by the host it leads to.
func HTML(tree Tree) string {
	var b strings.Builder
	for _, block := range tree {
		switch block.Kind {
		case KindParagraph:
			b.WriteString("<p>")
			writeHTML(&b, block.Items[0])
			b.WriteString("</p>\n")
		case KindBullets:
			b.WriteString("<ul>")
			writeItems(&b, block.Items)
			b.WriteString("</ul>\n")
		case KindNumbers:
			b.WriteString(`<ol start="` + strconv.Itoa(block.Start) + `">`)
			writeItems(&b, block.Items)
			b.WriteString("</ol>\n")
		}
	}
	return b.String()
}

func writeItems(b *strings.Builder, items [][]Inline) {
	for _, item := range items {
		b.WriteString("<li>")
		writeHTML(b, item)
		b.WriteString("</li>")
	}
}

func writeHTML(b *strings.Builder, parts []Inline) {
	for _, part := range parts {
		switch part.Kind {
		case KindText:
			b.WriteString(html.EscapeString(part.Text))
		case KindBreak:
			b.WriteString("<br>")
		case KindBold:
			b.WriteString("<strong>")
			writeHTML(b, part.Content)
			b.WriteString("</strong>")
		case KindItalic:
			b.WriteString("<em>")
			writeHTML(b, part.Content)
			b.WriteString("</em>")
		case KindLink:
			b.WriteString(`<a href="` + html.EscapeString(part.Address) + `" rel="noopener noreferrer">` + html.EscapeString(part.Text) + "</a>")
			if part.Host != "" {
				b.WriteString(" (" + html.EscapeString(part.Host) + ")")
			}
		}
	}
}

// Text writes a tree for the plain part of a mail and for SMS: without marks, links with their address.
func Text(tree Tree) string {
	blocks := make([]string, len(tree))
	for i, block := range tree {
		items := make([]string, len(block.Items))
		for n, item := range block.Items {
			var b strings.Builder
			switch block.Kind {
			case KindBullets:
				b.WriteString("- ")
			case KindNumbers:
				b.WriteString(strconv.Itoa(block.Start+n) + ". ")
			}
			writeText(&b, item)
			items[n] = b.String()
		}
		blocks[i] = strings.Join(items, "\n")
	}
	return strings.Join(blocks, "\n\n")
}

func writeText(b *strings.Builder, parts []Inline) {
	for _, part := range parts {
		switch part.Kind {
		case KindText:
			b.WriteString(part.Text)
		case KindBreak:
			b.WriteString("\n")
		case KindBold, KindItalic:
			writeText(b, part.Content)
		case KindLink:
			if part.Host == "" {
				b.WriteString(part.Address)
			} else {
				b.WriteString(part.Text + " (" + part.Address + ")")
			}
		}
	}
}
