package markdown

import (
	"regexp"
	"slices"
	"strings"
)

// Placeholders are the names that a text may have in braces: {first_name}.
var Placeholders = []string{"first_name", "period", "payout", "paid_on", "partner", "invoice", "reason", "comment", "document",
	"valid_to", "entry", "nip"}

var braces = regexp.MustCompile(`\{([^{}\n]*)\}`)

// Unknown lists what a text has in braces and is no placeholder, each once, in the order of the text.
func Unknown(text string) []string {
	found := []string{}
	for _, m := range braces.FindAllStringSubmatch(clean(text), -1) {
		if !slices.Contains(Placeholders, m[1]) && !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	return found
}

// Used lists the placeholders of a text, each once, in the order of the text.
func Used(text string) []string {
	found := []string{}
	for _, m := range braces.FindAllStringSubmatch(clean(text), -1) {
		if slices.Contains(Placeholders, m[1]) && !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	return found
}

// Fill gives a tree in which the placeholders are replaced by values. A value is text: asterisks, addresses and braces in it mean
// nothing, and it stays on one line. A placeholder without a value is left as it is.
func Fill(tree Tree, values map[string]string) Tree {
	filled := make(Tree, len(tree))
	for i, block := range tree {
		filled[i] = Block{Kind: block.Kind, Start: block.Start, Items: make([][]Inline, len(block.Items))}
		for n, item := range block.Items {
			filled[i].Items[n] = fillInlines(item, values)
		}
	}
	return filled
}

// FillText replaces the placeholders of a text that is not formatted, as a topic.
func FillText(text string, values map[string]string) string {
	return braces.ReplaceAllStringFunc(text, func(found string) string {
		value, ok := values[found[1:len(found)-1]]
		if !ok || !slices.Contains(Placeholders, found[1:len(found)-1]) {
			return found
		}
		return strings.ReplaceAll(clean(value), "\n", " ")
	})
}

func fillInlines(parts []Inline, values map[string]string) []Inline {
	filled := make([]Inline, len(parts))
	for i, part := range parts {
		part.Text = FillText(part.Text, values)
		if part.Content != nil {
			part.Content = fillInlines(part.Content, values)
		}
		filled[i] = part
	}
	return filled
}
