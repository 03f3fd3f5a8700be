package app

import "syscall"

// leastRoom is how much space must be left in the data folder for the program
// to call itself ready: less, and the next write or upload may not fit.
const leastRoom = 16 << 20

// hasRoom says whether something can still be written to a folder.
func hasRoom(folder string) bool {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return true // not every file system says it
	}
	return disk.Bavail*uint64(disk.Bsize) >= leastRoom
}
