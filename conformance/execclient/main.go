// Command execclient runs one exec or attach session with client-go, as kubectl does, and exits with the remote code.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	clientexec "k8s.io/client-go/util/exec"
	"k8s.io/streaming/pkg/httpstream"
)

// slowWriter lets bytes through at a bounded rate, as a pager or a thin line does.
type slowWriter struct {
	to             io.Writer
	bytesPerSecond int
}

func (w slowWriter) Write(data []byte) (int, error) {
	time.Sleep(time.Duration(len(data)) * time.Second / time.Duration(w.bytesPerSecond))
	return w.to.Write(data)
}

// sizes gives out fixed terminal sizes, then none.
type sizes struct{ left []remotecommand.TerminalSize }

func (s *sizes) Next() *remotecommand.TerminalSize {
	if len(s.left) == 0 {
		return nil
	}
	size := s.left[0]
	s.left = s.left[1:]
	return &size
}

func main() {
	target := flag.String("url", "", "where to send the request, query included")
	transport := flag.String("transport", "auto", "auto, websocket, websocket-v4 or spdy")
	stdin := flag.Bool("stdin", false, "send our input")
	tty := flag.Bool("tty", false, "ask for a terminal of 80x24")
	slow := flag.Int("slow", 0, "read output at so many bytes per second")
	flag.Parse()

	executor, err := newExecutor(*transport, *target)
	if err != nil {
		fail(err)
	}
	options := remotecommand.StreamOptions{Stdout: os.Stdout, Tty: *tty}
	if *slow > 0 {
		options.Stdout = slowWriter{os.Stdout, *slow}
	}
	if *stdin {
		options.Stdin = os.Stdin
	}
	if *tty {
		options.TerminalSizeQueue = &sizes{left: []remotecommand.TerminalSize{{Width: 80, Height: 24}}}
	} else {
		options.Stderr = os.Stderr
	}
	err = executor.StreamWithContext(context.Background(), options)
	var exit clientexec.CodeExitError
	if errors.As(err, &exit) {
		os.Exit(exit.Code)
	}
	if err != nil {
		fail(err)
	}
}

func newExecutor(transport, target string) (remotecommand.Executor, error) {
	config := &rest.Config{Host: target, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
	location, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	if location.Scheme == "http" {
		config.TLSClientConfig = rest.TLSClientConfig{}
	}
	spdy, err := remotecommand.NewSPDYExecutor(config, "POST", location)
	if err != nil || transport == "spdy" {
		return spdy, err
	}
	if transport == "websocket-v4" {
		return remotecommand.NewWebSocketExecutorForProtocols(config, "GET", target, "v4.channel.k8s.io")
	}
	websocket, err := remotecommand.NewWebSocketExecutor(config, "GET", target)
	if err != nil || transport == "websocket" {
		return websocket, err
	}
	return remotecommand.NewFallbackExecutor(websocket, spdy, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	})
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "execclient: %v\n", err)
	os.Exit(111)
}
