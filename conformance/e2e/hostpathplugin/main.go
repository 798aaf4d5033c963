// Command hostpathplugin stands in for Kubernetes' driver of host paths, which can't be had here. With --proxy-endpoint it
// answers at a socket of its pod with what somebody outside of the pod says, as that does: each connection that comes by the
// socket is joined with one that comes by the port. Without, it is the driver that Kubernetes' own suite keeps for its tests,
// whose volumes are folders.
package main

import (
	"flag"
	"io"
	"log"
	"net"
	"os"
	"strings"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/driver"
	"k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/mock/service"
)

func main() {
	endpoint := flag.String("endpoint", "", "path of the socket")
	proxied := flag.String("proxy-endpoint", "", "tcp://:PORT that the other side connects to")
	name := flag.String("drivername", "", "name of the driver")
	attaches := flag.Bool("enable-attach", false, "whether volumes are attached to nodes")
	limit := flag.Int64("attach-limit", 0, "how many volumes a node may have")
	expands := flag.Bool("node-expand-required", false, "whether a node has a part in the growth of volumes")
	isPlaced := flag.Bool("enable-topology", false, "whether volumes are somewhere")
	// Specs read what the driver was asked from what it logs, which it does when it is told to tell much.
	klog.InitFlags(flag.CommandLine)
	flag.String("nodeid", "", "not looked at")
	flag.String("statedir", "", "not looked at")
	flag.Parse()
	path := strings.TrimPrefix(*endpoint, "unix://")
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	socket := listen("unix", path)
	if *proxied != "" {
		join(socket, listen("tcp", strings.TrimPrefix(*proxied, "tcp://")))
	}
	mock := service.New(service.Config{
		DriverName:            *name,
		DisableAttach:         !*attaches,
		AttachLimit:           *limit,
		NodeExpansionRequired: *expands,
		EnableTopology:        *isPlaced,
		PermissiveTargetPath:  true,
	})
	servers := &driver.CSIDriverServers{Controller: mock, Identity: mock, Node: mock}
	if err := driver.NewCSIDriver(servers).Start(socket, nil); err != nil {
		log.Fatal(err)
	}
	select {}
}

func join(inside, outside net.Listener) {
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
