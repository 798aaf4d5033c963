//go:build programs

// Package konnectivity pins the proxy of API servers and its agent, which this module builds as they are.
package konnectivity

import (
	_ "sigs.k8s.io/apiserver-network-proxy/cmd/agent"
	_ "sigs.k8s.io/apiserver-network-proxy/cmd/server"
)
