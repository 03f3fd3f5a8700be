package uber

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/imports/statement"
	"saldo/internal/ledger/kinds"
)

// roots are the heads of the column that sums up everything, from which all other money columns branch off.
var roots = []string{"Paid to you", "Wypłacono Ci", "An dein Unternehmen gezahlt", "An dich gezahlt"}

// branches are the inner parts of paths, each by our word for it.
var branches = map[string]string{
	"your earnings": "earnings", "twój przychód": "earnings", "deine umsätze": "earnings",
	"trip balance": "balance", "bilans przejazdu": "balance", "fahrtguthaben": "balance",
	"fare": "fare", "opłata": "fare", "fahrpreis": "fare",
	"taxes": "taxes", "podatki": "taxes", "steuern": "taxes",
	"promotion": "promotion", "promocja": "promotion", "aktion": "promotion",
	"payouts": "payouts", "wypłaty": "payouts", "auszahlungen": "payouts",
	"refunds": "refunds", "zwroty": "refunds", "rückerstattungen": "refunds",
	"expenses": "expenses", "wydatki": "expenses", "ausgaben": "expenses",
}

// bank is the leaf of what Uber transferred to the fleet.
const bank = "balance/payouts/bank"

// serviceFee is the leaf of Uber's commission. What Uber gives back of it is a type of its own.
const serviceFee = "earnings/service_fee"

// leaves are the columns that are known by name. The tax on a fare is part of what the rider paid. A branch whose leaves are
// not in the file is a leaf itself.
var leaves = []struct {
	id, typ string
	names   []string
}{
	{"earnings/fare/fare", kinds.Trip, []string{"fare", "opłata", "fahrpreis"}},
	{"earnings/fare/surge", kinds.Trip, []string{"surge", "cena dynamiczna", "dynamische fahrpreisanpassung"}},
	{"earnings/fare/booking", kinds.Trip, []string{"booking fee", "opłata rezerwacyjna", "buchungsgebühr"}},
	{"earnings/fare/reservation", kinds.Trip, []string{"reservation fee", "opłata za rezerwację", "reservierungsgebühr"}},
	{"earnings/fare/outskirt", kinds.Trip, []string{"outskirt surcharge"}},
	{"earnings/fare/airport", kinds.Trip, []string{"airport surcharge"}},
	{"earnings/fare/tax", kinds.Trip, []string{"tax on fare", "podatek od opłaty", "steuer auf fahrpreis"}},
	{"earnings/fare/wait", "WAITING_TIME", []string{"wait time at pick-up", "wait time at pickup", "czas oczekiwania w miejscu odbioru",
		"wartezeit am abholungsort"}},
	{"earnings/fare/stop", "WAITING_TIME", []string{"time at stop", "czas na przystanku", "zeit am zwischenstopp"}},
	{"earnings/fare/cancellation", "CANCELLATION", []string{"cancellation", "anulowanie", "stornierung"}},
	{"earnings/fare/adjustment", "ADJUSTMENT", []string{"fare adjustment", "korekta opłaty", "anpassung"}},
	{"earnings/fare", kinds.Trip, []string{"fare", "opłata", "fahrpreis"}},
	{"earnings/promotion", "PROMO", []string{"promotion", "promocja", "aktion"}},
	{serviceFee, "FEE", []string{"service fee", "opłata za usługę", "servicegebühr"}},
	{"earnings/tip", "TIP", []string{"tip", "napiwek", "trinkgeld"}},
	{"earnings/taxes/service_fee", "FEE_TAX", []string{"tax on service fee", "podatek od opłaty za usługę", "steuer auf servicegebühr"}},
	{"earnings/taxes/tax", "TAX", []string{"tax", "podatek", "steuer", "income tax withholding"}},
	{"balance/payouts/cash", kinds.CashCollected, []string{"cash collected", "odebrana gotówka", "eingenommenes bargeld"}},
	{bank, "PAYOUT", []string{"transferred to bank account", "przelano na konto bankowe", "auf bankkonto überwiesen"}},
	{"earnings/promotion/quest", "PROMO", []string{"quest", "program quest"}},
	{"balance/refunds/toll", "REFUND", []string{"toll", "opłata drogowa", "mautgebühr"}},
	{"balance/expenses/toll", "ADJUSTMENT", []string{"toll adjustment"}},
	{"balance/expenses/instant_pay", "PAYOUT_FEE", []string{"instant pay fees", "instant pay fee"}},
	{"balance/refunds", "REFUND", []string{"refunds", "zwroty", "rückerstattungen"}},
}

