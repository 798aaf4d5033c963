// Command streamingserver is the CRI streaming server of upstream in front of processes and ports of this machine.
//
// It prints its base URL. GET /new/exec?command=…&stdin=1&stdout=1&stderr=1&tty=1 and GET /new/portforward?port=…
// answer with a streaming URL, as a CRI client would get one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-streaming/pkg/streaming"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// localRuntime runs commands and dials ports here.
type localRuntime struct{}

func (localRuntime) Exec(ctx context.Context, _ string, argv []string, in io.Reader, out, errOut io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	command := exec.CommandContext(ctx, argv[0], argv[1:]...)
	if out != nil {
		command.Stdout = out
	}
	if errOut != nil {
		command.Stderr = errOut
	}
	var input io.WriteCloser
	if in != nil {
		input, _ = command.StdinPipe()
	}
	if tty {
		size := <-resize
		command.Env = append(os.Environ(), fmt.Sprintf("SIZE=%dx%d", size.Width, size.Height))
		go func() {
			for range resize {
			}
		}()
	}
	if err := command.Start(); err != nil {
		return err
	}
	if input != nil {
		go func() {
			io.Copy(input, in)
			input.Close()
		}()
	}
	err := command.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		text := fmt.Errorf("error executing command %v, exit code %d", argv, exit.ExitCode())
		return &utilexec.CodeExitError{Err: text, Code: exit.ExitCode()}
	}
	return err
}

func (r localRuntime) Attach(ctx context.Context, id string, in io.Reader, out, errOut io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	return r.Exec(ctx, id, []string{"cat"}, in, out, errOut, tty, resize)
}

func (localRuntime) PortForward(_ context.Context, _ string, port int32, stream io.ReadWriteCloser) error {
	connection, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return err
	}
	defer connection.Close()
	go func() {
		io.Copy(connection, stream)
		connection.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, connection)
	return err
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	base := &url.URL{Scheme: "http", Host: listener.Addr().String(), Path: "/"}
	config := streaming.DefaultConfig
	config.BaseURL = base
	server, err := streaming.NewServer(config, localRuntime{})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", server)
	mux.HandleFunc("/new/exec", func(response http.ResponseWriter, request *http.Request) {
		query := request.URL.Query()
		answer, err := server.GetExec(&runtimeapi.ExecRequest{
			ContainerId: "c", Cmd: query["command"], Stdin: query.Has("stdin"), Stdout: query.Has("stdout"),
			Stderr: query.Has("stderr"), Tty: query.Has("tty"),
		})
		reply(response, answer.GetUrl(), err)
	})
	mux.HandleFunc("/new/portforward", func(response http.ResponseWriter, request *http.Request) {
		var ports []int32
		for _, text := range request.URL.Query()["port"] {
			port, _ := strconv.Atoi(text)
			ports = append(ports, int32(port))
		}
		answer, err := server.GetPortForward(&runtimeapi.PortForwardRequest{PodSandboxId: "p", Port: ports})
		reply(response, answer.GetUrl(), err)
	})
	fmt.Println(strings.TrimSuffix(base.String(), "/"))
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	panic(http.Serve(listener, mux))
}

func reply(response http.ResponseWriter, location string, err error) {
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprint(response, location)
}
