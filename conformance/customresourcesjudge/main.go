// customresourcesjudge tells what upstream's API server makes of a definition of custom resources and of objects of its
// first version: violations of the definition, and each object pruned, completed and validated. One JSON request per line
// on stdin, one JSON answer per line on stdout.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	servervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type request struct {
	Definition json.RawMessage   `json:"definition"`
	Objects    []json.RawMessage `json:"objects"`
}

type violation struct {
	Type  string `json:"type"`
	Field string `json:"field"`
}

type judgement struct {
	// As it is stored.
	Object     map[string]any `json:"object"`
	Pruned     []string       `json:"pruned"`
	Violations []violation    `json:"violations"`
}

type answer struct {
	Error      string      `json:"error,omitempty"`
	Violations []violation `json:"violations"`
	Objects    []judgement `json:"objects"`
}

func violations(errs field.ErrorList) []violation {
	found := []violation{}
	for _, err := range errs {
		found = append(found, violation{string(err.Type), err.Field})
	}
	return found
}

func judge(line []byte) (out answer) {
	defer func() {
		if trouble := recover(); trouble != nil {
			out = answer{Error: fmt.Sprint(trouble)}
		}
	}()
	var in request
	if err := json.Unmarshal(line, &in); err != nil {
		return answer{Error: err.Error()}
	}
	if err := out.fill(in); err != nil {
		out.Error = err.Error()
	}
	return out
}

func (out *answer) fill(in request) error {
	versioned := &v1.CustomResourceDefinition{}
	if err := json.Unmarshal(in.Definition, versioned); err != nil {
		return err
	}
	v1.SetDefaults_CustomResourceDefinition(versioned)
	definition := &apiextensions.CustomResourceDefinition{}
	if err := v1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(versioned, definition, nil); err != nil {
		return err
	}
	out.Violations = violations(validation.ValidateCustomResourceDefinition(context.Background(), definition))
	if len(out.Violations) > 0 {
		return nil
	}
	words, err := apiextensions.GetSchemaForVersion(definition, definition.Spec.Versions[0].Name)
	if err != nil {
		return err
	}
	schema, err := structuralschema.NewStructural(words.OpenAPIV3Schema)
	if err != nil {
		return err
	}
	validator, _, err := servervalidation.NewSchemaValidator(words.OpenAPIV3Schema)
	if err != nil {
		return err
	}
	for _, text := range in.Objects {
		object := map[string]any{}
		if err := utiljson.Unmarshal(text, &object); err != nil {
			return err
		}
		pruned := pruning.PruneWithOptions(object, schema, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		unknown := objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true}
		fault, paths := objectmeta.CoerceWithOptions(nil, object, schema, false, unknown)
		if fault == nil {
			pruned = append(pruned, paths...)
		}
		defaulting.PruneNonNullableNullsWithoutDefaults(object, schema)
		defaulting.Default(object, schema)
		errs := servervalidation.ValidateCustomResource(nil, object, validator)
		errs = append(errs, objectmeta.Validate(nil, object, schema, false)...)
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, schema, object)...)
		out.Objects = append(out.Objects, judgement{object, pruned, violations(errs)})
	}
	return nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	write := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := write.Encode(judge(lines.Bytes())); err != nil {
			os.Exit(1)
		}
	}
}
