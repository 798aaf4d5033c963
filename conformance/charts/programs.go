//go:build programs

// Package charts pins Helm, which this module builds as it is.
package charts

import _ "helm.sh/helm/v3/cmd/helm"
