package main

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	schedulerruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// cluster is what a scheduler knows when it looks for a place for Pod; every node is there already.
type cluster struct {
	Pod         *corev1.Pod                     `json:"pod"`
	Nodes       []*corev1.Node                  `json:"nodes"`
	Pods        []*corev1.Pod                   `json:"pods"`
	Nominated   []*corev1.Pod                   `json:"nominated"`
	Namespaces  []*corev1.Namespace             `json:"namespaces"`
	Services    []*corev1.Service               `json:"services"`
	ReplicaSets []*appsv1.ReplicaSet            `json:"replicaSets"`
	Budgets     []*policyv1.PodDisruptionBudget `json:"budgets"`
	Claims      []*corev1.PersistentVolumeClaim `json:"claims"`
	Volumes     []*corev1.PersistentVolume      `json:"volumes"`
	CSINodes    []*storagev1.CSINode            `json:"csiNodes"`
	Classes     []*storagev1.StorageClass       `json:"classes"`
	Drivers     []*storagev1.CSIDriver          `json:"drivers"`
	Capacities  []*storagev1.CSIStorageCapacity `json:"capacities"`
	// Configuration is a file whose one profile is asked, instead of the default one.
	Configuration string `json:"configuration"`
}

type victims struct {
	Pods       []string `json:"pods"`
	Violations int      `json:"violations"`
}

type placement struct {
	// Refusals holds the reasons by node; a node that is not in it takes the pod.
	Refusals map[string][]string `json:"refusals"`
	// Scores holds the total by node, of those that take the pod.
	Scores map[string]int64 `json:"scores"`
	// Plugins holds the parts of the totals, for people who look at a difference.
	Plugins map[string]map[string]int64 `json:"plugins"`
	// Message is why there is no place at all, with what preemption said of it.
	Message string `json:"message"`
	// Nominated is the node on which preemption makes room; Candidates are all on which it could.
	Nominated  string             `json:"nominated"`
	Candidates map[string]victims `json:"candidates"`
}

type nominator []*corev1.Pod

func (nominator) AddNominatedPod(klog.Logger, fwk.PodInfo, *fwk.NominatingInfo) {}
func (nominator) DeleteNominatedPodIfExists(*corev1.Pod)                        {}
func (nominator) UpdateNominatedPod(klog.Logger, *corev1.Pod, fwk.PodInfo)      {}
func (pods nominator) NominatedPodsForNode(name string) (infos []fwk.PodInfo) {
	for _, pod := range pods {
		if pod.Status.NominatedNodeName == name {
			if info, err := framework.NewPodInfo(pod); err == nil {
				infos = append(infos, info)
			}
		}
	}
	return infos
}

type csiNodes struct{ fwk.CSINodeLister }

func (lister csiNodes) CSINodes() fwk.CSINodeLister { return lister.CSINodeLister }

// profileOf is upstream's default one, or that of a file, without what looks at objects that no question has.
func profileOf(text string) (*config.KubeSchedulerProfile, error) {
	read, err := latest.Default()
	if text != "" {
		read, err = readConfiguration([]byte(text))
	}
	if err != nil {
		return nil, err
	}
	profile := &read.Profiles[0]
	profile.Plugins = profile.Plugins.DeepCopy()
	kept := profile.Plugins.MultiPoint.Enabled[:0:0]
	for _, plugin := range profile.Plugins.MultiPoint.Enabled {
		switch plugin.Name {
		case names.DynamicResources, names.DefaultPreemption, names.NodeDeclaredFeatures:
		default:
			kept = append(kept, plugin)
		}
	}
	profile.Plugins.MultiPoint.Enabled = kept
	return profile, nil
}

var registerMetrics = sync.OnceFunc(metrics.Register)

func place(asked *cluster) (out placement, err error) {
	registerMetrics()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: "http://127.0.0.1:1"})
	if err != nil {
		return out, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	if err := fill(factory, asked); err != nil {
		return out, err
	}
	profile, err := profileOf(asked.Configuration)
	if err != nil {
		return out, err
	}
	snapshot := schedulercache.NewSnapshot(asked.Pods, asked.Nodes)
	lister := nodevolumelimits.NewCSINodeLister(factory.Storage().V1().CSINodes().Lister())
	profiled, err := schedulerruntime.NewFramework(ctx, plugins.NewInTreeRegistry(), profile,
		schedulerruntime.WithSnapshotSharedLister(snapshot),
		schedulerruntime.WithInformerFactory(factory),
		schedulerruntime.WithClientSet(client),
		schedulerruntime.WithPodNominator(nominator(asked.Nominated)),
		schedulerruntime.WithSharedCSIManager(csiNodes{lister}),
		schedulerruntime.WithLogger(klog.Background()),
	)
	if err != nil {
		return out, err
	}
	return judgePlacement(ctx, profiled, asked)
}

