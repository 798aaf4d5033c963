package main

import (
	"encoding/json"
	"os"
	"sort"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const prefix = "#/definitions/"

type facts struct {
	Kinds         map[string]string            `json:"kinds"`
	Definitions   map[string]map[string]string `json:"definitions"`
	ClusterScoped []string                     `json:"clusterScoped"`
}

// printFacts prints what kustomize knows of Kubernetes' own kinds: which lists patches merge and by which keys, and what has no
// namespace.
func printFacts() {
	openapi.SchemaForResourceType(yaml.TypeMeta{APIVersion: "v1", Kind: "Pod"})
	result := facts{Kinds: map[string]string{}, Definitions: map[string]map[string]string{}}
	definitions := openapi.Schema().Definitions
	merging := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for name, definition := range definitions {
			if !merging[name] && !strings.HasSuffix(name, "List") && len(rulesOf(definition, merging)) > 0 {
				merging[name] = true
				changed = true
			}
		}
	}
	for name, definition := range definitions {
		if merging[name] {
			result.Definitions[short(name)] = rulesOf(definition, merging)
		}
		kinds, _ := definition.Extensions["x-kubernetes-group-version-kind"].([]interface{})
		for _, kind := range kinds {
			fields := kind.(map[string]interface{})
			apiVersion := fields["version"].(string)
			if group := fields["group"].(string); group != "" {
				apiVersion = group + "/" + apiVersion
			}
			meta := yaml.TypeMeta{APIVersion: apiVersion, Kind: fields["kind"].(string)}
			if openapi.IsCertainlyClusterScoped(meta) {
				result.ClusterScoped = append(result.ClusterScoped, apiVersion+"/"+meta.Kind)
			}
			if merging[name] && len(kinds) == 1 && !strings.HasSuffix(meta.Kind, "List") {
				result.Kinds[apiVersion+"/"+meta.Kind] = short(name)
			}
		}
	}
	for _, removed := range []string{"policy/v1beta1/PodSecurityPolicy"} {
		parts := strings.Split(removed, "/")
		meta := yaml.TypeMeta{APIVersion: parts[0] + "/" + parts[1], Kind: parts[2]}
		known := false
		for _, one := range result.ClusterScoped {
			known = known || one == removed
		}
		if !known && openapi.IsCertainlyClusterScoped(meta) {
			result.ClusterScoped = append(result.ClusterScoped, removed)
		}
	}
	sort.Strings(result.ClusterScoped)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(result); err != nil {
		panic(err)
	}
}

// rulesOf says of each field what leads to a list that is merged: the definition behind it, `[]` before one of list items,
// `{}` before one of a map's values, `@` and keys behind a list that is merged.
func rulesOf(definition spec.Schema, merging map[string]bool) map[string]string {
	rules := map[string]string{}
	for field, property := range definition.Properties {
		if rule := ruleOf(property, merging); rule != "" {
			rules[field] = rule
		}
	}
	return rules
}

func ruleOf(property spec.Schema, merging map[string]bool) string {
	if name := strings.TrimPrefix(property.Ref.String(), prefix); name != "" {
		if merging[name] {
			return short(name)
		}
		return ""
	}
	if property.Items != nil && property.Items.Schema != nil {
		item := ruleOf(*property.Items.Schema, merging)
		strategy, _ := property.Extensions["x-kubernetes-patch-strategy"].(string)
		isMerged := false
		for _, one := range strings.Split(strategy, ",") {
			isMerged = isMerged || one == "merge"
		}
		if !isMerged {
			if item == "" {
				return ""
			}
			return "[]" + item
		}
		schema := openapi.ResourceSchema{Schema: &property}
		_, keys := schema.PatchStrategyAndKeyList()
		return "[]" + item + "@" + strings.Join(keys, ",")
	}
	if property.AdditionalProperties != nil && property.AdditionalProperties.Schema != nil {
		if value := ruleOf(*property.AdditionalProperties.Schema, merging); value != "" {
			return "{}" + value
		}
	}
	return ""
}

// short leaves out what all names of Kubernetes' definitions begin with.
func short(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "io.k8s."), "api.")
}
