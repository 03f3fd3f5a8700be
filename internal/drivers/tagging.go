package drivers

import (
	"fmt"
	"slices"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// DriversAtOnce is how many drivers one change of tags can be for.
const DriversAtOnce = 500

// What became of one of many drivers.
const (
	TagsChanged   = "changed"
	TagsUnchanged = "unchanged" // it was so already
	TagsNotFound  = "not_found"
)

// Tagged is what became of one driver.
type Tagged struct{ DriverID, Result string }

// TagDrivers adds tags to drivers and takes others away, in one unit, and says
// of each driver what became of them. A tag that is not the partner's refuses
// all; a driver who is not is only said so.
func TagDrivers(tx *db.Tx, drivers, add, remove []string) ([]Tagged, error) {
	names, err := checkedTags(tx, drivers, add, remove)
	if err != nil {
		return nil, err
	}
	drivers = unique(drivers)
	in, args := db.Among(2, drivers)
	standing, err := db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into = '' AND id`+in, args...)
	if err != nil {
		return nil, err
	}
	before, err := tagsByDriver(tx, drivers)
	if err != nil {
		return nil, err
	}
	if err := changeTags(tx, drivers, add, remove); err != nil {
		return nil, err
	}
	results := make([]Tagged, len(drivers))
	for i, id := range drivers {
		was := before[id]
		now := slices.DeleteFunc(unique(append(slices.Clone(was), add...)), func(tag string) bool { return slices.Contains(remove, tag) })
		switch {
		case !slices.Contains(standing, id):
			results[i] = Tagged{id, TagsNotFound}
			continue
		case slices.Equal(was, now):
			results[i] = Tagged{id, TagsUnchanged}
			continue
		}
		results[i] = Tagged{id, TagsChanged}
		if err := recordTags(tx, id, named(names, was), named(names, now)); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// checkedTags gives all tags of the partner, or a fault that names every wrong field.
func checkedTags(tx *db.Tx, drivers, add, remove []string) ([]Tag, error) {
	all, err := Tags(tx)
	if err != nil {
		return nil, err
	}
	c := validate.New(ErrInvalid)
	switch {
	case len(drivers) == 0:
		c.Wrong("driverIds", fault.Required)
	case len(drivers) > DriversAtOnce:
		c.Wrong("driverIds", fault.TooLong, "max", fmt.Sprint(DriversAtOnce))
	}
	if len(add)+len(remove) == 0 {
		c.Wrong("add", fault.Required)
	}
	for field, tags := range [][]string{add, remove} {
		for i, tag := range tags {
			if !slices.ContainsFunc(all, func(t Tag) bool { return t.ID == tag }) {
				c.Wrong(fmt.Sprintf("%s[%d]", []string{"add", "remove"}[field], i), fault.NotOneOf)
			}
		}
	}
	for i, tag := range remove {
		if slices.Contains(add, tag) {
			c.Wrong(fmt.Sprintf("remove[%d]", i), fault.Duplicate)
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

func changeTags(tx *db.Tx, drivers, add, remove []string) error {
	in, ids := db.Among(3, drivers)
	for _, tag := range add {
		if _, err := tx.Exec(`INSERT INTO driver_tags (tenant_id, driver_id, tag_id) SELECT $1, id, CAST($2 AS TEXT) FROM drivers
			WHERE tenant_id = $1 AND merged_into = '' AND id`+in+` ON CONFLICT DO NOTHING`, append([]any{tag}, ids...)...); err != nil {
			return err
		}
	}
	for _, tag := range remove {
		if _, err := tx.Exec(`DELETE FROM driver_tags WHERE tenant_id = $1 AND tag_id = $2 AND driver_id`+in,
			append([]any{tag}, ids...)...); err != nil {
			return err
		}
	}
	return nil
}

func tagsByDriver(tx *db.Tx, drivers []string) (map[string][]string, error) {
	found, err := tagsOf(tx, drivers)
	tags := map[string][]string{}
	for _, t := range found {
		tags[t.DriverID] = append(tags[t.DriverID], t.ID)
	}
	return tags, err
}

// named are the names of tags, in the order of all.
func named(all []Tag, ids []string) []string {
	names := []string{}
	for _, t := range all {
		if slices.Contains(ids, t.ID) {
			names = append(names, t.Name)
		}
	}
	return names
}

func recordTags(tx *db.Tx, driver string, was, now []string) error {
	return audit.Record(tx, audit.Change{Action: "drivers.tags", Kind: AuditKind, ID: driver, Before: map[string]any{"tags": was},
		After: map[string]any{"tags": now}})
}

// unique are the values in the order in which each came first.
func unique(values []string) (once []string) {
	for _, v := range values {
		if !slices.Contains(once, v) {
			once = append(once, v)
		}
	}
	return once
}

// TagDriver makes a driver have exactly these tags of the partner.
func TagDriver(tx *db.Tx, id string, tags []string) error {
	if err := Exists(tx, id); err != nil {
		return err
	}
	all, err := Tags(tx)
	if err != nil {
		return err
	}
	c := validate.New(ErrInvalid)
	for i, tag := range tags {
		if !slices.ContainsFunc(all, func(t Tag) bool { return t.ID == tag }) {
			c.Wrong(fmt.Sprintf("tags[%d]", i), fault.NotOneOf)
		}
	}
	if err := c.Err(); err != nil {
		return err
	}
	before, err := tagsByDriver(tx, []string{id})
	if err != nil {
		return err
	}
	was, now := named(all, before[id]), named(all, tags)
	if slices.Equal(was, now) {
		return nil
	}
	gone := slices.DeleteFunc(before[id], func(tag string) bool { return slices.Contains(tags, tag) })
	if err := changeTags(tx, []string{id}, tags, gone); err != nil {
		return err
	}
	return recordTags(tx, id, was, now)
}
