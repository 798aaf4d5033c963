//go:build wherry

package testing

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storageversion"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	testutil "k8s.io/kubernetes/test/utils"
)

// TearDownFunc ends a test server.
type TearDownFunc func()

// TestServerInstanceOptions are as upstream's; a server in a process of its own cannot follow StorageVersionWrapFunc.
type TestServerInstanceOptions struct {
	SkipHealthzCheck       bool
	EnableCertAuth         bool
	StorageVersionWrapFunc func(storageversion.Manager) storageversion.Manager
	ProxyCA                *ProxyCA
	BinaryVersion          string
	RequestTimeout         time.Duration
}

// ProxyCA certifies front proxies.
type ProxyCA struct {
	ProxySigningCert *x509.Certificate
	ProxySigningKey  *rsa.PrivateKey
}

// TestServer is what a test is told of its server.
type TestServer struct {
	ClientConfig      *restclient.Config
	ServerOpts        *options.ServerRunOptions
	TearDownFn        TearDownFunc
	TmpDir            string
	EtcdClient        *clientv3.Client
	EtcdStoragePrefix string
}

// NewDefaultTestServerOptions are those of a server that takes client certificates.
func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{EnableCertAuth: true}
}

// StartTestServerOrDie ends the test where there is no server.
func StartTestServerOrDie(t testing.TB, instanceOptions *TestServerInstanceOptions, flags []string, storageConfig *storagebackend.Config) *TestServer {
	t.Helper()
	server, err := StartTestServer(t, instanceOptions, flags, storageConfig)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &server
}

// StartTestServer starts an API server that stores in etcd and takes the given flags.
func StartTestServer(t testing.TB, instanceOptions *TestServerInstanceOptions, customFlags []string, storageConfig *storagebackend.Config) (server TestServer, err error) {
	if instanceOptions == nil {
		instanceOptions = NewDefaultTestServerOptions()
	}
	if instanceOptions.StorageVersionWrapFunc != nil || instanceOptions.BinaryVersion != "" {
		t.Skip("needs a server in the test's own process")
	}
	if gates := changedGates(); len(gates) > 0 {
		t.Skipf("needs gates that are not at their defaults: %s", strings.Join(gates, " "))
	}
	if server.TmpDir, err = os.MkdirTemp("", "apiserver-under-test"); err != nil {
		return server, err
	}
	at := func(name string) string { return filepath.Join(server.TmpDir, name) }
	stop := func() { keepLog(t, server.TmpDir) }
	defer func() {
		if err != nil {
			stop()
		}
	}()

	signingKey := at("service-account.key")
	if err := os.WriteFile(signingKey, []byte(serviceAccountKey), 0o600); err != nil {
		return server, err
	}
	server.EtcdStoragePrefix = storageConfig.Prefix
	flags := []string{
		"--service-cluster-ip-range=10.0.0.0/16",
		"--etcd-servers=" + strings.Join(storageConfig.Transport.ServerList, ","),
		"--etcd-prefix=/" + strings.Trim(storageConfig.Prefix, "/"),
		"--service-account-signing-key-file=" + signingKey,
		"--service-account-key-file=" + signingKey,
		"--service-account-issuer=https://foo.bar.example.com",
	}
	if instanceOptions.RequestTimeout > 0 {
		flags = append(flags, "--request-timeout="+instanceOptions.RequestTimeout.String())
	}
	if instanceOptions.EnableCertAuth {
		certFlags, err := certAuthFlags(instanceOptions.ProxyCA, at)
		if err != nil {
			return server, err
		}
		flags = append(flags, certFlags...)
	}
	flags = merged(flags, customFlags)

	server.ServerOpts = options.NewServerRunOptions()
	known := pflag.NewFlagSet("test", pflag.ContinueOnError)
	for _, set := range server.ServerOpts.Flags().FlagSets {
		known.AddFlagSet(set)
	}
	if err := known.Parse(flags); err != nil {
		return server, err
	}
	server.ServerOpts.Etcd.StorageConfig = *storageConfig

	process, err := StartProcess(server.TmpDir, flags)
	if err != nil {
		return server, err
	}
	stop = func() {
		process.Stop()
		keepLog(t, server.TmpDir)
	}
	if err := process.Listens(); err != nil {
		return server, err
	}
	server.ServerOpts.SecureServing.ServerCert.CertKey.CertFile = at("serving.crt")
	server.ClientConfig = process.ClientConfig
	if !instanceOptions.SkipHealthzCheck {
		if err := waitUntilHealthy(process); err != nil {
			return server, err
		}
	}
	if server.EtcdClient, _, err = GetEtcdClients(storageConfig.Transport); err != nil {
		return server, err
	}
	server.TearDownFn = func() {
		stop()
		_ = server.EtcdClient.Close()
	}
	return server, nil
}

