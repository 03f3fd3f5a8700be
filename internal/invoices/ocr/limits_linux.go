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

// ended waits until a child has ended and leaves it to be waited for.
func ended(pid int) bool {
	const byPID, exited, leave = 1, 4, 0x01000000 // P_PID, WEXITED, WNOWAIT
	var about [128]byte
	for {
		_, _, failed := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), uintptr(unsafe.Pointer(&about)), exited|leave, 0, 0)
		if failed != syscall.EINTR {
			return failed == 0
		}
	}
}
