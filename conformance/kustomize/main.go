// Builds kustomizations as kubectl does: a folder a line comes in, and what comes of it goes out, a line of JSON each. With
// `facts` it prints what it knows of Kubernetes' own kinds.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/kustomize/api/krusty"
	_ "sigs.k8s.io/kustomize/kustomize/v5/commands/build" // what is built tells of its version
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

type answer struct {
	Yaml  string `json:"yaml"`
	Error string `json:"error,omitempty"`
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "facts" {
		printFacts()
		return
	}
	encoder := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if err := encoder.Encode(build(lines.Text())); err != nil {
			panic(err)
		}
	}
}

func build(folder string) (result answer) {
	defer func() {
		if problem := recover(); problem != nil {
			result = answer{Error: fmt.Sprint(problem)}
		}
	}()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy
	built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return answer{Error: err.Error()}
	}
	yaml, err := built.AsYaml()
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Yaml: string(yaml)}
}
