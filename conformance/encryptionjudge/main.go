// Answers questions about encryption at rest as kube-apiserver would: a line of JSON for each line of standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"os"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/server/options/encryptionconfig"
	"k8s.io/apiserver/pkg/storage/value"
	"k8s.io/klog/v2"
)

// question asks what becomes of a value of `resource` at `key` under the configuration in a file: `seal`, `open`, or only `load`.
type question struct {
	Op       string `json:"op"`
	File     string `json:"file"`
	Resource string `json:"resource"`
	Key      string `json:"key"`
	Data     []byte `json:"data"`
}

type answer struct {
	Data  []byte `json:"data"`
	Stale bool   `json:"stale"`
	Error string `json:"error"`
}

func main() {
	klog.InitFlags(nil)
	_ = flag.Set("logtostderr", "false")
	_ = flag.Set("stderrthreshold", "FATAL")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	encoder := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		given, err := reply(context.Background(), asked)
		if err != nil {
			given.Error = err.Error()
		}
		if err := encoder.Encode(given); err != nil {
			panic(err)
		}
	}
}

func reply(ctx context.Context, asked question) (answer, error) {
	config, err := encryptionconfig.LoadEncryptionConfig(ctx, asked.File, false, "judge")
	if err != nil || asked.Op == "load" {
		return answer{}, err
	}
	resource := schema.ParseGroupResource(asked.Resource)
	transformer := encryptionconfig.StaticTransformers(config.Transformers).TransformerForResource(resource)
	if asked.Op == "seal" {
		data, err := transformer.TransformToStorage(ctx, asked.Data, value.DefaultContext(asked.Key))
		return answer{Data: data}, err
	}
	data, stale, err := transformer.TransformFromStorage(ctx, asked.Data, value.DefaultContext(asked.Key))
	return answer{Data: data, Stale: stale}, err
}
