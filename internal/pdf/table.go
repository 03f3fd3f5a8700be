package pdf

// Column is one of a table.
type Column struct {
	Title string
	Width float64 // millimetres
	Right bool    // numbers
}

// Cell is a text with, below it, a smaller grey note.
type Cell struct {
	Text string
	Note string
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

// Table writes rows under heads, which stand on every page again. No row is cut in two unless it is longer than a page.
func (d *Document) Table(columns []Column, rows []Row) {
	d.Need(20)
	d.heads(columns)
	for i, row := range rows {
		height := d.measure(columns, row)
		if row.Heading != "" && i+1 < len(rows) {
			height += d.measure(columns, rows[i+1])
		}
		if d.Need(height) {
			d.heads(columns)
		}
		d.row(columns, row)
	}
	d.Rule(Left, Right, d.Y, 0.2, Line)
}

func (d *Document) heads(columns []Column) {
	most := 0.0
	x := Left
	for i, c := range columns {
		s, width := headStyle, c.room(i == len(columns)-1)
		s.Right = c.Right
		most = max(most, d.Text(x, d.Y, width, s, c.Title))
		x += c.Width
	}
	d.Y += most + above
	d.Rule(Left, Right, d.Y, 0.3, Ink)
}

func (c Column) room(last bool) float64 {
	if last || c.Right {
		return c.Width
	}
	return c.Width - between
}

func (d *Document) measure(columns []Column, row Row) float64 {
	if row.Heading != "" {
		return 9
	}
	most := 0.0
	for i, cell := range row.Cells {
		s, width := cell.filled(), columns[i].room(i == len(columns)-1)
		height := float64(len(d.wrapped(Clean(cell.Text), width, s))) * s.height()
		if cell.Note != "" {
			height += float64(len(d.wrapped(Clean(cell.Note), width, noteStyle))) * noteStyle.height()
		}
		most = max(most, height)
	}
	return most + 2*above
}

func (d *Document) row(columns []Column, row Row) {
	if row.Heading != "" {
		d.Rule(Left, Right, d.Y, 0.2, Line)
		d.Text(Left, d.Y+3.4, Width, Style{Size: 8.5, Bold: true}, row.Heading)
		d.Y += 9
		return
	}
	if row.Total {
		d.Rule(Left, Right, d.Y, 0.3, Ink)
	} else {
		d.Rule(Left, Right, d.Y, 0.15, Line)
	}
	height := d.measure(columns, row)
	x := Left
	for i, cell := range row.Cells {
		s, width := cell.filled(), columns[i].room(i == len(columns)-1)
		s.Right = columns[i].Right
		s.Bold = s.Bold || row.Total
		high := d.Text(x, d.Y+above, width, s, cell.Text)
		if cell.Note != "" {
			note := noteStyle
			note.Right = s.Right
			d.Text(x, d.Y+above+high, width, note, cell.Note)
		}
		x += columns[i].Width
	}
	d.Y += height
}
