package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	kubeschedulerv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// configured is what kube-scheduler makes of a file of configuration.
type configured struct {
	// Error is what it ends with, and Stage how far it came: read, validated, built.
	Error string `json:"error,omitempty"`
	Stage string `json:"stage"`
	// Written is what --write-config-to writes.
	Written json.RawMessage `json:"written,omitempty"`
	// Plugins holds those that run, by profile.
	Plugins map[string]*config.Plugins `json:"plugins,omitempty"`
}

func readConfiguration(text []byte) (*config.KubeSchedulerConfiguration, error) {
	object, kind, err := scheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	read, ok := object.(*config.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("couldn't decode as KubeSchedulerConfiguration, got %s: ", kind)
	}
	read.TypeMeta.APIVersion = kind.GroupVersion().String()
	return read, nil
}

func configure(text string) (out configured) {
	fail := func(stage string, err error) configured { return configured{Stage: stage, Error: err.Error()} }
	read, err := readConfiguration([]byte(text))
	if err != nil {
		return fail("read", err)
	}
	if err := validation.ValidateKubeSchedulerConfiguration(read); err != nil {
		return fail("validated", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	access := &rest.Config{Host: "http://127.0.0.1:1"}
	client, err := kubernetes.NewForConfig(access)
	if err != nil {
		return fail("client", err)
	}
	factory := scheduler.NewInformerFactory(client, 0)
	dynamics := dynamicinformer.NewDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(access), 0)
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	profiles := []config.KubeSchedulerProfile{}
	built, err := scheduler.New(ctx, client, factory, dynamics, profile.NewRecorderFactory(broadcaster),
		scheduler.WithComponentConfigVersion(read.TypeMeta.APIVersion),
		scheduler.WithProfiles(read.Profiles...),
		scheduler.WithPercentageOfNodesToScore(read.PercentageOfNodesToScore),
		scheduler.WithPodMaxBackoffSeconds(read.PodMaxBackoffSeconds),
		scheduler.WithPodInitialBackoffSeconds(read.PodInitialBackoffSeconds),
		scheduler.WithExtenders(read.Extenders...),
		scheduler.WithParallelism(read.Parallelism),
		scheduler.WithBuildFrameworkCapturer(func(profile config.KubeSchedulerProfile) {
			profiles = append(profiles, profile)
		}),
	)
	if err != nil {
		return fail("built", err)
	}
	out.Stage = "built"
	out.Plugins = map[string]*config.Plugins{}
	for name, framework := range built.Profiles {
		out.Plugins[name] = framework.ListPlugins()
	}
	read.Profiles = profiles
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	written, err := runtime.Encode(scheme.Codecs.EncoderForVersion(info.Serializer, kubeschedulerv1.SchemeGroupVersion), read)
	if err != nil {
		return fail("written", err)
	}
	out.Written = written
	return out
}
