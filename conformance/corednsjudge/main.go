// CoreDNS with the plugins that kubeadm's Corefile names for a cluster's zone, and those of the servers that Kubernetes' own
// suite puts into pods.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/hosts"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/log"
)

func main() {
	dnsserver.Directives = []string{"bind", "log", "hosts", "kubernetes", "forward"}
	coremain.Run()
}
