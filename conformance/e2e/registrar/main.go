// Command registrar tells a kubelet of the CSI driver beside it, as node-driver-registrar does.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

// Where the pod has the kubelet's folder of sockets.
const folder = "/registration"

type server struct {
	registration.UnimplementedRegistrationServer
	info *registration.PluginInfo
}

func (s server) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return s.info, nil
}

func (s server) NotifyRegistrationStatus(_ context.Context, status *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	if !status.PluginRegistered {
		log.Fatalf("the kubelet did not take the driver: %s", status.Error)
	}
	return &registration.RegistrationStatusResponse{}, nil
}

func main() {
	address := flag.String("csi-address", "", "socket of the driver in this container")
	path := flag.String("kubelet-registration-path", "", "the same socket as the kubelet sees it")
	timeout := flag.Duration("timeout", time.Minute, "how long the driver may take to say its name")
	flag.Int("v", 0, "not looked at")
	flag.Parse()
	name, err := driverName(*address, *timeout)
	if err != nil {
		log.Fatal(err)
	}
	socket := filepath.Join(folder, name+"-reg.sock")
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		log.Fatal(err)
	}
	own := grpc.NewServer()
	registration.RegisterRegistrationServer(own, server{info: &registration.PluginInfo{
		Type: registration.CSIPlugin, Name: name, Endpoint: *path, SupportedVersions: []string{"1.0.0"},
	}})
	log.Fatal(own.Serve(listener))
}

func driverName(address string, timeout time.Duration) (string, error) {
	connection, err := grpc.NewClient("unix://"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return "", err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	answer, err := csi.NewIdentityClient(connection).GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}, grpc.WaitForReady(true))
	return answer.GetName(), err
}
