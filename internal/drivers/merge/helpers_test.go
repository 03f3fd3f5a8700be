package merge_test

import (
	"saldo/internal/platform/config"
	"saldo/internal/testkit"
)

var anna = testkit.Anna

var poland = func() config.Instance {
	i, err := config.InstanceOf("pl")
	if err != nil {
		panic(err)
	}
	return i
}()
