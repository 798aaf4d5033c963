package main

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

// mutation is a patch in CEL, and the object that it is for.
type mutation struct {
	PatchType string          `json:"patchType"`
	Resource  string          `json:"resource"`
	Object    json.RawMessage `json:"object"`
}

var converter = applyconfigurations.NewTypeConverter(scheme.Scheme)

// mutate tells what a mutating policy makes of an object.
func (out *answer) mutate(expression string, in *mutation) error {
	compiler, err := plugincel.NewCompositedCompiler(
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return err
	}
	declared := plugincel.OptionalVariableDeclarations{HasAuthorizer: true, HasPatchTypes: true}
	evaluate := func(accessor plugincel.ExpressionAccessor) plugincel.MutatingEvaluator {
		return compiler.CompileMutatingEvaluator(accessor, declared, environment.NewExpressions)
	}
	var patcher patch.Patcher
	var wrong []error
	if in.PatchType == "JSONPatch" {
		evaluator := evaluate(&patch.JSONPatchCondition{Expression: expression})
		wrong, patcher = evaluator.CompilationErrors(), patch.NewJSONPatcher(evaluator)
	} else {
		evaluator := evaluate(&patch.ApplyConfigurationCondition{Expression: expression})
		wrong, patcher = evaluator.CompilationErrors(), patch.NewApplyConfigurationPatcher(evaluator)
	}
	if len(wrong) > 0 {
		out.Wrong = fmt.Sprint(wrong[0])
		return nil
	}
	object := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(in.Object, &object.Object); err != nil {
		return err
	}
	kind := object.GroupVersionKind()
	place := schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: in.Resource}
	attributes := admission.NewAttributesRecord(object, nil, kind, object.GetNamespace(), object.GetName(), place, "",
		admission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "jane", Groups: []string{"dev"}})
	var patched runtime.Object
	patched, err = patcher.Patch(context.Background(), patch.Request{
		MatchedResource: place,
		VersionedAttributes: &admission.VersionedAttributes{
			Attributes: attributes, VersionedKind: kind, VersionedObject: object,
		},
		ObjectInterfaces:  admission.NewObjectInterfacesFromScheme(scheme.Scheme),
		TypeConverter:     converter,
		OptionalVariables: plugincel.OptionalVariableBindings{Authorizer: (&access{}).authorizer()},
	}, celconfig.RuntimeCELCostBudget)
	if err != nil {
		out.Error = err.Error()
		return nil
	}
	// As the server goes on: by the type, which leaves out nothing in silence.
	encoded, err := json.Marshal(patched)
	if err != nil {
		return err
	}
	strict := jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
		jsonserializer.SerializerOptions{Strict: true})
	typed, _, err := strict.Decode(encoded, nil, nil)
	if err != nil {
		out.Error = err.Error()
		return nil
	}
	out.Object, err = json.Marshal(typed)
	return err
}
