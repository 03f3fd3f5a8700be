package answers

import (
	"reflect"
	"strings"
)

// Differing lists the names of fields that two have different, without what they hold.
func Differing(a, b Answers) []string { return differing("", reflect.ValueOf(a), reflect.ValueOf(b)) }

func differing(at string, a, b reflect.Value) (names []string) {
	if a.Kind() != reflect.Struct {
		if !reflect.DeepEqual(a.Interface(), b.Interface()) {
			return []string{strings.TrimPrefix(at, ".")}
		}
		return nil
	}
	for i := range a.NumField() {
		name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
		names = append(names, differing(at+"."+name, a.Field(i), b.Field(i))...)
	}
	return names
}
