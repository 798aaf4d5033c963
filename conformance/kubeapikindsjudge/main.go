// kubeapikindsjudge tells what upstream's API server makes of an object of a built-in kind: its defaults, what its strategy
// leaves of it, its violations and the row of its table. One JSON request per line on stdin, one JSON answer per line on
// stdout.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	genericvalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authentication/user"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/printers"
	printersinternal "k8s.io/kubernetes/pkg/printers/internalversion"
)

type request struct {
	Object json.RawMessage `json:"object"`
	// Absent for a creation.
	Previous    json.RawMessage `json:"previous"`
	Subresource string          `json:"subresource"`
	// Another version of the kind: then the object in that version is all that is told.
	As string `json:"as"`
}

type violation struct {
	Type  string `json:"type"`
	Field string `json:"field"`
	Text  string `json:"text"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	// With defaults.
	Defaulted json.RawMessage `json:"defaulted,omitempty"`
	// With defaults, in another version.
	Converted json.RawMessage `json:"converted,omitempty"`
	// As the strategy leaves it: what is validated, printed and stored.
	Prepared   json.RawMessage `json:"prepared,omitempty"`
	Previous   json.RawMessage `json:"previous,omitempty"`
	Violations []violation     `json:"violations"`
	Columns    []string        `json:"columns"`
	Cells      []any           `json:"cells"`
}

var decoder = legacyscheme.Codecs.UniversalDeserializer()
var tables = printers.NewTableGenerator().With(printersinternal.AddHandlers)

// read decodes with defaults, and converts to the internal version.
func read(text []byte) (internal runtime.Object, kind schema.GroupVersionKind, err error) {
	versioned, found, err := decoder.Decode(text, nil, nil)
	if err != nil {
		return nil, kind, err
	}
	legacyscheme.Scheme.Default(versioned)
	internal, err = legacyscheme.Scheme.UnsafeConvertToVersion(versioned, runtime.InternalGroupVersioner)
	return internal, *found, err
}

func write(internal runtime.Object, kind schema.GroupVersionKind) (json.RawMessage, error) {
	versioned, err := legacyscheme.Scheme.ConvertToVersion(internal, kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	return json.Marshal(versioned)
}

func contextOf(kind schema.GroupVersionKind, namespace, verb, subresource string) context.Context {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	info := &genericapirequest.RequestInfo{
		IsResourceRequest: true, Verb: verb, APIGroup: kind.Group, APIVersion: kind.Version, Resource: plural.Resource,
		Subresource: subresource, Namespace: namespace,
	}
	ctx := genericapirequest.WithRequestInfo(context.Background(), info)
	ctx = genericapirequest.WithUser(ctx, &user.DefaultInfo{Name: "somebody"})
	return genericapirequest.WithNamespace(ctx, namespace)
}

// commonErrors are what every object is looked at for (registry/rest BeforeCreate and BeforeUpdate).
func commonErrors(accessor metav1.Object, chosen strategy) field.ErrorList {
	place := field.NewPath("metadata")
	return genericvalidation.ValidateObjectMetaAccessor(accessor, chosen.NamespaceScoped(), path.ValidatePathSegmentName, place)
}

func judge(line []byte) (out answer) {
	defer func() {
		if trouble := recover(); trouble != nil {
			out.Error = fmt.Sprint(trouble)
		}
	}()
	var in request
	err := json.Unmarshal(line, &in)
	if err == nil {
		err = out.fill(in)
	}
	if err != nil {
		out.Error = err.Error()
	}
	return out
}

func (out *answer) fill(in request) error {
	object, kind, err := read(in.Object)
	if err != nil {
		return err
	}
	if in.As != "" {
		out.Converted, err = write(object, kind.GroupKind().WithVersion(in.As))
		return err
	}
	if out.Defaulted, err = write(object, kind); err != nil {
		return err
	}
	version, name := kind.ToAPIVersionAndKind()
	chosen := strategies[version+"/"+name][in.Subresource]
	if chosen == nil {
		return fmt.Errorf("no strategy for %s of %s", in.Subresource, kind)
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	var found field.ErrorList
	if in.Previous == nil {
		ctx := contextOf(kind, accessor.GetNamespace(), "create", in.Subresource)
		chosen.PrepareForCreate(ctx, object)
		found = chosen.Validate(ctx, object)
		if len(found) == 0 {
			found = commonErrors(accessor, chosen)
		}
	} else {
		previous, _, err := read(in.Previous)
		if err != nil {
			return err
		}
		ctx := contextOf(kind, accessor.GetNamespace(), "update", in.Subresource)
		chosen.PrepareForUpdate(ctx, object, previous)
		if out.Previous, err = write(previous, kind); err != nil {
			return err
		}
		found = append(commonErrors(accessor, chosen), chosen.ValidateUpdate(ctx, object, previous)...)
	}
	for _, each := range found {
		out.Violations = append(out.Violations, violation{string(each.Type), each.Field, each.ErrorBody()})
	}
	if out.Prepared, err = write(object, kind); err != nil {
		return err
	}
	return out.print(object)
}

func (out *answer) print(object runtime.Object) error {
	table, err := tables.GenerateTable(object, printers.GenerateOptions{Wide: true})
	if err != nil {
		return nil // The plain columns of kinds without a printer.
	}
	for _, each := range table.ColumnDefinitions {
		out.Columns = append(out.Columns, fmt.Sprintf("%s %s %d", each.Name, each.Type, each.Priority))
	}
	if len(table.Rows) == 1 {
		out.Cells = table.Rows[0].Cells
	}
	return nil
}

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 16<<20)
	encoder := json.NewEncoder(os.Stdout)
	for scanner.Scan() {
		if err := encoder.Encode(judge(scanner.Bytes())); err != nil {
			os.Exit(1)
		}
	}
}
