//go:build programs

// Package ecosystem pins programs that many clusters run, which this module builds as they are.
package ecosystem

import (
	_ "github.com/stern/stern"
	_ "sigs.k8s.io/metrics-server/cmd/metrics-server"
)
