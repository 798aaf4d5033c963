//go:build programs

// Package envtest pins controller-runtime, whose own suites are built in its module's folder as they are.
package envtest

import _ "sigs.k8s.io/controller-runtime/pkg/envtest"
