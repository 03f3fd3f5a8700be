package ocr

import (
	"fmt"
	"syscall"
	"unsafe"
)

const (
	mostMemory    = 1 << 30 // bytes of data
	mostAddresses = 4 << 30 // most of which are only reserved
	mostProcessor = 60      // seconds
	mostFile      = 1 << 20 // bytes of a file that it writes
)

// limit bounds what a process may use. It holds for all that it starts.
func limit(pid int) error {
	for resource, most := range map[int]uint64{
		syscall.RLIMIT_DATA:   mostMemory,
		syscall.RLIMIT_AS:     mostAddresses,
		syscall.RLIMIT_CPU:    mostProcessor,
		syscall.RLIMIT_CORE:   0,
		syscall.RLIMIT_FSIZE:  mostFile,
		syscall.RLIMIT_NOFILE: 64,
	} {
		bound := syscall.Rlimit{Cur: most, Max: most}
		_, _, failed := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), uintptr(resource), uintptr(unsafe.Pointer(&bound)), 0, 0, 0)
		if failed != 0 && failed != syscall.ESRCH { // it has ended already
			return fmt.Errorf("limiting the program: %w", failed)
		}
	}
	return nil
}
