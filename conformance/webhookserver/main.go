// webhookserver is an operator's admission webhooks, served by controller-runtime: it gives a config map its owner, refuses
// data that is too long, and warns of what is old. Arguments: the folder with tls.crt and tls.key. It prints its port.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const longest = 8

type owner struct{}

func (owner) Default(ctx context.Context, object *corev1.ConfigMap) error {
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	if object.Labels == nil {
		object.Labels = map[string]string{}
	}
	object.Labels["owner"] = request.UserInfo.Username
	return nil
}

type judge struct{}

func check(object *corev1.ConfigMap) (admission.Warnings, error) {
	var warnings admission.Warnings
	if _, found := object.Data["old"]; found {
		warnings = append(warnings, "data.old is not read any more")
	}
	for key, value := range object.Data {
		if len(value) > longest {
			return warnings, fmt.Errorf("data.%s is longer than %d", key, longest)
		}
	}
	return warnings, nil
}

func (judge) ValidateCreate(_ context.Context, object *corev1.ConfigMap) (admission.Warnings, error) {
	return check(object)
}

func (judge) ValidateUpdate(_ context.Context, previous, object *corev1.ConfigMap) (admission.Warnings, error) {
	if previous.Data["fixed"] != object.Data["fixed"] {
		return nil, fmt.Errorf("data.fixed may not change from %q", previous.Data["fixed"])
	}
	return check(object)
}

func (judge) ValidateDelete(_ context.Context, object *corev1.ConfigMap) (admission.Warnings, error) {
	if object.Data["keep"] != "" {
		return nil, fmt.Errorf("%s is kept", object.Name)
	}
	return nil, nil
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func run(folder string) error {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: folder})
	server.Register("/mutate.v1", admission.WithDefaulter[*corev1.ConfigMap](scheme, owner{}))
	server.Register("/validate.v1", admission.WithValidator[*corev1.ConfigMap](scheme, judge{}))
	fmt.Println(strconv.Itoa(port))
	return server.Start(context.Background())
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
