package engine_test

import (
	"syscall"
	"testing"
	"time"

	"saldo/internal/settlements/engine"
)

// The worked cases one after the other. The time is that of the processor, collecting garbage included, since the
// machine may be shared.
func BenchmarkCompute(b *testing.B) {
	var inputs []engine.Input
	for _, w := range cases(b) {
		inputs = append(inputs, w.input(b))
	}
	b.ReportAllocs()
	n, before := 0, processorTime(b)
	for b.Loop() {
		if _, err := engine.Compute(inputs[n%len(inputs)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(n)/(processorTime(b)-before).Seconds(), "settlements/core-s")
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
