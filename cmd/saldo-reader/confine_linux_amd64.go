package main

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

// confine takes from this process, for good, what reading a page never needs: connections, other programs and other processes. A fault of
// the library then reaches nothing but this page.
func confine() error {
	const (
		executeAt, readOther, writeOther, seccomp = 322, 310, 311, 317 // not in package syscall
		noNewPrivileges                           = 38                 // PR_SET_NO_NEW_PRIVS
		setFilter, allThreads                     = 1, 1               // SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC
		thisProcessor                             = 0xC000003E         // AUDIT_ARCH_X86_64
		otherNumbers                              = 0x40000000         // of calls for another kind of program
		allow, refuse                             = 0x7fff0000, 0x00050000 | uint32(syscall.EPERM)
		number, processor                         = 0, 4 // where they stand in what the filter sees
	)
	refused := []uint32{syscall.SYS_SOCKET, syscall.SYS_SOCKETPAIR, syscall.SYS_CONNECT, syscall.SYS_BIND, syscall.SYS_EXECVE, executeAt,
		syscall.SYS_FORK, syscall.SYS_VFORK, syscall.SYS_PTRACE, syscall.SYS_KILL, readOther, writeOther}
	load := func(at uint32) syscall.SockFilter {
		return syscall.SockFilter{Code: syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS, K: at}
	}
	over := func(instructions int) uint8 { return uint8(instructions) } // to the last one, which refuses
	filter := []syscall.SockFilter{
		load(processor),
		{Code: syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K, K: thisProcessor, Jf: over(len(refused) + 3)},
		load(number),
		{Code: syscall.BPF_JMP | syscall.BPF_JGE | syscall.BPF_K, K: otherNumbers, Jt: over(len(refused) + 1)},
	}
	for i, call := range refused {
		filter = append(filter, syscall.SockFilter{Code: syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K, K: call,
			Jt: over(len(refused) - i)})
	}
	filter = append(filter, syscall.SockFilter{Code: syscall.BPF_RET, K: allow}, syscall.SockFilter{Code: syscall.BPF_RET, K: refuse})

	runtime.LockOSThread() // both calls are of one thread; the second takes the others along
	defer runtime.UnlockOSThread()
	if _, _, failed := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); failed != 0 {
		return fmt.Errorf("confining the program: %w", failed)
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, failed := syscall.RawSyscall(seccomp, setFilter, allThreads, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if failed != 0 && failed != syscall.ENOSYS { // a kernel without filters
		return fmt.Errorf("confining the program: %w", failed)
	}
	return nil
}
