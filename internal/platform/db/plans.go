package db

// Observe calls fn with every statement that is run from now on, for tests that look at how statements are run.
func (d *DB) Observe(fn func(text string, args []any)) { d.observer.Store(&fn) }

func (tx *Tx) observe(text string, args []any) {
	if fn := tx.observer.Load(); fn != nil {
		(*fn)(text, args)
	}
}
