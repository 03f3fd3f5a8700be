package db

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// OpenOlder opens a database as a version with only the first n upgrades left it.
func OpenOlder(ctx context.Context, s Settings, n int) (*DB, error) {
	e, err := open(ctx, s)
	if err != nil {
		return nil, err
	}
	steps, err := migrations(e.name)
	if err != nil {
		return nil, err
	}
	d := &DB{engine: e, clock: s.Clock}
	_, err = d.migrateOnce(ctx, steps[:n])
	return d, err
}

// Upgrades is how many there are of an engine.
func Upgrades(engine string) int {
	steps, err := migrations(engine)
	if err != nil {
		panic(err)
	}
	return len(steps)
}

// UpgradesBefore is how many an engine has whose names come before another one.
func UpgradesBefore(engine, name string) int {
	steps, err := migrations(engine)
	if err != nil {
		panic(err)
	}
	return slices.IndexFunc(steps, func(m migration) bool { return m.name >= name })
}

// Schema describes every table, column and index, for comparing databases.
func Schema(tx *Tx) (string, error) {
	text := `SELECT type || ' ' || name || ' ' || sql AS line FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name`
	if tx.engine.name == postgresName {
		text = `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line FROM information_schema.columns WHERE table_schema = 'public'
			UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
			UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY line`
	}
	lines, err := Select[string](tx.Across(), text)
	return fmt.Sprintln(strings.Join(lines, "\n")), err
}
