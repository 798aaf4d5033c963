package main

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	cadvisorapi "github.com/google/cadvisor/info/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/klog/v2"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/utils/cpuset"
)

// Machine is where processors and memory are.
type Machine struct {
	Sockets int `json:"sockets"`
	Nodes   []struct {
		ID          int    `json:"id"`
		MemoryBytes uint64 `json:"memoryBytes"`
		HugePages   []struct {
			SizeBytes uint64 `json:"sizeBytes"`
			Count     uint64 `json:"count"`
		} `json:"hugePages"`
		Distances []uint64 `json:"distances"`
		Cores     []struct {
			Socket      int   `json:"socket"`
			Threads     []int `json:"threads"`
			UncoreCache *int  `json:"uncoreCache"`
		} `json:"cores"`
	} `json:"nodes"`
}

// Question is a machine, what a kubelet on it is told, and what happens.
type Question struct {
	Machine         Machine           `json:"machine"`
	CPUPolicy       string            `json:"cpuPolicy"`
	CPUOptions      map[string]string `json:"cpuOptions"`
	ReservedCPU     string            `json:"reservedCpu"`
	ReservedCPUs    string            `json:"reservedCpus"`
	MemoryPolicy    string            `json:"memoryPolicy"`
	Reserved        map[int32]string  `json:"reservedMemory"`
	TopologyPolicy  string            `json:"topologyPolicy"`
	TopologyScope   string            `json:"topologyScope"`
	TopologyOptions map[string]string `json:"topologyOptions"`
	Files           map[string]string `json:"files"`
	Steps           []Step            `json:"steps"`
}

// Node is upstream's managers and the pods that they know.
type Node struct {
	topology topologymanager.Manager
	cpus     cpumanager.Manager
	memory   memorymanager.Manager
	pods     map[string]*v1.Pod
}

func (n *Node) begin(question Question, folder string) error {
	machine := machineInfo(question.Machine)
	reservation := v1.ResourceList{v1.ResourceCPU: resource.MustParse(question.ReservedCPU)}
	reserved := []kubeletconfig.MemoryReservation{}
	total := resource.Quantity{}
	for id, text := range question.Reserved {
		amount := resource.MustParse(text)
		total.Add(amount)
		reserved = append(reserved, kubeletconfig.MemoryReservation{NumaNode: id, Limits: v1.ResourceList{v1.ResourceMemory: amount}})
	}
	if !total.IsZero() {
		reservation[v1.ResourceMemory] = total
	}
	specific, err := cpuset.Parse(question.ReservedCPUs)
	if err != nil {
		return err
	}
	logger := klog.Background()
	n.topology, err = topologymanager.NewManager(machine.Topology, question.TopologyPolicy, question.TopologyScope, question.TopologyOptions)
	if err != nil {
		return err
	}
	n.cpus, err = cpumanager.NewManager(logger, question.CPUPolicy, question.CPUOptions, time.Hour, machine, specific, reservation, folder, n.topology)
	if err != nil {
		return err
	}
	n.memory, err = memorymanager.NewManager(logger, question.MemoryPolicy, machine, reservation, reserved, folder, n.topology)
	if err != nil {
		return err
	}
	n.topology.AddHintProvider(logger, n.cpus)
	n.topology.AddHintProvider(logger, n.memory)
	// What the records tell of is taken for pods that are there.
	background := context.Background()
	if err := n.cpus.Start(background, n.activePods, question, noStatuses{}, noRuntime{}, noContainers.Clone()); err != nil {
		return err
	}
	return n.memory.Start(background, n.activePods, question, noStatuses{}, noRuntime{}, noContainers.Clone())
}

// AddSource is part of what the managers ask whether all pods are known.
func (Question) AddSource(string) {}

// AllReady is false where records alone are read: nothing in them is taken back.
func (q Question) AllReady() bool { return len(q.Steps) > 0 }

func machineInfo(machine Machine) *cadvisorapi.MachineInfo {
	info := &cadvisorapi.MachineInfo{NumSockets: machine.Sockets}
	for _, node := range machine.Nodes {
		told := cadvisorapi.Node{Id: node.ID, Memory: node.MemoryBytes, Distances: node.Distances}
		for _, pages := range node.HugePages {
			told.HugePages = append(told.HugePages, cadvisorapi.HugePagesInfo{PageSize: pages.SizeBytes / 1024, NumPages: pages.Count})
		}
		for id, core := range node.Cores {
			known := cadvisorapi.Core{Id: id, SocketID: core.Socket, Threads: core.Threads}
			if core.UncoreCache != nil {
				known.UncoreCaches = []cadvisorapi.Cache{{Id: *core.UncoreCache, Level: 3}}
			}
			info.NumCores += len(core.Threads)
			told.Cores = append(told.Cores, known)
		}
		info.Topology = append(info.Topology, told)
	}
	return info
}

func (n *Node) state() Result {
	result := Result{
		Shared: n.cpus.State().GetDefaultCPUSet().String(),
		CPUs:   map[string]map[string]string{},
		Memory: map[string]map[string]string{},
		Table:  map[int]string{},
	}
	for uid, containers := range n.cpus.State().GetCPUAssignments() {
		result.CPUs[uid] = map[string]string{}
		for name, cpus := range containers {
			result.CPUs[uid][name] = cpus.String()
		}
	}
	for uid, containers := range n.memory.State().GetMemoryAssignments() {
		result.Memory[uid] = map[string]string{}
		for name, blocks := range containers {
			texts := []string{}
			for _, block := range blocks {
				texts = append(texts, fmt.Sprintf("%s %d %v", block.Type, block.Size, block.NUMAAffinity))
			}
			sort.Strings(texts)
			result.Memory[uid][name] = strings.Join(texts, "; ")
		}
	}
	for id, node := range n.memory.State().GetMachineState() {
		texts := []string{}
		for kind, table := range node.MemoryMap {
			texts = append(texts, fmt.Sprintf("%s %d of %d", kind, table.Free, table.Allocatable))
		}
		sort.Strings(texts)
		result.Table[id] = fmt.Sprintf("%d %v %s", node.NumberOfAssignments, node.Cells, strings.Join(texts, "; "))
	}
	return result
}
