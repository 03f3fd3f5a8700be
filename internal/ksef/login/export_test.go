package login

// LimitsOf are the limits of a group.
func LimitsOf(group string) ([3]int, bool) {
	most, known := limits[group]
	return most, known
}
