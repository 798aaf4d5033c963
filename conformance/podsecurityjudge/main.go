// podsecurityjudge evaluates pods with upstream's pod-security-admission: one JSON request per line on stdin, one JSON
// answer per line on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

type request struct {
	Level   string     `json:"level"`
	Version string     `json:"version"`
	Pod     corev1.Pod `json:"pod"`
}

type answer struct {
	Error  string `json:"error,omitempty"`
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

func evaluate(evaluator policy.Evaluator, line []byte) answer {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: err.Error()}
	}
	level, err := api.ParseLevel(asked.Level)
	if err != nil {
		return answer{Error: err.Error()}
	}
	version, err := api.ParseVersion(asked.Version)
	if err != nil {
		return answer{Error: err.Error()}
	}
	wanted := api.LevelVersion{Level: level, Version: version}
	result := policy.AggregateCheckResults(evaluator.EvaluatePod(wanted, &asked.Pod.ObjectMeta, &asked.Pod.Spec))
	return answer{Reason: result.ForbiddenReason(), Detail: result.ForbiddenDetail()}
}

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 16<<20)
	encoder := json.NewEncoder(os.Stdout)
	for scanner.Scan() {
		if err := encoder.Encode(evaluate(evaluator, scanner.Bytes())); err != nil {
			os.Exit(1)
		}
	}
}
