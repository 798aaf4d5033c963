package main

import (
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

var typeChecker = &validating.TypeChecker{
	SchemaResolver: resolver.NewDefinitionsSchemaResolver(openapi.GetOpenAPIDefinitions, scheme.Scheme),
	RestMapper:     testrestmapper.TestOnlyStaticRESTMapper(scheme.Scheme),
}

// warn tells what the types of objects say about a policy's expressions.
func (out *answer) warn(policy *v1.ValidatingAdmissionPolicy) {
	out.Warnings = typeChecker.Check(policy)
}
