// protobufclient works with an API server as upstream's own parts do: protobuf both ways, watch included. It prints
// what it saw, one line each, and exits with 1 on the first failure.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/clientcmd"
)

func must(what string, err error) {
	if err != nil {
		fmt.Printf("%s: %v\n", what, err)
		os.Exit(1)
	}
}

func nextEvent(events watch.Interface) watch.Event {
	select {
	case event, ok := <-events.ResultChan():
		if !ok {
			must("watch", fmt.Errorf("ended early"))
		}
		return event
	case <-time.After(10 * time.Second):
		must("watch", fmt.Errorf("no event within 10 s"))
	}
	panic("unreachable")
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must("kubeconfig", err)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf"
	client := kubernetes.NewForConfigOrDie(config)

	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "protobuf-"}}
	namespace, err = client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	must("create namespace", err)
	maps := client.CoreV1().ConfigMaps(namespace.Name)

	list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "a=b"})
	must("list", err)
	fmt.Printf("list %d %v\n", len(list.Items), list.ResourceVersion != "")
	events, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, LabelSelector: "a=b"})
	must("watch", err)

	created, err := maps.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "m", Labels: map[string]string{"a": "b"}},
		Data:       map[string]string{"text": "ünï-code"},
		BinaryData: map[string][]byte{"bytes": {0, 1, 255}},
	}, metav1.CreateOptions{})
	must("create", err)
	fmt.Printf("created %q %v uid %v\n", created.Data["text"], created.BinaryData["bytes"], created.UID != "")
	event := nextEvent(events)
	fmt.Printf("event %s %s\n", event.Type, event.Object.(*corev1.ConfigMap).Data["text"])

	created.Data["text"] = "second"
	_, err = maps.Update(ctx, created, metav1.UpdateOptions{})
	must("update", err)
	event = nextEvent(events)
	fmt.Printf("event %s %s\n", event.Type, event.Object.(*corev1.ConfigMap).Data["text"])
	_, err = maps.Update(ctx, created, metav1.UpdateOptions{})
	fmt.Printf("stale update: %v\n", err)

	patch := []byte(`{"metadata":{"labels":{"a":null}}}`)
	_, err = maps.Patch(ctx, "m", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	must("patch", err)
	event = nextEvent(events)
	fmt.Printf("event %s\n", event.Type)

	must("delete", maps.Delete(ctx, "m", metav1.DeleteOptions{}))
	_, err = maps.Get(ctx, "m", metav1.GetOptions{})
	fmt.Printf("get: %v\n", err)

	partial, err := metadata.NewForConfigOrDie(metadata.ConfigFor(config)).
		Resource(corev1.SchemeGroupVersion.WithResource("namespaces")).List(ctx, metav1.ListOptions{})
	must("list metadata", err)
	for _, item := range partial.Items {
		if item.Name == namespace.Name {
			fmt.Printf("metadata %s\n", item.Labels["kubernetes.io/metadata.name"][:9])
		}
	}
}
