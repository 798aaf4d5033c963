//go:build programs

// Package gateway pins the conformance tests of Kubernetes' Gateway API, and what their pods run.
package gateway

import (
	_ "sigs.k8s.io/gateway-api/conformance"
	_ "sigs.k8s.io/gateway-api/conformance/echo-basic"
)