// changedGates are the gates that a test has set, in whose process no server is.
func changedGates() (gates []string) {
	gate := utilfeature.DefaultFeatureGate
	for feature, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if enabled := gate.Enabled(feature); enabled != spec.Default {
			gates = append(gates, fmt.Sprintf("%s=%t", feature, enabled))
		}
	}
	slices.Sort(gates)
	return gates[:min(len(gates), 5)]
}

// merged puts flags of one name into one place: the later ones say what it is.
func merged(flags, later []string) []string {
	name := func(flag string) string { return strings.SplitN(flag, "=", 2)[0] }
	given := map[string]bool{}
	for _, flag := range later {
		given[name(flag)] = true
	}
	var all []string
	for _, flag := range flags {
		if !given[name(flag)] {
			all = append(all, flag)
		}
	}
	return append(all, later...)
}

func waitUntilHealthy(process *Process) error {
	client, err := kubernetes.NewForConfig(process.ClientConfig)
	if err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(context.Background(), 20*time.Millisecond, startLimit, true, func(ctx context.Context) (bool, error) {
		if err := process.Ended(); err != nil {
			return false, err
		}
		if _, err := client.Discovery().RESTClient().Get().AbsPath("/healthz").DoRaw(ctx); err != nil {
			return false, nil
		}
		_, err := client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{})
		return err == nil, nil
	})
}

// certAuthFlags make the authorities of clients and of front proxies.
func certAuthFlags(proxy *ProxyCA, at func(string) string) ([]string, error) {
	if proxy == nil {
		key, err := testutil.NewPrivateKey()
		if err != nil {
			return nil, err
		}
		certificate, err := cert.NewSelfSignedCACert(cert.Config{CommonName: "front-proxy-ca"}, key)
		if err != nil {
			return nil, err
		}
		proxy = &ProxyCA{ProxySigningCert: certificate, ProxySigningKey: key}
	}
	if err := os.WriteFile(at("proxy-ca.crt"), testutil.EncodeCertPEM(proxy.ProxySigningCert), 0o644); err != nil {
		return nil, err
	}
	if err := writeProxyClient(proxy, at); err != nil {
		return nil, err
	}
	clientKey, err := testutil.NewPrivateKey()
	if err != nil {
		return nil, err
	}
	clientAuthority, err := cert.NewSelfSignedCACert(cert.Config{CommonName: "client-ca"}, clientKey)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(at("client-ca.crt"), testutil.EncodeCertPEM(clientAuthority), 0o644); err != nil {
		return nil, err
	}
	return []string{
		"--client-ca-file=" + at("client-ca.crt"),
		"--requestheader-client-ca-file=" + at("proxy-ca.crt"),
		"--requestheader-allowed-names=ash,misty,brock",
		"--proxy-client-cert-file=" + at("misty-crt.crt"),
		"--proxy-client-key-file=" + at("misty-crt.key"),
	}, nil
}

// keepLog keeps what the server said where somebody asks for it, and removes its folder.
func keepLog(t testing.TB, folder string) {
	if logs := os.Getenv("APISERVER_LOGS"); logs != "" {
		content, _ := os.ReadFile(filepath.Join(folder, "apiserver.log"))
		name := fmt.Sprintf("%s-%s.log", strings.ReplaceAll(t.Name(), "/", "_"), filepath.Base(folder))
		_ = os.WriteFile(filepath.Join(logs, name[max(0, len(name)-200):]), content, 0o600)
	}
	_ = os.RemoveAll(folder)
}

// GetEtcdClients are clients of the store.
func GetEtcdClients(config storagebackend.TransportConfig) (*clientv3.Client, clientv3.KV, error) {
	var tlsConfig *tls.Config
	if config.CertFile != "" || config.KeyFile != "" || config.TrustedCAFile != "" {
		info := transport.TLSInfo{CertFile: config.CertFile, KeyFile: config.KeyFile, TrustedCAFile: config.TrustedCAFile}
		var err error
		if tlsConfig, err = info.ClientConfig(); err != nil {
			return nil, nil, err
		}
	}
	client, err := clientv3.New(clientv3.Config{
		Endpoints:   config.ServerList,
		DialTimeout: 20 * time.Second,
		DialOptions: []grpc.DialOption{grpc.WithBlock()},
		TLS:         tlsConfig,
	})
	if err != nil {
		return nil, nil, err
	}
	return client, clientv3.NewKV(client), nil
}
