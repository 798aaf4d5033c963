// A plug-in on upstream's own stub: says each event as a line of JSON, and answers what its configuration holds.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/containerd/nri/pkg/api"
	"github.com/containerd/nri/pkg/stub"
)

type answers struct {
	Events        string                   `json:"events"`
	Adjust        *api.ContainerAdjustment `json:"adjust"`
	Update        *api.LinuxResources      `json:"update"`
	UpdateOnStop  *api.LinuxResources      `json:"updateOnStop"`
	Reject        string                   `json:"reject"`
	Fail          string                   `json:"fail"`
	HangOn        string                   `json:"hangOn"`
	UpdateSynced  *api.LinuxResources      `json:"updateSynced"`
	UpdateStarted *api.LinuxResources      `json:"updateStarted"`
}

type plugin struct {
	answers
	stub  stub.Stub
	mutex sync.Mutex
	last  string
}

func (p *plugin) say(event string, pod *api.PodSandbox, container *api.Container, more any) error {
	p.mutex.Lock()
	line, _ := json.Marshal(map[string]any{"event": event, "pod": pod, "container": container, "more": more})
	fmt.Println(string(line))
	p.mutex.Unlock()
	if p.HangOn == event {
		time.Sleep(time.Hour)
	}
	if p.Fail == event {
		return fmt.Errorf("%s is not wanted", event)
	}
	return nil
}

func (p *plugin) Configure(_ context.Context, config, runtime, version string) (stub.EventMask, error) {
	p.say("Configure", nil, nil, map[string]string{"config": config, "runtime": runtime, "version": version})
	return api.ParseEventMask(p.Events)
}

func (p *plugin) Synchronize(_ context.Context, pods []*api.PodSandbox, containers []*api.Container) ([]*api.ContainerUpdate, error) {
	ids := map[string][]string{"pods": {}, "containers": {}}
	updates := []*api.ContainerUpdate{}
	for _, pod := range pods {
		ids["pods"] = append(ids["pods"], pod.Id)
	}
	for _, container := range containers {
		ids["containers"] = append(ids["containers"], container.Id)
		if p.UpdateSynced != nil {
			updates = append(updates, updateOf(container.Id, p.UpdateSynced))
		}
	}
	return updates, p.say("Synchronize", nil, nil, ids)
}

func updateOf(id string, resources *api.LinuxResources) *api.ContainerUpdate {
	return &api.ContainerUpdate{ContainerId: id, Linux: &api.LinuxContainerUpdate{Resources: resources}}
}

func (p *plugin) RunPodSandbox(_ context.Context, pod *api.PodSandbox) error {
	return p.say("RunPodSandbox", pod, nil, nil)
}

func (p *plugin) UpdatePodSandbox(_ context.Context, pod *api.PodSandbox, overhead, resources *api.LinuxResources) error {
	return p.say("UpdatePodSandbox", pod, nil, resources)
}

func (p *plugin) PostUpdatePodSandbox(_ context.Context, pod *api.PodSandbox) error {
	return p.say("PostUpdatePodSandbox", pod, nil, nil)
}

func (p *plugin) StopPodSandbox(_ context.Context, pod *api.PodSandbox) error {
	return p.say("StopPodSandbox", pod, nil, nil)
}

func (p *plugin) RemovePodSandbox(_ context.Context, pod *api.PodSandbox) error {
	return p.say("RemovePodSandbox", pod, nil, nil)
}

func (p *plugin) CreateContainer(_ context.Context, pod *api.PodSandbox, container *api.Container) (*api.ContainerAdjustment, []*api.ContainerUpdate, error) {
	err := p.say("CreateContainer", pod, container, nil)
	updates := []*api.ContainerUpdate{}
	if p.Update != nil && p.last != "" {
		updates = append(updates, updateOf(p.last, p.Update))
	}
	p.last = container.Id
	return p.Adjust, updates, err
}

func (p *plugin) PostCreateContainer(_ context.Context, pod *api.PodSandbox, container *api.Container) error {
	return p.say("PostCreateContainer", pod, container, nil)
}

func (p *plugin) StartContainer(_ context.Context, pod *api.PodSandbox, container *api.Container) error {
	return p.say("StartContainer", pod, container, nil)
}

func (p *plugin) PostStartContainer(_ context.Context, pod *api.PodSandbox, container *api.Container) error {
	if p.UpdateStarted != nil {
		go func() {
			failed, err := p.stub.UpdateContainers([]*api.ContainerUpdate{updateOf(container.Id, p.UpdateStarted)})
			p.say("Updated", nil, nil, map[string]any{"failed": len(failed), "error": fmt.Sprint(err)})
		}()
	}
	return p.say("PostStartContainer", pod, container, nil)
}

func (p *plugin) UpdateContainer(_ context.Context, pod *api.PodSandbox, container *api.Container, resources *api.LinuxResources) ([]*api.ContainerUpdate, error) {
	err := p.say("UpdateContainer", pod, container, resources)
	if p.Update == nil {
		return nil, err
	}
	return []*api.ContainerUpdate{updateOf(container.Id, p.Update)}, err
}

func (p *plugin) PostUpdateContainer(_ context.Context, pod *api.PodSandbox, container *api.Container) error {
	return p.say("PostUpdateContainer", pod, container, nil)
}

func (p *plugin) StopContainer(_ context.Context, pod *api.PodSandbox, container *api.Container) ([]*api.ContainerUpdate, error) {
	err := p.say("StopContainer", pod, container, nil)
	if p.UpdateOnStop == nil || p.last == "" || p.last == container.Id {
		return nil, err
	}
	return []*api.ContainerUpdate{updateOf(p.last, p.UpdateOnStop)}, err
}

func (p *plugin) RemoveContainer(_ context.Context, pod *api.PodSandbox, container *api.Container) error {
	return p.say("RemoveContainer", pod, container, nil)
}

func (p *plugin) ValidateContainerAdjustment(_ context.Context, request *api.ValidateContainerAdjustmentRequest) error {
	if err := p.say("ValidateContainerAdjustment", request.Pod, request.Container, request.Owners); err != nil {
		return err
	}
	if p.Reject != "" {
		return fmt.Errorf("%s", p.Reject)
	}
	return nil
}

func main() {
	socket := flag.String("socket", "", "the runtime's socket")
	name := flag.String("name", "judge", "name of the plug-in")
	index := flag.String("idx", "10", "its place")
	config := flag.String("answers", "{}", "what it answers, as JSON")
	flag.Parse()
	p := &plugin{}
	if err := json.NewDecoder(strings.NewReader(*config)).Decode(&p.answers); err != nil {
		panic(err)
	}
	if p.Events == "" {
		p.Events = "all"
	}
	made, err := stub.New(p, stub.WithPluginName(*name), stub.WithPluginIdx(*index), stub.WithSocketPath(*socket))
	if err != nil {
		panic(err)
	}
	p.stub = made
	if err := made.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
