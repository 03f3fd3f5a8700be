package db

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// pagesMore is how many pages are asked for when there is none left.
const pagesMore = 256

// ownPages gives pages of SQLite's caches memory that lies close together.
// Asked for one by one, each takes twice its size: the allocator gives powers
// of two, and a page with its head is a little more than one. It must be called
// before the first connection is opened, and does something once.
var ownPages = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	args := libc.Xmalloc(tls, 64)
	defer libc.Xfree(tls, args)
	head := libc.Xmalloc(tls, 8)
	defer libc.Xfree(tls, head)
	if rc := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_PCACHE_HDRSZ, libc.VaList(args, head)); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("db: SQLite does not say how large the head of a page is: %d", rc)
	}
	pages.size = (4096 + uintptr(*at[int32](head)) + 15) &^ 15
	methods := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(pages.others)))
	defer libc.Xfree(tls, methods)
	if rc := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_GETMALLOC, libc.VaList(args, methods)); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("db: SQLite does not say how it asks for memory: %d", rc)
	}
	own := at[sqlite3.Tsqlite3_mem_methods](methods)
	pages.others = *own
	own.FxMalloc, own.FxFree, own.FxRealloc, own.FxSize = address(give), address(take), address(change), address(size)
	if rc := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_MALLOC, libc.VaList(args, methods)); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("db: SQLite does not take memory for its pages: %d", rc)
	}
	return nil
})

// pages is memory for pages. What is given back is given again, and stays with
// the process: its caches are bounded.
var pages struct {
	size   uintptr                      // of a page with its head
	others sqlite3.Tsqlite3_mem_methods // for what is no page
	pieces atomic.Pointer[[]uintptr]    // where they start, in order; each holds pagesMore pages
	mutex  sync.Mutex
	free   uintptr // the first of the pages that nobody has; each starts with the address of the next
}

// give is malloc.
func give(tls *libc.TLS, n int32) uintptr {
	if uintptr(n) <= 4096 || uintptr(n) > pages.size {
		return call[func(*libc.TLS, int32) uintptr](pages.others.FxMalloc)(tls, n)
	}
	pages.mutex.Lock()
	defer pages.mutex.Unlock()
	if pages.free == 0 {
		piece := libc.Xmalloc(tls, libc.Tsize_t(pages.size*pagesMore))
		if piece == 0 {
			return 0
		}
		var known []uintptr
		if former := pages.pieces.Load(); former != nil {
			known = slices.Clone(*former)
		}
		place, _ := slices.BinarySearch(known, piece)
		known = slices.Insert(known, place, piece)
		pages.pieces.Store(&known)
		for page := range uintptr(pagesMore) {
			free(piece + page*pages.size)
		}
	}
	page := pages.free
	pages.free = *at[uintptr](page)
	return page
}

// take is free.
func take(tls *libc.TLS, memory uintptr) {
	if !isPage(memory) {
		call[func(*libc.TLS, uintptr)](pages.others.FxFree)(tls, memory)
		return
	}
	pages.mutex.Lock()
	defer pages.mutex.Unlock()
	free(memory)
}

// change is realloc.
func change(tls *libc.TLS, memory uintptr, n int32) uintptr {
	if !isPage(memory) {
		return call[func(*libc.TLS, uintptr, int32) uintptr](pages.others.FxRealloc)(tls, memory, n)
	}
	if uintptr(n) <= pages.size {
		return memory
	}
	larger := give(tls, n)
	if larger != 0 {
		libc.Xmemcpy(tls, larger, memory, libc.Tsize_t(pages.size))
		take(tls, memory)
	}
	return larger
}

// size is how much there is of what was given.
func size(tls *libc.TLS, memory uintptr) int32 {
	if isPage(memory) {
		return int32(pages.size)
	}
	return call[func(*libc.TLS, uintptr) int32](pages.others.FxSize)(tls, memory)
}

func free(page uintptr) { *at[uintptr](page), pages.free = pages.free, page }

// at is what stands at an address that is none of Go's.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

func isPage(memory uintptr) bool {
	known := pages.pieces.Load()
	if known == nil {
		return false
	}
	place, exact := slices.BinarySearch(*known, memory)
	return exact || place > 0 && memory < (*known)[place-1]+pages.size*pagesMore
}

// address is where SQLite calls a function, and call is the function at one.
func address[F any](function F) uintptr { return *(*uintptr)(unsafe.Pointer(&function)) }
func call[F any](address uintptr) F     { return *(*F)(unsafe.Pointer(&address)) }
