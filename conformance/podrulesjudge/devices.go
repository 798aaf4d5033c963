package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// devices asks which devices upstream's allocator gives to claims on a node.
type devices struct {
	Node    *corev1.Node                                `json:"node"`
	Claims  []*resourceapi.ResourceClaim                `json:"claims"`
	Classes []*resourceapi.DeviceClass                  `json:"classes"`
	Slices  []*resourceapi.ResourceSlice                `json:"slices"`
	Taken   []resourceapi.DeviceRequestAllocationResult `json:"taken"`
}

type allocation struct {
	Error   string                         `json:"error,omitempty"`
	Results []resourceapi.AllocationResult `json:"results"`
}

type classes []*resourceapi.DeviceClass

func (all classes) List() ([]*resourceapi.DeviceClass, error) { return all, nil }

func (all classes) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range all {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, fmt.Errorf("device class %s not found", name)
}

func allocate(asked *devices) allocation {
	ctx := context.Background()
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, taken := range asked.Taken {
		id := structured.MakeDeviceID(taken.Driver, taken.Pool, taken.Device)
		if taken.ShareID == nil {
			state.AllocatedDevices.Insert(id)
			continue
		}
		state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, taken.ShareID))
		state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, taken.ConsumedCapacity))
	}
	features := structured.Features{
		AdminAccess: true, PrioritizedList: true, PartitionableDevices: true,
		DeviceTaints: true, DeviceBindingAndStatus: true, ConsumableCapacity: true,
	}
	cache := cel.NewCache(10, cel.Features{EnableConsumableCapacity: true})
	allocator, err := structured.NewAllocator(ctx, features, state, classes(asked.Classes), asked.Slices, cache)
	if err != nil {
		return allocation{Error: err.Error()}
	}
	results, err := allocator.Allocate(ctx, asked.Node, asked.Claims)
	if err != nil {
		return allocation{Error: err.Error()}
	}
	return allocation{Results: results}
}
