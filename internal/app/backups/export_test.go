package backups

// Named lists the columns that name files.
func Named() (columns []string) {
	for _, n := range named {
		columns = append(columns, n.table+"."+n.file)
	}
	return columns
}
