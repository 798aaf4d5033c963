// kubeapijudge answers questions about API objects with the upstream libraries: one JSON request per line on stdin,
// one JSON answer per line on stdout.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

type request struct {
	Op       string            `json:"op"`
	Text     string            `json:"text"`
	Format   string            `json:"format"`
	Object   json.RawMessage   `json:"object"`
	Patch    json.RawMessage   `json:"patch"`
	Protobuf []byte            `json:"protobuf"`
	Labels   map[string]string `json:"labels"`
	Kind     string            `json:"kind"`
	Version  string            `json:"version"`
	Group    string            `json:"group"`
	Millis   int64             `json:"millis"`
	Steps    []step            `json:"steps"`
}

// step is one write to the object of a server-side apply session.
type step struct {
	Apply   bool            `json:"apply"`
	Manager string          `json:"manager"`
	Force   bool            `json:"force"`
	Object  json.RawMessage `json:"object"`
}

type answer struct {
	Error    string          `json:"error,omitempty"`
	Text     string          `json:"text,omitempty"`
	Texts    []string        `json:"texts,omitempty"`
	Object   json.RawMessage `json:"object,omitempty"`
	Other    json.RawMessage `json:"other,omitempty"`
	Protobuf []byte          `json:"protobuf,omitempty"`
	Matches  bool            `json:"matches"`
	Opened   []document      `json:"opened,omitempty"`
	States   []state         `json:"states,omitempty"`
}

// state is what a step left behind.
type state struct {
	Error   string                      `json:"error,omitempty"`
	Object  map[string]any              `json:"object"`
	Managed []metav1.ManagedFieldsEntry `json:"managed"`
}

func init() {
	for _, add := range []func(*runtime.Scheme) error{
		metricsv1beta1.AddToScheme, metav1.AddMetaToScheme, metav1beta1.AddMetaToScheme,
		apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme,
	} {
		if err := add(scheme.Scheme); err != nil {
			panic(err)
		}
	}
}

var protobufSerializer = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)

func jsonSerializer(strict bool) *jsonserializer.Serializer {
	options := jsonserializer.SerializerOptions{Strict: strict}
	return jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, options)
}

// roundTrip reads an object once from JSON and once from protobuf, and prints both as JSON and the first as protobuf.
func roundTrip(in request) (out answer, err error) {
	fromJSON, _, err := jsonSerializer(false).Decode(in.Object, nil, nil)
	if err != nil {
		return out, fmt.Errorf("from JSON: %w", err)
	}
	if out.Object, err = json.Marshal(fromJSON); err != nil {
		return out, err
	}
	if in.Protobuf != nil {
		fromProtobuf, _, err := protobufSerializer.Decode(in.Protobuf, nil, nil)
		if err != nil {
			return out, fmt.Errorf("from protobuf: %w", err)
		}
		if out.Other, err = json.Marshal(fromProtobuf); err != nil {
			return out, err
		}
	}
	var buffer bytes.Buffer
	if err = protobufSerializer.Encode(fromJSON, &buffer); err != nil {
		return out, err
	}
	out.Protobuf = buffer.Bytes()
	return out, nil
}

// patch applies a strategic merge patch and prints the result through the Go type.
func patch(in request) (out answer, err error) {
	kind := schema.GroupVersionKind{Group: in.Group, Version: in.Version, Kind: in.Kind}
	empty, err := scheme.Scheme.New(kind)
	if err != nil {
		return out, err
	}
	patched, err := strategicpatch.StrategicMergePatch(in.Object, in.Patch, empty)
	if err != nil {
		return out, err
	}
	typed, _, err := jsonSerializer(false).Decode(patched, &kind, nil)
	if err != nil {
		return out, err
	}
	out.Object, err = json.Marshal(typed)
	return out, err
}

// twoWay makes the strategic merge patch that turns one object into another.
func twoWay(in request) (out answer, err error) {
	empty, err := scheme.Scheme.New(schema.GroupVersionKind{Group: in.Group, Version: in.Version, Kind: in.Kind})
	if err != nil {
		return out, err
	}
	out.Object, err = strategicpatch.CreateTwoWayMergePatch(in.Object, in.Patch, empty)
	return out, err
}

// session applies and updates one object, step by step.
func session(in request) (out answer, err error) {
	kind := schema.GroupVersionKind{Group: in.Group, Version: in.Version, Kind: in.Kind}
	manager := managedfieldstest.NewTestFieldManager(applyconfigurations.NewTypeConverter(scheme.Scheme), kind)
	for _, step := range in.Steps {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(step.Object); err != nil {
			return out, err
		}
		if step.Apply {
			err = manager.Apply(object, step.Manager, step.Force)
		} else {
			err = manager.Update(object, step.Manager)
		}
		var after state
		if err != nil {
			after.Error = err.Error()
		}
		live := manager.Live().(*unstructured.Unstructured)
		live.SetManagedFields(nil)
		after.Object = live.Object
		after.Managed = manager.ManagedFields()
		for i := range after.Managed {
			after.Managed[i].Time = nil
		}
		out.States = append(out.States, after)
	}
	return out, nil
}

func format(in request) (out answer, err error) {
	checks := map[string]func(string) []string{
		"dnsLabel":         validation.IsDNS1123Label,
		"dnsSubdomain":     validation.IsDNS1123Subdomain,
		"dns1035Label":     validation.IsDNS1035Label,
		"qualifiedName":    validation.IsQualifiedName,
		"labelValueFormat": validation.IsValidLabelValue,
		"configMapKey":     validation.IsConfigMapKey,
		"environmentName":  validation.IsRelaxedEnvVarName,
		"portName":         validation.IsValidPortName,
		"percentage":       validation.IsValidPercent,
		"httpHeaderName":   validation.IsHTTPHeaderName,
	}
	out.Texts = checks[in.Format](in.Text)
	return out, nil
}

func handle(in request) (out answer, err error) {
	switch in.Op {
	case "roundTrip":
		return roundTrip(in)
	case "patch":
		return patch(in)
	case "twoWay":
		return twoWay(in)
	case "session":
		return session(in)
	case "format":
		return format(in)
	case "open":
		return open(in)
	case "strict":
		_, _, err = jsonSerializer(true).Decode([]byte(in.Text), nil, nil)
		return out, err
	case "quantity":
		quantity, err := resource.ParseQuantity(in.Text)
		if err != nil {
			return out, err
		}
		// A parsed quantity remembers its text, canonical or not; adding nothing makes it print itself anew.
		quantity.Add(resource.Quantity{})
		out.Text = quantity.String()
		return out, nil
	case "selector":
		selector, err := labels.Parse(in.Text)
		if err != nil {
			return out, err
		}
		out.Text = selector.String()
		out.Matches = selector.Matches(labels.Set(in.Labels))
		return out, nil
	case "humanDuration":
		out.Text = duration.HumanDuration(time.Duration(in.Millis) * time.Millisecond)
		return out, nil
	}
	return out, fmt.Errorf("unknown op %q", in.Op)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	writer := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(writer)
	for lines.Scan() {
		var in request
		var out answer
		err := json.Unmarshal(lines.Bytes(), &in)
		if err == nil {
			out, err = handle(in)
		}
		if err != nil {
			out.Error = err.Error()
		}
		if err := encoder.Encode(out); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		writer.Flush()
	}
}
