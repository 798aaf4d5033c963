//go:build programs

package e2e

import (
	_ "github.com/onsi/ginkgo/v2/ginkgo"
	_ "k8s.io/kubernetes/cmd/kubectl"
	_ "k8s.io/kubernetes/test/images/agnhost"
	_ "k8s.io/kubernetes/test/images/regression-issue-74839"
	_ "k8s.io/kubernetes/test/images/resource-consumer"
	_ "k8s.io/kubernetes/test/images/resource-consumer/consume-cpu"
	_ "k8s.io/sample-apiserver"

	// What the tests of test/e2e_node import besides.
	_ "k8s.io/system-validators/validators"
)
