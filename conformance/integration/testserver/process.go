//go:build wherry

// Package testing takes the place of Kubernetes' own: its test servers are processes of another API server.
package testing

import (
	"crypto/rand"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// startLimit is how long a server may take until it listens.
const startLimit = time.Minute

// loopbackUser is whom upstream's loopback client speaks for.
const loopbackUser = "system:apiserver"

// Process is an API server in a process of its own.
type Process struct {
	// ClientConfig is of a member of system:masters.
	ClientConfig *restclient.Config
	command      *exec.Cmd
	ended        chan struct{}
	err          error
	log          *os.File
}

// FlagsOf are the flags that say what the options say, where that is not what they say by themselves.
func FlagsOf(opts *options.ServerRunOptions) map[string]string {
	preset := map[string]string{}
	visit(options.NewServerRunOptions(), func(flag *pflag.Flag) { preset[flag.Name] = flag.Value.String() })
	changed := map[string]string{}
	visit(opts, func(flag *pflag.Flag) {
		if said := flag.Value.String(); said != preset[flag.Name] {
			changed[flag.Name] = strings.TrimSuffix(strings.TrimPrefix(said, "["), "]")
		}
	})
	return changed
}

func visit(opts *options.ServerRunOptions, do func(*pflag.Flag)) {
	for _, set := range opts.Flags().FlagSets {
		set.VisitAll(do)
	}
}

// StartProcess starts an API server whose flags are these, in a folder of its own.
func StartProcess(folder string, flags []string) (*Process, error) {
	program := strings.Fields(os.Getenv("APISERVER_COMMAND"))
	if len(program) == 0 {
		return nil, fmt.Errorf("APISERVER_COMMAND does not say which program the API server is")
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, []string{"localhost", "kubernetes.default.svc"})
	if err != nil {
		return nil, err
	}
	token, err := newToken()
	if err != nil {
		return nil, err
	}
	flags, tokens, err := withoutTokens(flags)
	if err != nil {
		return nil, err
	}
	tokens = append(tokens, []string{token, loopbackUser, loopbackUser, "system:masters"})
	tokenFile := filepath.Join(folder, "tokens.csv")
	if err := writeTokens(tokenFile, tokens); err != nil {
		return nil, err
	}
	given := map[string]bool{}
	for _, flag := range flags {
		given[strings.SplitN(flag, "=", 2)[0]] = true
	}
	preset := []string{
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--token-auth-file=" + tokenFile,
	}
	if !given["--tls-cert-file"] {
		for name, content := range map[string][]byte{"serving.crt": certificate, "serving.key": key} {
			if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
				return nil, err
			}
		}
		preset = append(preset, "--tls-cert-file="+filepath.Join(folder, "serving.crt"), "--tls-private-key-file="+filepath.Join(folder, "serving.key"))
	}
	if !given["--authorization-mode"] && !given["--authorization-config"] {
		preset = append(preset, "--authorization-mode=AlwaysAllow")
	}
	words := slices.Concat(program[1:], preset, flags)
	process := &Process{command: exec.Command(program[0], words...), ended: make(chan struct{})}
	if process.log, err = os.Create(filepath.Join(folder, "apiserver.log")); err != nil {
		return nil, err
	}
	process.command.Stdout, process.command.Stderr = process.log, process.log
	process.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	fmt.Fprintln(process.log, strings.Join(words, " "))
	if err := process.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		process.err = process.command.Wait()
		close(process.ended)
	}()
	process.ClientConfig = &restclient.Config{
		Host:            fmt.Sprintf("https://127.0.0.1:%d", port),
		BearerToken:     token,
		QPS:             1000,
		Burst:           10000,
		TLSClientConfig: restclient.TLSClientConfig{CAData: certificate},
	}
	return process, nil
}

// Listens waits until somebody takes connections.
func (process *Process) Listens() error {
	address := strings.TrimPrefix(process.ClientConfig.Host, "https://")
	for begin := time.Now(); time.Since(begin) < startLimit; time.Sleep(20 * time.Millisecond) {
		if err := process.Ended(); err != nil {
			return err
		}
		if connection, err := net.Dial("tcp", address); err == nil {
			return connection.Close()
		}
	}
	return fmt.Errorf("the API server does not listen at %s: %s", address, process.said())
}

// Ended says why it is not there any more.
func (process *Process) Ended() error {
	select {
	case <-process.ended:
		return fmt.Errorf("the API server has ended (%v): %s", process.err, process.said())
	default:
		return nil
	}
}

// Stop ends it as a service manager does.
func (process *Process) Stop() {
	_ = process.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-process.ended:
	case <-time.After(10 * time.Second):
		_ = process.command.Process.Kill()
		<-process.ended
	}
	_ = process.log.Close()
}

func (process *Process) said() string {
	content, _ := os.ReadFile(process.log.Name())
	return string(content)
}

// withoutTokens takes the file of static tokens out of flags, and gives back what is in it.
func withoutTokens(flags []string) (rest []string, tokens [][]string, err error) {
	for _, flag := range flags {
		path, found := strings.CutPrefix(flag, "--token-auth-file=")
		if !found {
			rest = append(rest, flag)
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			return nil, nil, err
		}
		reader := csv.NewReader(file)
		reader.FieldsPerRecord = -1
		for {
			record, err := reader.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, nil, err
			}
			tokens = append(tokens, record)
		}
		if err := file.Close(); err != nil {
			return nil, nil, err
		}
	}
	return rest, tokens, nil
}

func writeTokens(path string, tokens [][]string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := csv.NewWriter(file).WriteAll(tokens); err != nil {
		return err
	}
	return file.Close()
}

func newToken() (string, error) {
	bytes := make([]byte, 16)
	_, err := rand.Read(bytes)
	return hex.EncodeToString(bytes), err
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return listener.Addr().(*net.TCPAddr).Port, listener.Close()
}
