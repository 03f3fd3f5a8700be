package pdf

// Column is one of a table.
type Column struct {
	Title string
	Width float64 // millimetres
	Right bool    // numbers
	Names bool    // its cells name their rows
}

// Cell is a text with, below it, a smaller grey note.
type Cell struct {
	Text     string
	Note     string
	Language string // two letters; empty: the document's
	Style
}

// Row is one of a table. A heading spans all columns and stays with the row after it.
type Row struct {
	Cells   []Cell
	Heading string
	Total   bool // stands under a heavier line
}

const (
	above   = 1.1 // space over and under the text of a row
	between = 2.5 // space right of a column
)

var (
	headStyle = Style{Size: 7.5, Colour: Grey}
	noteStyle = Style{Size: 7.5, Colour: Grey}
)

// laid is a row whose texts are broken into lines.
type laid struct {
	row    *Row
	cells  []laidCell
	height float64
}

type laidCell struct {
	style, noteStyle Style
	text, note       []string
}

const headingHeight = 9.0

// lay breaks the texts of a row.
func lay(columns []Column, row *Row) laid {
	if row.Heading != "" {
		return laid{row: row, height: headingHeight}
	}
	l := laid{row: row, cells: make([]laidCell, len(row.Cells)), height: 2 * above}
	for i := range row.Cells {
		cell, width := &row.Cells[i], columns[i].room(i == len(columns)-1)
		s, note := cell.filled(), noteStyle
		s.Right, note.Right = columns[i].Right, columns[i].Right
		s.Bold = s.Bold || row.Total
		c := laidCell{style: s, noteStyle: note, text: wrapped(Clean(cell.Text), width, s)}
		height := float64(len(c.text)) * s.height()
		if cell.Note != "" {
			c.note = wrapped(Clean(cell.Note), width, note)
			c.text[len(c.text)-1] += " " // between the two, for whoever copies them out
			height += float64(len(c.note)) * note.height()
		}
		l.cells[i], l.height = c, max(l.height, height+2*above)
	}
	return l
}

// Table writes rows under heads, which stand on every page again. No row is cut in two unless it is longer than a page.
func (d *Document) Table(columns []Column, rows []Row) {
	d.Need(20)
	d.begin(table)
	defer d.done()
	d.begin(tableRow)
	d.heads(columns)
	d.done()
	laid := make([]laid, len(rows))
	for i := range rows {
		laid[i] = lay(columns, &rows[i])
	}
	for i, row := range laid {
		height := row.height
		if row.row.Heading != "" && i+1 < len(laid) {
			height += laid[i+1].height
		}
		if d.Need(height) {
			d.beside = repetition
			d.heads(columns)
			d.beside = ""
		}
		d.row(columns, row)
	}
	d.Rule(Left, Right, d.Y, 0.2, Line)
}

func (d *Document) heads(columns []Column) {
	maximum := 0.0
	x := Left
	for i, c := range columns {
		s, width := headStyle, c.room(i == len(columns)-1)
		s.Right = c.Right
		if d.beside == "" {
			d.begin(columnHead)
		}
		maximum = max(maximum, d.write(x, d.Y, width, s, c.Title))
		if d.beside == "" {
			d.done()
		}
		x += c.Width
	}
	d.Y += maximum + above
	d.Rule(Left, Right, d.Y, 0.3, Ink)
}

func (c Column) room(last bool) float64 {
	if last || c.Right {
		return c.Width
	}
	return c.Width - between
}

func (d *Document) row(columns []Column, l laid) {
	d.begin(tableRow)
	defer d.done()
	if l.row.Heading != "" {
		d.Rule(Left, Right, d.Y, 0.2, Line)
		d.begin(groupHead).n = int32(len(columns))
		d.write(Left, d.Y+3.4, Width, Style{Size: 8.5, Bold: true}, l.row.Heading)
		d.done()
		d.Y += l.height
		return
	}
	if l.row.Total {
		d.Rule(Left, Right, d.Y, 0.3, Ink)
	} else {
		d.Rule(Left, Right, d.Y, 0.15, Line)
	}
	x := Left
	for i, c := range l.cells {
		width := columns[i].room(i == len(columns)-1)
		is := dataCell
		if columns[i].Names {
			is = rowHead
		}
		if in := l.row.Cells[i].Language; in != d.head.Language {
			d.begin(is).language = in
		} else {
			d.begin(is)
		}
		high := d.lines(x, d.Y+above, width, c.style, c.text)
		d.lines(x, d.Y+above+high, width, c.noteStyle, c.note)
		d.done()
		x += columns[i].Width
	}
	d.Y += l.height
}
