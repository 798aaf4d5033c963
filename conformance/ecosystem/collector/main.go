// Program collector is OpenTelemetry's collector with what it has for Kubernetes.
package main

import (
	"log"

	"github.com/open-telemetry/opentelemetry-collector-contrib/exporter/fileexporter"
	"github.com/open-telemetry/opentelemetry-collector-contrib/processor/k8sattributesprocessor"
	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/filelogreceiver"
	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/k8sclusterreceiver"
	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/kubeletstatsreceiver"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

func factories() (otelcol.Factories, error) {
	logs, cluster := filelogreceiver.NewFactory(), k8sclusterreceiver.NewFactory()
	kubelet := kubeletstatsreceiver.NewFactory()
	attributes, file := k8sattributesprocessor.NewFactory(), fileexporter.NewFactory()
	return otelcol.Factories{
		Telemetry:  otelconftelemetry.NewFactory(),
		Receivers:  map[component.Type]receiver.Factory{logs.Type(): logs, cluster.Type(): cluster, kubelet.Type(): kubelet},
		Processors: map[component.Type]processor.Factory{attributes.Type(): attributes},
		Exporters:  map[component.Type]exporter.Factory{file.Type(): file},
	}, nil
}

func main() {
	command := otelcol.NewCommand(otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{Command: "collector", Version: "0.149.0"},
		Factories: factories,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
			DefaultScheme:     "file",
			ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory()},
		}},
	})
	if err := command.Execute(); err != nil {
		log.Fatal(err)
	}
}
