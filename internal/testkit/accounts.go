package testkit

import (
	"fmt"
	"math/big"

	"saldo/internal/kernel/official"
)

// Account is a Polish bank account; every n has another one.
func Account(n int) official.Account {
	body := fmt.Sprintf("10901014%016d", 81_219_000_000+n)
	value, _ := new(big.Int).SetString(body+"252100", 10)
	return official.Account(fmt.Sprintf("PL%02d%s", 98-new(big.Int).Mod(value, big.NewInt(97)).Int64(), body))
}
