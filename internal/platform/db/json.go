package db

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// JSON is how a value of texts, numbers and lists is stored in one column. It panics on any other value.
func JSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// ScanJSON reads back what JSON stored, for the Scan method of a type. An empty text leaves the value as it is.
func ScanJSON(value, into any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("this is stored as text, found %T", value)
	}
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), into)
}

// Stored is a value that says how it is stored in one column, as JSON for example. Its Scan reads that back.
type Stored interface{ Stored() string }

func isStored(field reflect.Value) bool {
	_, ok := field.Interface().(Stored)
	return ok
}
