// Package resolver stands for KEDA's handlers of clouds' stores of secrets: there are none of them here.
// It is built where without-clouds.ts copies it to.
package resolver

import (
	"context"
	"errors"

	"github.com/go-logr/logr"
	kedav1alpha1 "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var errNoClouds = errors.New("built without clouds")

type AwsSecretManagerHandler struct{}

func NewAwsSecretManagerHandler(*kedav1alpha1.AwsSecretManager) *AwsSecretManagerHandler {
	return &AwsSecretManagerHandler{}
}

func (*AwsSecretManagerHandler) Initialize(context.Context, client.Client, logr.Logger, string, corev1listers.SecretLister, *corev1.PodSpec) error {
	return errNoClouds
}

func (*AwsSecretManagerHandler) Read(context.Context, logr.Logger, string, string, string, string) (string, error) {
	return "", errNoClouds
}

func (*AwsSecretManagerHandler) Stop() {}

type AzureKeyVaultHandler struct{}

func NewAzureKeyVaultHandler(*kedav1alpha1.AzureKeyVault) *AzureKeyVaultHandler {
	return &AzureKeyVaultHandler{}
}

func (*AzureKeyVaultHandler) Initialize(context.Context, client.Client, logr.Logger, string, corev1listers.SecretLister) error {
	return errNoClouds
}

func (*AzureKeyVaultHandler) Read(context.Context, string, string) (string, error) {
	return "", errNoClouds
}

type GCPSecretManagerHandler struct{}

func NewGCPSecretManagerHandler(*kedav1alpha1.GCPSecretManager) *GCPSecretManagerHandler {
	return &GCPSecretManagerHandler{}
}

func (*GCPSecretManagerHandler) Initialize(context.Context, client.Client, logr.Logger, string, corev1listers.SecretLister) error {
	return errNoClouds
}

func (*GCPSecretManagerHandler) Read(context.Context, string, string) (string, error) {
	return "", errNoClouds
}
