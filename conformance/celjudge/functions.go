package main

import (
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// declared lists all forms of all functions and all macros that expressions of policies may use, one text each.
func declared() ([]string, error) {
	envs, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(
		environment.VersionedOptions{
			IntroducedVersion: version.MajorMinor(1, 0),
			EnvOptions:        []cel.EnvOption{library.JSONPatch()},
		},
	)
	if err != nil {
		return nil, err
	}
	env := envs.NewExpressionsEnv()
	texts := []string{}
	for name, function := range env.Functions() {
		for _, overload := range function.OverloadDecls() {
			args := []string{}
			for _, arg := range overload.ArgTypes() {
				args = append(args, arg.String())
			}
			kind := "function"
			if overload.IsMemberFunction() {
				kind = "method"
			}
			texts = append(texts, strings.Join([]string{
				kind, name, "(" + strings.Join(args, ", ") + ")", overload.ResultType().String(),
			}, " "))
		}
	}
	for _, macro := range env.Macros() {
		texts = append(texts, "macro "+macro.MacroKey())
	}
	sort.Strings(texts)
	return texts, nil
}
