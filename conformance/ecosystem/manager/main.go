// manager is an operator as kubebuilder writes them: a manager of controller-runtime with leader election, a cache with an
// index, a reconciler that owns objects, and webhooks. Arguments: a kubeconfig and the operator's name. With "install" as a third it
// installs its definition and webhooks first, by envtest, and serves the webhooks. It prints what it becomes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const sellsIndex = "spec.sells"

// keeper reconciles shops and tells who did in their config maps.
type keeper struct {
	client.Client
	scheme *runtime.Scheme
	name   string
}

func (k *keeper) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	shop := &Shop{}
	if err := k.Get(ctx, request.NamespacedName, shop); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	list := &ShopList{}
	if err := k.List(ctx, list, client.InNamespace(shop.Namespace), client.MatchingFields{sellsIndex: shop.Spec.Sells}); err != nil {
		return ctrl.Result{}, err
	}
	sign := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: shop.Name, Namespace: shop.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, k.Client, sign, func() error {
		sign.Data = map[string]string{"sells": shop.Spec.Sells, "by": k.name}
		return controllerutil.SetControllerReference(shop, sign, k.scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if shop.Status.Others == len(list.Items) {
		return ctrl.Result{}, nil
	}
	before := client.MergeFrom(shop.DeepCopyObject().(*Shop))
	shop.Status.Others = len(list.Items)
	return ctrl.Result{}, k.Status().Patch(ctx, shop, before)
}

// defaults says what a shop sells that does not say so.
type defaults struct{}

func (defaults) Default(_ context.Context, shop *Shop) error {
	if shop.Spec.Sells == "" {
		shop.Spec.Sells = "bread"
	}
	return nil
}

type judge struct{}

func (judge) ValidateCreate(_ context.Context, shop *Shop) (admission.Warnings, error) {
	if shop.Spec.Sells == "nothing" {
		return nil, fmt.Errorf("shop %s has to sell something", shop.Name)
	}
	return nil, nil
}

func (j judge) ValidateUpdate(ctx context.Context, _, shop *Shop) (admission.Warnings, error) {
	return j.ValidateCreate(ctx, shop)
}

func (judge) ValidateDelete(context.Context, *Shop) (admission.Warnings, error) { return nil, nil }

func run(kubeconfig, name string, installs bool) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, addToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	lease, renew, retry := 4*time.Second, 3*time.Second, 500*time.Millisecond
	options := ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "shops.example.com",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &lease,
		RenewDeadline:                 &renew,
		RetryPeriod:                   &retry,
	}
	if installs {
		tested := environment(config)
		if _, err := tested.Start(); err != nil {
			return err
		}
		serving := tested.WebhookInstallOptions
		options.WebhookServer = webhook.NewServer(webhook.Options{
			Host: serving.LocalServingHost, Port: serving.LocalServingPort, CertDir: serving.LocalServingCertDir,
		})
	}
	manager, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	ctx := ctrl.SetupSignalHandler()
	sells := func(object client.Object) []string { return []string{object.(*Shop).Spec.Sells} }
	if err := manager.GetFieldIndexer().IndexField(ctx, &Shop{}, sellsIndex, sells); err != nil {
		return err
	}
	reconciler := &keeper{Client: manager.GetClient(), scheme: scheme, name: name}
	if err := ctrl.NewControllerManagedBy(manager).For(&Shop{}).Owns(&corev1.ConfigMap{}).Complete(reconciler); err != nil {
		return err
	}
	if installs {
		hooks := ctrl.NewWebhookManagedBy(manager, &Shop{}).WithDefaulter(defaults{}).WithValidator(judge{})
		if err := hooks.Complete(); err != nil {
			return err
		}
	}
	go func() {
		<-manager.Elected()
		fmt.Println("leads")
	}()
	fmt.Println("started")
	return manager.Start(ctx)
}

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(os.Args[1], os.Args[2], len(os.Args) > 3); err != nil {
		log.Fatal(err)
	}
}