// others are what leaves without a known name are, by their branch. All the rest is UNKNOWN.
var others = map[string]string{"earnings/promotion": "PROMO", "balance/refunds": "REFUND", "balance/expenses": "CHARGE",
	"balance/payouts": "PAYOUT"}

// cashWords keep a new name for collected cash from being taken for a transfer, which nobody counts.
var cashWords = []string{"cash", "gotówk", "bargeld"}

// node is a money column in the tree.
type node struct {
	column int
	parent int // in the list of nodes; below zero: it is the root
	total  bool
	typ    string // of a leaf
	id     string // the path in our words: the same in every language, and one of a kind in a file
}

// rootOf finds the column that sums up everything; below zero: there is none that others extend.
func rootOf(h statement.Head, names ...string) int {
	root := h.Find(names...)
	if root < 0 || !slices.ContainsFunc(h.Keys(), func(key string) bool { return strings.HasPrefix(key, h.Keys()[root]+":") }) {
		return -1
	}
	return root
}

// growTree finds the money columns, every one before the total that it is part of. A column is a total if the path of
// another extends it; where both ways of writing a path are in a file, that with spaces is the total of the other.
func growTree(h statement.Head, root int) []node {
	keys := h.Keys()
	var nodes []node
	for i, key := range keys {
		if key == keys[root] || strings.HasPrefix(key, keys[root]+":") {
			nodes = append(nodes, node{column: i, parent: -1})
		}
	}
	depth := func(n node) int {
		d := 2 * strings.Count(keys[n.column], ":")
		if strings.Contains(h.Names[n.column], " :") {
			d--
		}
		return d
	}
	slices.SortStableFunc(nodes, func(a, b node) int { return cmp.Compare(depth(b), depth(a)) })
	extends := func(path, of node) bool {
		long, short := keys[path.column], keys[of.column]
		return strings.HasPrefix(long, short+":") || long == short && depth(path) > depth(of)
	}
	for i := range nodes {
		for j := i + 1; j < len(nodes); j++ {
			if extends(nodes[i], nodes[j]) {
				nodes[i].parent, nodes[j].total = j, true
				break
			}
		}
	}
	name(nodes, keys, keys[root])
	return nodes
}

// name gives every node its type and an id of its own.
func name(nodes []node, keys []string, root string) {
	taken := map[string]bool{}
	for i := range nodes {
		path := strings.TrimPrefix(strings.TrimPrefix(keys[nodes[i].column], root), ":")
		id, typ := meaning(path)
		if nodes[i].total {
			id = "rest/" + translated(path)
		}
		for n, plain := 2, id; taken[id]; n++ {
			id = plain + "#" + strconv.Itoa(n)
		}
		taken[id] = true
		nodes[i].id, nodes[i].typ = id, typ
	}
}

// meaning is a path in our words, and what a leaf there is.
func meaning(path string) (id, typ string) {
	parts := strings.Split(path, ":")
	last := len(parts) - 1
	for i := range parts[:last] {
		parts[i] = cmp.Or(branches[parts[i]], parts[i])
	}
	under := strings.Join(parts[:last], "/")
	for _, l := range leaves {
		if above(l.id) == under && slices.Contains(l.names, parts[last]) {
			return l.id, l.typ
		}
	}
	id, typ = strings.Join(parts, "/"), kinds.Unknown
	if len(parts) >= 3 {
		typ = cmp.Or(others[parts[0]+"/"+parts[1]], typ)
	}
	if typ == "PAYOUT" && slices.ContainsFunc(cashWords, func(word string) bool { return strings.Contains(parts[last], word) }) {
		typ = kinds.Unknown
	}
	return id, typ
}

// translated is the path of a total in our words.
func translated(path string) string {
	parts := strings.Split(path, ":")
	for i := range parts {
		parts[i] = cmp.Or(branches[parts[i]], parts[i])
	}
	return strings.Join(parts, "/")
}

// above is the path without its last part.
func above(id string) string { return id[:max(strings.LastIndexByte(id, '/'), 0)] }
