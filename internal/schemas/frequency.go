package schemas

// Frequencies are how often a driver can be settled, in weeks.
var Frequencies = []int64{1, 2, 4}
