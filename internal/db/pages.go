package db

import (
	"fmt"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// pagesAside is how many pages of SQLite's caches have memory put aside.
const pagesAside = 6000

// putPagesAside gives SQLite memory for pages that lie close together. Asked
// for one by one, each takes twice its size: the allocator gives powers of two,
// and a page with its head is a little more than one. It must be called before
// the first connection is opened, and does something once.
var putPagesAside = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	args := libc.Xmalloc(tls, 64)
	defer libc.Xfree(tls, args)
	if rc := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_PCACHE_HDRSZ, libc.VaList(args, uintptr(unsafe.Pointer(&pageHead)))); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("db: SQLite does not say how large the head of a page is: %d", rc)
	}
	size := (4096 + pageHead + 7) &^ 7
	pages := libc.Xmalloc(tls, libc.Tsize_t(size)*pagesAside)
	if rc := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_PAGECACHE, libc.VaList(args, pages, size, int32(pagesAside))); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("db: SQLite does not take memory for its pages: %d", rc)
	}
	return nil
})

// pageHead is what SQLite keeps of a page beside it, in bytes. It has a place
// of its own because SQLite is told the address.
var pageHead int32
