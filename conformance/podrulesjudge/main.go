// podrulesjudge works out with upstream's own code what follows from a pod, a node and the pods on it: one JSON
// request per line on stdin, one JSON answer per line on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
	corehelpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
)

type request struct {
	Pod  corev1.Pod    `json:"pod"`
	Node corev1.Node   `json:"node"`
	Pods []*corev1.Pod `json:"pods"`
	// Cluster asks where a scheduler would put a pod; then the others are not looked at.
	Cluster *cluster `json:"cluster"`
	// Devices asks what claims get; then the others are not looked at either.
	Devices *devices `json:"devices"`
	// Configuration asks what kube-scheduler makes of a file; alone, too.
	Configuration *string `json:"configuration"`
	// Selectors asks which of them are sound, and what they may cost; alone, too.
	Selectors []string `json:"selectors"`
}

type shortage struct {
	Resource  string `json:"resource"`
	Requested int64  `json:"requested"`
	Used      int64  `json:"used"`
	Capacity  int64  `json:"capacity"`
}

type answer struct {
	Error           string              `json:"error,omitempty"`
	QOSClass        corev1.PodQOSClass  `json:"qosClass"`
	Requests        corev1.ResourceList `json:"requests"`
	Limits          corev1.ResourceList `json:"limits"`
	Tolerated       []bool              `json:"tolerated"`
	MatchesAffinity bool                `json:"matchesAffinity"`
	Preference      int64               `json:"preference"`
	FitsPorts       bool                `json:"fitsPorts"`
	Shortages       []shortage          `json:"shortages"`
	Placement       *placement          `json:"placement,omitempty"`
	Allocation      *allocation         `json:"allocation,omitempty"`
	Selectors       []soundness         `json:"selectors,omitempty"`
	Configuration   *configured         `json:"configuration,omitempty"`
}

func judge(line []byte) (out answer) {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: err.Error()}
	}
	if asked.Cluster != nil {
		placed, err := place(asked.Cluster)
		if err != nil {
			return answer{Error: err.Error()}
		}
		return answer{Placement: &placed}
	}
	if asked.Devices != nil {
		allocated := allocate(asked.Devices)
		return answer{Allocation: &allocated}
	}
	if asked.Configuration != nil {
		made := configure(*asked.Configuration)
		return answer{Configuration: &made}
	}
	if asked.Selectors != nil {
		return answer{Selectors: soundnessOf(asked.Selectors)}
	}
	pod, node := &asked.Pod, &asked.Node
	out.QOSClass = qos.ComputePodQOS(pod)
	out.Requests = resource.PodRequests(pod, resource.PodResourcesOptions{})
	out.Limits = resource.PodLimits(pod, resource.PodResourcesOptions{})
	for index := range node.Spec.Taints {
		tolerated := corehelpers.TolerationsTolerateTaint(
			klog.Background(), pod.Spec.Tolerations, &node.Spec.Taints[index], false)
		out.Tolerated = append(out.Tolerated, tolerated)
	}
	out.MatchesAffinity, _ = nodeaffinity.GetRequiredNodeAffinity(pod).Match(node)
	if pod.Spec.Affinity != nil && pod.Spec.Affinity.NodeAffinity != nil {
		terms := pod.Spec.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution
		if preferred, err := nodeaffinity.NewPreferredSchedulingTerms(terms); err == nil {
			out.Preference = preferred.Score(node)
		}
	}
	info := framework.NewNodeInfo(asked.Pods...)
	info.SetNode(node)
	out.FitsPorts = nodeports.Fits(pod, info)
	options := noderesources.ResourceRequestsOptions{EnablePodLevelResources: true}
	for _, each := range noderesources.Fits(pod, info, nil, options) {
		out.Shortages = append(out.Shortages, shortage{
			Resource: string(each.ResourceName), Requested: each.Requested, Used: each.Used, Capacity: each.Capacity,
		})
	}
	return out
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 16<<20)
	encoder := json.NewEncoder(os.Stdout)
	for scanner.Scan() {
		if err := encoder.Encode(judge(scanner.Bytes())); err != nil {
			os.Exit(1)
		}
	}
}
