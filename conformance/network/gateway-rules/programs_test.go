//go:build programs

// Package rules pins the tests of the rules in the Gateway API's definitions, from the last version whose module has them.
package rules

import (
	_ "k8s.io/client-go/kubernetes"
	_ "sigs.k8s.io/controller-runtime/pkg/envtest"
	_ "sigs.k8s.io/gateway-api/apis/v1"
)
