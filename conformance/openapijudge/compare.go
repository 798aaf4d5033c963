package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/kube-openapi/pkg/util/proto"
)

// comparison walks Go types beside the document's schemas.
type comparison struct {
	seen        map[reflect.Type]bool
	fields      int
	differences []string
}

func newComparison() *comparison {
	return &comparison{seen: map[reflect.Type]bool{}, differences: []string{}}
}

func (c *comparison) differ(path, format string, args ...any) {
	c.differences = append(c.differences, path+": "+fmt.Sprintf(format, args...))
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

func writesItself(goType reflect.Type) bool {
	pointer := reflect.PointerTo(goType)
	return pointer.Implements(marshaler) || pointer.Implements(textMarshaler)
}

func (c *comparison) compare(path string, goType reflect.Type, model proto.Schema) {
	if reference, ok := model.(proto.Reference); ok {
		model = reference.SubSchema()
	}
	if goType.Kind() == reflect.Pointer {
		goType = goType.Elem()
	}
	switch {
	case writesItself(goType) || goType.Kind() == reflect.Interface:
		return
	case goType.Kind() == reflect.Struct:
		c.compareStruct(path, goType, model)
	case goType.Kind() == reflect.Slice && goType.Elem().Kind() == reflect.Uint8:
		c.expect(path, model, "string")
	case goType.Kind() == reflect.Slice:
		if list, ok := model.(*proto.Array); ok {
			c.compare(path+"[]", goType.Elem(), list.SubType)
		} else {
			c.differ(path, "Go has a list, the document %T", model)
		}
	case goType.Kind() == reflect.Map:
		if dictionary, ok := model.(*proto.Map); ok {
			c.compare(path+"{}", goType.Elem(), dictionary.SubType)
		} else {
			c.differ(path, "Go has a map, the document %T", model)
		}
	case goType.Kind() == reflect.String:
		c.expect(path, model, "string")
	case goType.Kind() == reflect.Bool:
		c.expect(path, model, "boolean")
	case goType.Kind() == reflect.Float64:
		c.expect(path, model, "number")
	default:
		c.expect(path, model, "integer")
	}
}

func (c *comparison) expect(path string, model proto.Schema, name string) {
	if primitive, ok := model.(*proto.Primitive); !ok || primitive.Type != name {
		c.differ(path, "Go has a %s, the document %T", name, model)
	}
}

func (c *comparison) compareStruct(path string, goType reflect.Type, model proto.Schema) {
	if c.seen[goType] {
		return
	}
	c.seen[goType] = true
	kind, ok := model.(*proto.Kind)
	if !ok {
		// A struct without fields.
		if goType.NumField() > 0 {
			c.differ(path, "Go has a struct, the document %T", model)
		}
		return
	}
	names := map[string]bool{}
	c.compareFields(path, goType, kind, names)
	for name := range kind.Fields {
		if !names[name] {
			c.differ(path, "Go has no field %q", name)
		}
	}
}

func (c *comparison) compareFields(path string, goType reflect.Type, kind *proto.Kind, names map[string]bool) {
	for index := range goType.NumField() {
		field := goType.Field(index)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" && (field.Anonymous || strings.Contains(options, "inline")) {
			c.compareFields(path, field.Type, kind, names)
			continue
		}
		names[name] = true
		model, ok := kind.Fields[name]
		if !ok {
			c.differ(path, "the document has no field %q", name)
			continue
		}
		c.fields++
		at := path + "." + name
		c.compareTag(at, field.Tag.Get("patchStrategy"), model, "x-kubernetes-patch-strategy")
		c.compareTag(at, field.Tag.Get("patchMergeKey"), model, "x-kubernetes-patch-merge-key")
		c.compare(at, field.Type, model)
	}
}

func (c *comparison) compareTag(path, tag string, model proto.Schema, extension string) {
	said, _ := model.GetExtensions()[extension].(string)
	if said != tag {
		c.differ(path, "%s is %q in the document and %q in Go", extension, said, tag)
	}
}
