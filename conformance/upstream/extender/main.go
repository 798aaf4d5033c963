// Command extender is a scheduler extender on upstream's own types. What it decides stands in the labels of the pod that it is asked
// about; each request is a line of JSON on stdout, and the first line is the address that it listens at.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
)

type told struct {
	Verb    string          `json:"verb"`
	Request json.RawMessage `json:"request"`
}

var output sync.Mutex

// tell writes the request as it came.
func tell(verb string, body json.RawMessage) {
	output.Lock()
	defer output.Unlock()
	line, _ := json.Marshal(told{verb, body})
	fmt.Println(string(line))
}

// handle reads a question of one type, and answers unless the pod's label `break` names the verb.
func handle[Question any](verb string, labelsOf func(*Question) map[string]string, answer func(*Question) any) {
	http.HandleFunc("/x/"+verb, func(writer http.ResponseWriter, request *http.Request) {
		var body json.RawMessage
		var question Question
		if err := json.NewDecoder(request.Body).Decode(&body); err != nil {
			http.Error(writer, err.Error(), http.StatusBadRequest)
			return
		}
		tell(verb, body)
		if err := json.Unmarshal(body, &question); err != nil {
			http.Error(writer, err.Error(), http.StatusBadRequest)
			return
		}
		if labelsOf(&question)["break"] == verb {
			http.Error(writer, "as asked", http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(writer).Encode(answer(&question))
	})
}

func namesOf(args *extenderv1.ExtenderArgs) (names []string) {
	if args.NodeNames != nil {
		return *args.NodeNames
	}
	for _, node := range args.Nodes.Items {
		names = append(names, node.Name)
	}
	return names
}

// filter leaves out the nodes that the label `avoid` names, and for good those that `never` names.
func filter(args *extenderv1.ExtenderArgs) any {
	labels := args.Pod.Labels
	if labels["told"] != "" {
		return extenderv1.ExtenderFilterResult{Error: labels["told"]}
	}
	result := extenderv1.ExtenderFilterResult{
		FailedNodes: extenderv1.FailedNodesMap{}, FailedAndUnresolvableNodes: extenderv1.FailedNodesMap{},
	}
	left := map[string]bool{}
	for _, name := range namesOf(args) {
		switch {
		case strings.Contains(labels["avoid"], name):
			result.FailedNodes[name] = "not now"
		case strings.Contains(labels["never"], name):
			result.FailedAndUnresolvableNodes[name] = "never there"
		default:
			left[name] = true
		}
	}
	if args.NodeNames != nil {
		names := []string{}
		for _, name := range *args.NodeNames {
			if left[name] {
				names = append(names, name)
			}
		}
		result.NodeNames = &names
		return result
	}
	result.Nodes = &corev1.NodeList{}
	for _, node := range args.Nodes.Items {
		if left[node.Name] {
			result.Nodes.Items = append(result.Nodes.Items, node)
		}
	}
	return result
}

// prioritize likes the node that the label `like` names.
func prioritize(args *extenderv1.ExtenderArgs) any {
	list := extenderv1.HostPriorityList{}
	for _, name := range namesOf(args) {
		score := extenderv1.MinExtenderPriority
		if args.Pod.Labels["like"] == name {
			score = extenderv1.MaxExtenderPriority
		}
		list = append(list, extenderv1.HostPriority{Host: name, Score: score})
	}
	return list
}

// preempt leaves the node that the label `room` names.
func preempt(args *extenderv1.ExtenderPreemptionArgs) any {
	result := extenderv1.ExtenderPreemptionResult{NodeNameToMetaVictims: map[string]*extenderv1.MetaVictims{}}
	wanted := args.Pod.Labels["room"]
	if victims := args.NodeNameToMetaVictims[wanted]; victims != nil {
		result.NodeNameToMetaVictims[wanted] = victims
	}
	if victims := args.NodeNameToVictims[wanted]; victims != nil {
		meta := &extenderv1.MetaVictims{NumPDBViolations: victims.NumPDBViolations}
		for _, pod := range victims.Pods {
			meta.Pods = append(meta.Pods, &extenderv1.MetaPod{UID: string(pod.UID)})
		}
		result.NodeNameToMetaVictims[wanted] = meta
	}
	return result
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		panic(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	ofPod := func(args *extenderv1.ExtenderArgs) map[string]string { return args.Pod.Labels }
	handle("filter", ofPod, filter)
	handle("prioritize", ofPod, prioritize)
	handle("preempt", func(args *extenderv1.ExtenderPreemptionArgs) map[string]string { return args.Pod.Labels }, preempt)
	handle("bind", func(args *extenderv1.ExtenderBindingArgs) map[string]string {
		pod, err := client.CoreV1().Pods(args.PodNamespace).Get(context.Background(), args.PodName, metav1.GetOptions{})
		if err != nil {
			return nil
		}
		return pod.Labels
	}, func(args *extenderv1.ExtenderBindingArgs) any {
		binding := &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: args.PodName, Namespace: args.PodNamespace, UID: args.PodUID},
			Target:     corev1.ObjectReference{Kind: "Node", Name: args.Node},
		}
		if err := client.CoreV1().Pods(args.PodNamespace).Bind(context.Background(), binding, metav1.CreateOptions{}); err != nil {
			return extenderv1.ExtenderBindingResult{Error: err.Error()}
		}
		return extenderv1.ExtenderBindingResult{}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	panic(http.Serve(listener, nil))
}
