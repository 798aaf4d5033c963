module wherry.dev/conformance/ecosystem/kyverno

go 1.26.6

require github.com/kyverno/kyverno v1.19.1
