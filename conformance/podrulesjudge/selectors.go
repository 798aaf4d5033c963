package main

import (
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"
)

// soundness is what upstream's API server finds out about a selector of devices before it is used.
type soundness struct {
	Error string `json:"error,omitempty"`
	Cost  uint64 `json:"cost"`
}

func soundnessOf(selectors []string) (found []soundness) {
	compiler := cel.GetCompiler(cel.Features{EnableConsumableCapacity: true})
	envType := environment.NewExpressions
	for _, text := range selectors {
		result := compiler.CompileCELExpression(text, cel.Options{EnvType: &envType})
		if result.Error != nil {
			found = append(found, soundness{Error: result.Error.Detail})
			continue
		}
		found = append(found, soundness{Cost: result.MaxCost})
	}
	return found
}
