//go:build programs

// Package upstream pins containerd, which this module builds as it is.
package upstream

import (
	_ "github.com/containerd/containerd/v2/cmd/containerd"
	_ "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2"
)
