// Command managers-judge gives pods processors and memory with the managers of upstream's kubelet. Each line of its input is
// a machine, a configuration and steps; each line of its output says what came of every step.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

func main() {
	klog.SetLogger(logr.Discard())
	if err := utilfeature.DefaultMutableFeatureGate.Set("CPUManagerPolicyAlphaOptions=true"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var question Question
		if err := json.Unmarshal(line, &question); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_ = out.Encode(answer(question))
	}
}

// Step is one thing that happens on the node: a pod comes, one of its containers starts, or a pod is gone.
type Step struct {
	Admit *v1.Pod `json:"admit"`
	Start *struct {
		UID       string `json:"uid"`
		Container string `json:"container"`
	} `json:"start"`
	Remove string `json:"remove"`
}

// Result is what is known after a step.
type Result struct {
	Admitted bool                         `json:"admitted"`
	Reason   string                       `json:"reason"`
	Message  string                       `json:"message"`
	Shared   string                       `json:"shared"`
	CPUs     map[string]map[string]string `json:"cpus"`
	Memory   map[string]map[string]string `json:"memory"`
	Table    map[int]string               `json:"table"`
}

// Answer is the results of all steps, or why there are none, and what stands in the records at the end.
type Answer struct {
	Error      string   `json:"error"`
	Results    []Result `json:"results,omitempty"`
	CPUFile    string   `json:"cpuFile"`
	MemoryFile string   `json:"memoryFile"`
}

func answer(question Question) Answer {
	folder, err := os.MkdirTemp("", "managers-judge-")
	if err != nil {
		return Answer{Error: err.Error()}
	}
	defer os.RemoveAll(folder)
	for name, text := range question.Files {
		if err := os.WriteFile(folder+"/"+name, []byte(text), 0o600); err != nil {
			return Answer{Error: err.Error()}
		}
	}
	node := &Node{pods: map[string]*v1.Pod{}}
	if err := node.begin(question, folder); err != nil {
		return Answer{Error: err.Error()}
	}
	results := []Result{}
	for _, step := range question.Steps {
		verdict := node.take(step)
		node.collect()
		result := node.state()
		result.Admitted, result.Reason, result.Message = verdict.Admit, verdict.Reason, verdict.Message
		results = append(results, result)
	}
	if len(question.Steps) == 0 {
		results = append(results, node.state())
	}
	cpuFile, _ := os.ReadFile(folder + "/cpu_manager_state")
	memoryFile, _ := os.ReadFile(folder + "/memory_manager_state")
	return Answer{Results: results, CPUFile: string(cpuFile), MemoryFile: string(memoryFile)}
}

func (n *Node) take(step Step) lifecycle.PodAdmitResult {
	switch {
	case step.Admit != nil:
		uid := string(step.Admit.UID)
		n.pods[uid] = step.Admit
		verdict := n.topology.Admit(&lifecycle.PodAdmitAttributes{Pod: step.Admit})
		if !verdict.Admit {
			delete(n.pods, uid)
		}
		return verdict
	case step.Start != nil:
		pod := n.pods[step.Start.UID]
		if pod == nil {
			break
		}
		for _, container := range append(append([]v1.Container{}, pod.Spec.InitContainers...), pod.Spec.Containers...) {
			if container.Name == step.Start.Container {
				id := step.Start.UID + container.Name
				n.cpus.AddContainer(klog.Background(), pod, &container, id)
				n.memory.AddContainer(klog.Background(), pod, &container, id)
			}
		}
	default:
		delete(n.pods, step.Remove)
	}
	return lifecycle.PodAdmitResult{Admit: true}
}

// collect takes back what pods have that are gone, as upstream does with the next pod.
func (n *Node) collect() {
	nobody := &v1.Pod{Spec: v1.PodSpec{Containers: []v1.Container{{Name: "c"}}}}
	n.cpus.GetTopologyHints(nobody, &nobody.Spec.Containers[0])
	n.memory.GetTopologyHints(nobody, &nobody.Spec.Containers[0])
}

func (n *Node) activePods() []*v1.Pod {
	pods := []*v1.Pod{}
	for _, pod := range n.pods {
		pods = append(pods, pod)
	}
	return pods
}

type noStatuses struct{}

func (noStatuses) GetPodStatus(types.UID) (v1.PodStatus, bool) { return v1.PodStatus{}, false }

type noRuntime struct{}

func (noRuntime) UpdateContainerResources(context.Context, string, *runtimeapi.ContainerResources) error {
	return nil
}

var noContainers = containermap.NewContainerMap()
