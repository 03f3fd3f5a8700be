package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What the program may do cannot be given back, so a copy of this test tries it.
func TestMain(m *testing.M) {
	if os.Getenv("CONFINED") == "" {
		os.Exit(m.Run())
	}
	if err := confine(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	tried := map[string]error{}
	_, tried["listen"] = net.Listen("tcp", "127.0.0.1:0")
	_, tried["dial"] = net.Dial("udp", "127.0.0.1:53")
	tried["start"] = exec.Command("/bin/true").Run()
	done := make(chan error) // another thread, perhaps
	go func() {
		_, err := net.Dial("unix", "/tmp/none")
		done <- err
	}()
	tried["dial beside"] = <-done
	for name, err := range tried {
		if err == nil || !strings.Contains(err.Error(), "operation not permitted") {
			fmt.Println(name, "was allowed:", err)
		}
	}
	if _, err := os.ReadFile(os.Args[0]); err != nil {
		fmt.Println("no file can be read:", err)
	}
	os.Exit(0)
}

func TestConfine_AllowsNoConnectionAndNoProgram(t *testing.T) {
	command := exec.Command(os.Args[0])
	command.Env = []string{"CONFINED=1"}
	if said, err := command.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("%s%v", said, err)
	}
}

func TestAnswer_ToWhatIsNoPageIsAnError(t *testing.T) {
	for _, wrong := range []string{"", "GET / HTTP/1.1\r\n\r\n", `{"width":2,"height":9000000}` + "\n"} {
		if answer, err := answer(bytes.NewBufferString(wrong)); err == nil {
			t.Errorf("%q is answered with %v", wrong, answer)
		}
	}
}
