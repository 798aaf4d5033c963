// openapijudge reads an OpenAPI v2 document as kubectl does, from JSON and from protobuf, and compares what it says with
// the Go types of the same kinds:  openapijudge DOCUMENT.json DOCUMENT.pb  → one JSON report on stdout.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubectl/pkg/util/openapi"
	"sigs.k8s.io/yaml"
)

type report struct {
	// SameInBothForms says that protobuf and JSON parse to equal documents.
	SameInBothForms bool `json:"sameInBothForms"`
	// Kinds found in the document by their Go type.
	Kinds int `json:"kinds"`
	// DryRun lists kinds that kubectl believes to know server-side dry runs.
	DryRun int `json:"dryRun"`
	// Fields compared, each once per Go type.
	Fields int `json:"fields"`
	// Differences between the document and the Go types.
	Differences []string `json:"differences"`
}

func main() {
	result, err := judge(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(result)
}

func judge(jsonPath, protobufPath string) (*report, error) {
	text, err := os.ReadFile(jsonPath)
	if err != nil {
		return nil, err
	}
	wire, err := os.ReadFile(protobufPath)
	if err != nil {
		return nil, err
	}
	fromJSON, err := openapi_v2.ParseDocument(text)
	if err != nil {
		return nil, fmt.Errorf("the JSON form: %w", err)
	}
	document := &openapi_v2.Document{}
	if err := proto.Unmarshal(wire, document); err != nil {
		return nil, fmt.Errorf("the protobuf form: %w", err)
	}
	kinds, err := openapi.NewOpenAPIData(document)
	if err != nil {
		return nil, err
	}
	comparison := newComparison()
	result := &report{}
	for gvk, goType := range scheme.Scheme.AllKnownTypes() {
		if model := kinds.LookupResource(gvk); model != nil && gvk.Version != "__internal" {
			result.Kinds++
			comparison.compare(gvk.Kind, goType, model)
		}
		if knowsDryRun(document, gvk) {
			result.DryRun++
		}
	}
	result.Fields, result.Differences = comparison.fields, comparison.differences
	normalize(fromJSON.ProtoReflect())
	normalize(document.ProtoReflect())
	result.SameInBothForms = proto.Equal(fromJSON, document)
	return result, nil
}

// knowsDryRun asks as kubectl diff and --dry-run=server do.
func knowsDryRun(document *openapi_v2.Document, gvk schema.GroupVersionKind) bool {
	for _, path := range document.GetPaths().GetPath() {
		patch := path.GetValue().GetPatch()
		for _, extension := range patch.GetVendorExtension() {
			var found schema.GroupVersionKind
			if extension.GetName() != "x-kubernetes-group-version-kind" ||
				yaml.Unmarshal([]byte(extension.GetValue().GetYaml()), &found) != nil || found != gvk {
				continue
			}
			for _, parameter := range patch.GetParameters() {
				if parameter.GetParameter().GetNonBodyParameter().GetQueryParameterSubSchema().GetName() == "dryRun" {
					return true
				}
			}
		}
	}
	return false
}

// normalize brings the YAML inside a document into one form, and leaves away what only one way of reading keeps.
func normalize(message protoreflect.Message) {
	if found, ok := message.Interface().(*openapi_v2.Any); ok {
		found.Value = nil
		if plain, err := yaml.YAMLToJSON([]byte(found.Yaml)); err == nil {
			found.Yaml = string(plain)
		}
		return
	}
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if field.Message() == nil {
			return true
		}
		if field.IsList() {
			for index := range value.List().Len() {
				normalize(value.List().Get(index).Message())
			}
		} else {
			normalize(value.Message())
		}
		return true
	})
}
