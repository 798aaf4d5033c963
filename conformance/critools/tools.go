//go:build tools

// The judges of container runtimes. They have a module of their own, since they are of another release than what the
// Kubernetes version that is judged against is made of.
package tools

import (
	_ "sigs.k8s.io/cri-tools/cmd/crictl"
	_ "sigs.k8s.io/cri-tools/cmd/critest"
)
