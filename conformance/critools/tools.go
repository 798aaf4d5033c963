//go:build tools

// Package critools pins the outside judges of the CRI socket, crictl and critest, to one version.
package critools

import (
	_ "sigs.k8s.io/cri-tools/cmd/crictl"
	_ "sigs.k8s.io/cri-tools/pkg/framework"
	_ "sigs.k8s.io/cri-tools/pkg/validate"
)
