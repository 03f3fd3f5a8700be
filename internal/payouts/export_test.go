package payouts

// Starts is for tests.
var Starts = starts
