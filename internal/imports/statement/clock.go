package statement

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Clock reads a time of day: 06:10, 6:10, 06:10:59, or a workbook's part of a day. Nothing is no time, and not wrong.
func Clock(cell string) (clock string, ok bool) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return "", true
	}
	for _, form := range []string{"15:04:05", "15:04"} {
		if t, err := time.Parse(form, cell); err == nil {
			return t.Format("15:04:05"), true
		}
	}
	part, err := strconv.ParseFloat(cell, 64)
	if err != nil || part < 0 || part >= 1 || math.IsNaN(part) {
		return "", false
	}
	seconds := min(int(math.Round(part*86_400)), 86_399)
	return fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60), true
}
