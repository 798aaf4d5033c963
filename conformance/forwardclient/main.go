// Command forwardclient forwards local ports with client-go, as kubectl does, until its input ends.
package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/streaming/pkg/httpstream"
)

func main() {
	target := flag.String("url", "", "where to send the request")
	transport := flag.String("transport", "auto", "auto, websocket or spdy")
	flag.Parse()

	dialer, err := newDialer(*transport, *target)
	if err != nil {
		fail(err)
	}
	stop, ready := make(chan struct{}), make(chan struct{})
	forwarder, err := portforward.NewForStreaming(dialer, flag.Args(), stop, ready, os.Stderr, os.Stderr)
	if err != nil {
		fail(err)
	}
	go func() {
		<-ready
		ports, err := forwarder.GetPorts()
		if err != nil {
			fail(err)
		}
		for _, port := range ports {
			fmt.Printf("%d %d\n", port.Local, port.Remote)
		}
		io.Copy(io.Discard, os.Stdin)
		close(stop)
	}()
	if err := forwarder.ForwardPorts(); err != nil {
		fail(err)
	}
}

func newDialer(transport, target string) (httpstream.Dialer, error) {
	config := &rest.Config{Host: target}
	location, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	roundTripper, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		return nil, err
	}
	plain := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: roundTripper}, "POST", location)
	if transport == "spdy" {
		return plain, nil
	}
	tunnel, err := portforward.NewSPDYOverWebsocketDialerForStreaming(location, config)
	if err != nil || transport == "websocket" {
		return tunnel, err
	}
	return portforward.NewFallbackDialerForStreaming(tunnel, plain, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	}), nil
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "forwardclient: %v\n", err)
	os.Exit(111)
}
