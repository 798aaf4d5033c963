//go:build wherry

package framework

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	genericapiserver "k8s.io/apiserver/pkg/server"
	client "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
	"k8s.io/kubernetes/pkg/controlplane/reconcilers"

	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	apiservertesting "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
)

// TestServerSetup is how a test wants its server. Of a configuration a process of its own can follow but a little.
type TestServerSetup struct {
	ModifyServerRunOptions func(*options.ServerRunOptions)
	ModifyServerConfig     func(*controlplane.Config)
}

// TearDownFunc ends a test server.
type TearDownFunc func()

// StartTestServer starts an API server that stores in etcd and keeps to the rules of RBAC.
func StartTestServer(ctx context.Context, t testing.TB, setup TestServerSetup) (client.Interface, *rest.Config, TearDownFunc) {
	t.Helper()
	opts := options.NewServerRunOptions()
	opts.ServiceClusterIPRanges = "10.0.0.0/24"
	opts.Authentication.APIAudiences = []string{"https://foo.bar.example.com"}
	opts.Authentication.RequestHeader.AllowedNames = []string{"kube-aggregator"}
	opts.Authorization.Modes = []string{"Node", "RBAC"}
	opts.Etcd.StorageConfig.Prefix = path.Join("/", uuid.New().String(), "registry")
	opts.Etcd.StorageConfig.Transport.ServerList = []string{GetEtcdURL()}
	if setup.ModifyServerRunOptions != nil {
		setup.ModifyServerRunOptions(opts)
	}
	changed := apiservertesting.FlagsOf(opts)
	if setup.ModifyServerConfig != nil {
		for name, value := range flagsOfConfig(t, setup.ModifyServerConfig) {
			changed[name] = value
		}
	}
	var flags []string
	for name, value := range changed {
		// Tests put a configuration of theirs in the place of the preset one: what it leaves open is nobody's wish.
		if isOfStore(name) {
			continue
		}
		flags = append(flags, fmt.Sprintf("--%s=%s", name, value))
	}
	slices.Sort(flags)
	server := apiservertesting.StartTestServerOrDie(t, nil, flags, &opts.Etcd.StorageConfig)
	kubernetes, err := client.NewForConfig(server.ClientConfig)
	if err != nil {
		t.Fatal(err)
	}
	return kubernetes, server.ClientConfig, TearDownFunc(server.TearDownFn)
}

func isOfStore(flag string) bool {
	return strings.HasPrefix(flag, "etcd-") || flag == "lease-reuse-duration-seconds"
}

// flagsOfConfig are the flags for what a test does to a configuration; where there are none, the test is skipped.
func flagsOfConfig(t testing.TB, modify func(*controlplane.Config)) map[string]string {
	t.Helper()
	config := &controlplane.Config{
		ControlPlane: controlplaneapiserver.Config{
			Generic: &genericapiserver.Config{LoopbackClientConfig: &rest.Config{}},
		},
	}
	func() {
		defer func() {
			if reason := recover(); reason != nil {
				t.Skipf("needs a server in the test's own process: %v", reason)
			}
		}()
		modify(config)
	}()
	generic := config.ControlPlane.Generic
	if generic.Authentication.Authenticator != nil || generic.Authorization.Authorizer != nil || generic.AdmissionControl != nil {
		t.Skip("needs an authenticator, authorizer or admission in the server's own process")
	}
	flags := map[string]string{}
	if reconciler := config.Extra.EndpointReconcilerType; reconciler != "" {
		if reconciler != reconcilers.NoneEndpointReconcilerType {
			t.Skipf("needs the endpoint reconciler %s", reconciler)
		}
		flags["endpoint-reconciler-type"] = string(reconciler)
	}
	return flags
}
