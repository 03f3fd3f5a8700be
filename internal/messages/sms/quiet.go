package sms

import "time"

// Nobody is sent an SMS from 21:00 to 7:00 by the clock where they live.
const (
	quietFrom = 21
	quietTo   = 7
)

// QuietUntil gives the instant from which an SMS may be sent: now, or in quiet hours the next 7:00 of the zone, whatever
// the clocks do that night.
func QuietUntil(now time.Time, zone *time.Location) time.Time {
	local := now.In(zone)
	day := local.Day()
	switch hour := local.Hour(); {
	case hour >= quietFrom:
		day++
	case hour >= quietTo:
		return now
	}
	return time.Date(local.Year(), local.Month(), day, quietTo, 0, 0, 0, zone)
}
