package payouts

// Pieces is for tests.
var Pieces = pieces
