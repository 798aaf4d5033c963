package main

import (
	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// environment installs the definition of shops and the configurations of the webhooks, as envtest does it for operators'
// tests on a cluster that is there.
func environment(config *rest.Config) *envtest.Environment {
	existing := true
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	number := apiextensionsv1.JSONSchemaProps{Type: "integer"}
	object := func(name string, of apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		properties := map[string]apiextensionsv1.JSONSchemaProps{name: of}
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: properties}
	}
	shop := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"spec": object("sells", text), "status": object("others", number),
	}}
	definition := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "shops.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: groupVersion.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: "shops", Singular: "shop", Kind: "Shop", ListKind: "ShopList",
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: groupVersion.Version, Served: true, Storage: true,
				Schema:       &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &shop},
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
			}},
		},
	}
	rules := []admissionv1.RuleWithOperations{{
		Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
		Rule: admissionv1.Rule{
			APIGroups: []string{groupVersion.Group}, APIVersions: []string{groupVersion.Version}, Resources: []string{"shops"},
		},
	}}
	none, fail := admissionv1.SideEffectClassNone, admissionv1.Fail
	client := func(path string) admissionv1.WebhookClientConfig {
		return admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Name: "webhook", Namespace: "default", Path: &path}}
	}
	mutating := &admissionv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "shops"},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "default.shops.example.com", ClientConfig: client("/mutate-example-com-v1-shop"), Rules: rules,
			SideEffects: &none, FailurePolicy: &fail, AdmissionReviewVersions: []string{"v1"},
		}},
	}
	validating := &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "shops"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "validate.shops.example.com", ClientConfig: client("/validate-example-com-v1-shop"), Rules: rules,
			SideEffects: &none, FailurePolicy: &fail, AdmissionReviewVersions: []string{"v1"},
		}},
	}
	return &envtest.Environment{
		UseExistingCluster: &existing,
		Config:             config,
		CRDs:               []*apiextensionsv1.CustomResourceDefinition{definition},
		WebhookInstallOptions: envtest.WebhookInstallOptions{
			MutatingWebhooks:   []*admissionv1.MutatingWebhookConfiguration{mutating},
			ValidatingWebhooks: []*admissionv1.ValidatingWebhookConfiguration{validating},
		},
	}
}