func fill(factory informers.SharedInformerFactory, asked *cluster) error {
	core, storage := factory.Core().V1(), factory.Storage().V1()
	storage.VolumeAttachments().Informer()
	add := func(indexer cache.Indexer, objects ...any) error {
		for _, object := range objects {
			if err := indexer.Add(object); err != nil {
				return err
			}
		}
		return nil
	}
	var errs []error
	each(asked.Namespaces, core.Namespaces().Informer().GetIndexer(), add, &errs)
	each(asked.Services, core.Services().Informer().GetIndexer(), add, &errs)
	each(asked.Claims, still(factory, asked.Claims).GetIndexer(), add, &errs)
	each(asked.Volumes, still(factory, asked.Volumes).GetIndexer(), add, &errs)
	each(asked.ReplicaSets, factory.Apps().V1().ReplicaSets().Informer().GetIndexer(), add, &errs)
	each(asked.CSINodes, storage.CSINodes().Informer().GetIndexer(), add, &errs)
	each(asked.Classes, storage.StorageClasses().Informer().GetIndexer(), add, &errs)
	each(asked.Drivers, storage.CSIDrivers().Informer().GetIndexer(), add, &errs)
	each(asked.Capacities, storage.CSIStorageCapacities().Informer().GetIndexer(), add, &errs)
	each(asked.Budgets, factory.Policy().V1().PodDisruptionBudgets().Informer().GetIndexer(), add, &errs)
	each([]*corev1.Pod{asked.Pod}, core.Pods().Informer().GetIndexer(), add, &errs)
	for _, err := range errs {
		return err
	}
	return nil
}

// stillInformer tells who wants events of what is there, at once: no client is asked.
type stillInformer struct {
	cache.SharedIndexInformer
	objects []any
}

func (informer stillInformer) AddEventHandler(
	handler cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	for _, object := range informer.objects {
		handler.OnAdd(object, true)
	}
	return informer.SharedIndexInformer.AddEventHandler(handler)
}

func still[T runtime.Object](factory informers.SharedInformerFactory, objects []T) cache.SharedIndexInformer {
	var kind T
	all := make([]any, len(objects))
	for index, object := range objects {
		all[index] = object
	}
	empty := reflect.New(reflect.TypeOf(kind).Elem()).Interface().(runtime.Object)
	return factory.InformerFor(empty, func(kubernetes.Interface, time.Duration) cache.SharedIndexInformer {
		byNamespace := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
		return stillInformer{cache.NewSharedIndexInformer(&cache.ListWatch{}, empty, 0, byNamespace), all}
	})
}

func each[T any](objects []T, indexer cache.Indexer, add func(cache.Indexer, ...any) error, errs *[]error) {
	for _, object := range objects {
		if err := add(indexer, object); err != nil {
			*errs = append(*errs, err)
		}
	}
}

