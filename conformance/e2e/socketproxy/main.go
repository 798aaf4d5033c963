// Command socketproxy answers at a socket of a pod with what somebody outside of it says, as the proxy mode of Kubernetes'
// driver of host paths does: each connection that comes by the socket is joined with one that comes by the port.
package main

import (
	"flag"
	"io"
	"log"
	"net"
	"os"
	"strings"
)

func main() {
	endpoint := flag.String("endpoint", "", "path of the socket")
	other := flag.String("proxy-endpoint", "", "tcp://:PORT that the other side connects to")
	flag.Int("v", 0, "not looked at")
	flag.String("nodeid", "", "not looked at")
	flag.Parse()
	path := strings.TrimPrefix(*endpoint, "unix://")
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	inside := listen("unix", path)
	outside := listen("tcp", strings.TrimPrefix(*other, "tcp://"))
	for {
		one, err := inside.Accept()
		if err != nil {
			log.Fatal(err)
		}
		two, err := outside.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go pass(one, two)
		go pass(two, one)
	}
}

func listen(network, address string) net.Listener {
	listener, err := net.Listen(network, address)
	if err != nil {
		log.Fatal(err)
	}
	return listener
}

// Both end when one does: what is spoken here has no use for half a connection.
func pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	io.Copy(to, from)
}
