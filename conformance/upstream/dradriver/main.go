// Command dra-driver is a driver of dynamic resources on upstream's helper for them: its devices are names, and a container
// that has one finds it in its environment, by the Container Device Interface. It prints each claim that it prepares and
// unprepares, and what it was told of its registration; SIGUSR1 makes its devices unhealthy.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
	"k8s.io/dynamic-resource-allocation/resourceslice"
	drahealth "k8s.io/kubelet/pkg/apis/dra-health/v1alpha1"
)

const vendor = "devices.example.com"

type driver struct {
	drahealth.UnimplementedDRAResourceHealthServer
	name, node, cdi string
	sick            chan os.Signal
}

func (d *driver) file(uid types.UID) string {
	return filepath.Join(d.cdi, "example-"+string(uid)+".json")
}

func (d *driver) PrepareResourceClaims(_ context.Context, claims []*resourceapi.ResourceClaim) (map[types.UID]kubeletplugin.PrepareResult, error) {
	results := map[types.UID]kubeletplugin.PrepareResult{}
	for _, claim := range claims {
		fmt.Println("prepare", claim.Name)
		results[claim.UID] = d.prepare(claim)
	}
	return results, nil
}

func (d *driver) prepare(claim *resourceapi.ResourceClaim) kubeletplugin.PrepareResult {
	type edits map[string]any
	described := []edits{}
	devices := []kubeletplugin.Device{}
	for _, result := range claim.Status.Allocation.Devices.Results {
		if result.Driver != d.name {
			continue
		}
		id := string(claim.UID) + "-" + result.Device
		name := "DEVICE_" + strings.ToUpper(strings.NewReplacer("-", "_", "/", "_").Replace(result.Request))
		described = append(described, edits{"name": id, "containerEdits": edits{"env": []string{name + "=" + result.Device}}})
		devices = append(devices, kubeletplugin.Device{
			Requests:     []string{result.Request},
			PoolName:     result.Pool,
			DeviceName:   result.Device,
			CDIDeviceIDs: []string{vendor + "/unit=" + id},
		})
	}
	text, err := json.Marshal(edits{"cdiVersion": "0.6.0", "kind": vendor + "/unit", "devices": described})
	if err == nil {
		err = os.WriteFile(d.file(claim.UID), text, 0o600)
	}
	return kubeletplugin.PrepareResult{Err: err, Devices: devices}
}

func (d *driver) UnprepareResourceClaims(_ context.Context, claims []kubeletplugin.NamespacedObject) (map[types.UID]error, error) {
	results := map[types.UID]error{}
	for _, claim := range claims {
		fmt.Println("unprepare", claim.Name)
		err := os.Remove(d.file(claim.UID))
		if os.IsNotExist(err) {
			err = nil
		}
		results[claim.UID] = err
	}
	return results, nil
}

func (d *driver) HandleError(_ context.Context, err error, msg string) {
	fmt.Println("error", msg, err)
}

func (d *driver) NodeWatchResources(_ *drahealth.NodeWatchResourcesRequest, stream drahealth.DRAResourceHealth_NodeWatchResourcesServer) error {
	health, message := drahealth.HealthStatus_HEALTHY, ""
	for {
		device := &drahealth.DeviceHealth{
			Device:          &drahealth.DeviceIdentifier{PoolName: d.node, DeviceName: "unit-0"},
			Health:          health,
			Message:         message,
			LastUpdatedTime: time.Now().Unix(),
		}
		if err := stream.Send(&drahealth.NodeWatchResourcesResponse{Devices: []*drahealth.DeviceHealth{device}}); err != nil {
			return err
		}
		select {
		case <-d.sick:
			health, message = drahealth.HealthStatus_UNHEALTHY, "too hot"
		case <-time.After(5 * time.Second):
		case <-stream.Context().Done():
			return nil
		}
	}
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "")
	name := flag.String("driver", "devices.example.com", "")
	node := flag.String("node", "", "")
	kubelet := flag.String("kubelet-dir", "", "")
	cdi := flag.String("cdi-dir", "", "")
	units := flag.Int("units", 3, "")
	withV1 := flag.Bool("v1", true, "")
	flag.Parse()
	if err := run(*kubeconfig, *name, *node, *kubelet, *cdi, *units, *withV1); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig, name, node, kubelet, cdi string, units int, withV1 bool) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	data := filepath.Join(kubelet, "plugins", name)
	for _, folder := range []string{data, cdi} {
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return err
		}
	}
	self := &driver{name: name, node: node, cdi: cdi, sick: make(chan os.Signal, 1)}
	signal.Notify(self.sick, syscall.SIGUSR1)
	helper, err := kubeletplugin.Start(ctx, self,
		kubeletplugin.DriverName(name),
		kubeletplugin.NodeName(node),
		kubeletplugin.KubeClient(client),
		kubeletplugin.RegistrarDirectoryPath(filepath.Join(kubelet, "plugins_registry")),
		kubeletplugin.PluginDataDirectoryPath(data),
		kubeletplugin.NodeV1(withV1),
		kubeletplugin.NodeV1beta1(!withV1),
	)
	if err != nil {
		return err
	}
	defer helper.Stop()
	devices := []resourceapi.Device{}
	for each := range units {
		devices = append(devices, resourceapi.Device{Name: fmt.Sprintf("unit-%d", each)})
	}
	pool := resourceslice.Pool{Slices: []resourceslice.Slice{{Devices: devices}}}
	resources := resourceslice.DriverResources{Pools: map[string]resourceslice.Pool{node: pool}}
	if err := helper.PublishResources(ctx, resources); err != nil {
		return err
	}
	fmt.Println("started")
	<-ctx.Done()
	return nil
}
