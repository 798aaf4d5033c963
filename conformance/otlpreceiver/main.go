// A collector of spans by OpenTelemetry's own definition of OTLP over gRPC: prints the port it listens on, then each
// request that it gets as a line of JSON (bytes in base64).
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
)

type receiver struct {
	collector.UnimplementedTraceServiceServer
	printing sync.Mutex
}

func (r *receiver) Export(_ context.Context, request *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	line, err := protojson.Marshal(request)
	if err != nil {
		return nil, err
	}
	r.printing.Lock()
	defer r.printing.Unlock()
	fmt.Println(string(line))
	return &collector.ExportTraceServiceResponse{}, nil
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := grpc.NewServer()
	collector.RegisterTraceServiceServer(server, &receiver{})
	if err := server.Serve(listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