func judgePlacement(ctx context.Context, profiled framework.Framework, asked *cluster) (out placement, err error) {
	out = placement{
		Refusals: map[string][]string{}, Scores: map[string]int64{}, Plugins: map[string]map[string]int64{},
		Candidates: map[string]victims{},
	}
	state := framework.NewCycleState()
	diagnosis := framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}
	all, err := profiled.SnapshotSharedLister().NodeInfos().List()
	if err != nil {
		return out, err
	}
	result, status, refused := profiled.RunPreFilterPlugins(ctx, state, asked.Pod)
	var feasible []fwk.NodeInfo
	switch {
	case status.IsSuccess():
		if !result.AllNodes() {
			text := fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", refused.UnsortedList())
			diagnosis.NodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable, text))
		}
		for _, info := range all {
			name := info.Node().Name
			if !result.AllNodes() && !result.NodeNames.Has(name) {
				out.Refusals[name] = diagnosis.NodeToStatus.AbsentNodesStatus().Reasons()
				continue
			}
			status := profiled.RunFilterPluginsWithNominatedPods(ctx, state, asked.Pod, info)
			if status.IsSuccess() {
				feasible = append(feasible, info)
			} else if status.IsRejected() {
				out.Refusals[name] = status.Reasons()
				diagnosis.NodeToStatus.Set(name, status)
			} else {
				return out, status.AsError()
			}
		}
	case status.IsRejected():
		diagnosis.NodeToStatus.SetAbsentNodesStatus(status)
		diagnosis.PreFilterMsg = status.Message()
		for _, info := range all {
			out.Refusals[info.Node().Name] = status.Reasons()
		}
	default:
		return out, status.AsError()
	}
	if len(feasible) > 0 {
		return out, score(ctx, profiled, state, asked.Pod, feasible, &out)
	}
	if !profiled.HasPostFilterPlugins() && asked.Configuration != "" && !wantsPreemption(asked.Configuration) {
		failed := framework.FitError{Pod: asked.Pod, NumAllNodes: len(asked.Nodes), Diagnosis: diagnosis}
		out.Message = failed.Error()
		return out, nil
	}
	return out, preempt(ctx, profiled, state, asked, diagnosis, &out)
}

func score(
	ctx context.Context, profiled framework.Framework, state fwk.CycleState, pod *corev1.Pod,
	feasible []fwk.NodeInfo, out *placement,
) error {
	if status := profiled.RunPreScorePlugins(ctx, state, pod, feasible); !status.IsSuccess() {
		return status.AsError()
	}
	scores, status := profiled.RunScorePlugins(ctx, state, pod, feasible)
	if !status.IsSuccess() {
		return status.AsError()
	}
	for _, node := range scores {
		out.Scores[node.Name] = node.TotalScore
		parts := map[string]int64{}
		for _, part := range node.Scores {
			parts[part.Name] = part.Score
		}
		out.Plugins[node.Name] = parts
	}
	return nil
}

func preempt(
	ctx context.Context, profiled framework.Framework, state fwk.CycleState, asked *cluster,
	diagnosis framework.Diagnosis, out *placement,
) error {
	gates := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	gates.EnableAsyncPreemption = false
	args := &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 10, MinCandidateNodesAbsolute: 100}
	plugin, err := defaultpreemption.New(ctx, args, profiled, gates)
	if err != nil {
		return err
	}
	plugin.Executor.PreemptPod = func(
		context.Context, preemption.Candidate, preemption.ExecutorPreemptor, *corev1.Pod, string) error {
		return nil
	}
	result, status := plugin.PostFilter(ctx, state, asked.Pod, diagnosis.NodeToStatus)
	if status.Code() == fwk.Error {
		return status.AsError()
	}
	diagnosis.PostFilterMsg = status.Message()
	failed := framework.FitError{Pod: asked.Pod, NumAllNodes: len(asked.Nodes), Diagnosis: diagnosis}
	out.Message = failed.Error()
	if !status.IsSuccess() {
		return nil
	}
	out.Nominated = result.NominatedNodeName
	nodes, err := diagnosis.NodeToStatus.NodesForStatusCode(
		profiled.SnapshotSharedLister().NodeInfos(), fwk.Unschedulable)
	if err != nil {
		return err
	}
	candidates, _, err := plugin.Evaluator.DryRunPreemption(
		ctx, state, asked.Pod, nodes, asked.Budgets, 0, int32(len(nodes)))
	if err != nil {
		return err
	}
	for _, candidate := range candidates {
		found := victims{Violations: int(candidate.Victims().NumPDBViolations)}
		for _, pod := range candidate.Victims().Pods {
			found.Pods = append(found.Pods, pod.Name)
		}
		out.Candidates[candidate.Name()] = found
	}
	return nil
}

// wantsPreemption says whether the profile of a file has pods go for others: the framework here is built without.
func wantsPreemption(text string) bool {
	read, err := readConfiguration([]byte(text))
	if err != nil {
		return false
	}
	for _, plugin := range read.Profiles[0].Plugins.PostFilter.Disabled {
		if plugin.Name == names.DefaultPreemption || plugin.Name == "*" {
			return false
		}
	}
	return true
}

func init() {
	// No question has device classes.
	_ = utilfeature.DefaultMutableFeatureGate.Set(string(features.DRAExtendedResource) + "=false")
}
