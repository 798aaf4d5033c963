module wherry.dev/conformance/ecosystem/keda

go 1.26.4

require github.com/kedacore/keda/v2 v2.21.0
