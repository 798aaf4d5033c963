// Command csi-mock is the CSI driver that Kubernetes' own end-to-end tests use, which demands what CSI demands of its callers,
// with a plug-in registration beside it. Each call is told on stdout as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net"
	"os"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/driver"
	"k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/mock/service"
)

const name = "mock.csi.example.com"

type call struct {
	Method  string `json:"method"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Request any    `json:"request"`
}

type registrar struct {
	registration.UnsafeRegistrationServer
	endpoint string
}

func (r registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type:              registration.CSIPlugin,
		Name:              name,
		Endpoint:          r.endpoint,
		SupportedVersions: []string{"1.0.0"},
	}, nil
}

func (r registrar) NotifyRegistrationStatus(
	_ context.Context, answer *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	if !answer.PluginRegistered {
		log.Print("not registered: ", answer.Error)
	}
	return &registration.RegistrationStatusResponse{}, nil
}

func main() {
	endpoint, registry := os.Args[1], os.Args[2]
	mock := service.New(service.Config{
		DriverName:            name,
		DisableAttach:         true,
		AttachLimit:           5,
		NodeExpansionRequired: true,
	})
	servers := &driver.CSIDriverServers{Controller: mock, Identity: mock, Node: mock}
	if err := driver.NewCSIDriver(servers).Start(listen(endpoint), tellCalls()); err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	registration.RegisterRegistrationServer(server, registrar{endpoint: endpoint})
	log.Fatal(server.Serve(listen(registry)))
}

func listen(path string) net.Listener {
	listener, err := net.Listen("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	return listener
}

func tellCalls() grpc.UnaryServerInterceptor {
	var mutex sync.Mutex
	out := json.NewEncoder(os.Stdout)
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		answer, err := handler(ctx, request)
		mutex.Lock()
		defer mutex.Unlock()
		result := status.Convert(err)
		told := call{Method: info.FullMethod, Code: result.Code().String(), Message: result.Message(), Request: request}
		if failure := out.Encode(told); failure != nil {
			log.Print(failure)
		}
		return answer, err
	}
}
