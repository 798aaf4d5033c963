package main

import (
	"context"
	"errors"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/rest"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kube-aggregator/pkg/registry/apiservice"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"

	// The kinds, with their defaults and conversions.
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/resolver"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/event"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
)

// The aggregator has a scheme of its own.
func init() { apiregistration.Install(legacyscheme.Scheme) }

// strategy is what upstream's API server does with writes of a kind, or of one of its sub-resources.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// unresolved knows no resource: nobody's rights are asked about here.
var unresolved resolver.ResourceResolverFunc = func(schema.GroupVersionKind) (schema.GroupVersionResource, error) {
	return schema.GroupVersionResource{}, errors.New("not looked up")
}

var policies = validatingadmissionpolicy.NewStrategy(nil, unresolved)

// labelled is a namespace whose claims may have devices in use.
type labelled struct{ typedcore.NamespaceInterface }

func (labelled) Get(_ context.Context, name string, _ metav1.GetOptions) (*core.Namespace, error) {
	labels := map[string]string{resource.DRAAdminNamespaceLabelKey: "true"}
	return &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, nil
}

// allowed lets everybody write all of a status.
var allowed authorizer.AuthorizerFunc = func(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}

var claims = resourceclaim.NewStrategy(labelled{}, allowed)

var apiServices = apiservice.NewStrategy(legacyscheme.Scheme)

// apiServiceStatus is asked about updates alone, as upstream's.
type apiServiceStatus struct {
	strategy
	updates rest.RESTUpdateStrategy
}

func (s apiServiceStatus) PrepareForUpdate(ctx context.Context, object, old runtime.Object) {
	s.updates.PrepareForUpdate(ctx, object, old)
}

func (s apiServiceStatus) ValidateUpdate(ctx context.Context, object, old runtime.Object) field.ErrorList {
	return s.updates.ValidateUpdate(ctx, object, old)
}

// strategies are by group, version and kind, and then by sub-resource.
var strategies = map[string]map[string]strategy{
	"v1/ConfigMap":                           {"": configmap.Strategy},
	"v1/Endpoints":                           {"": endpoint.Strategy},
	"v1/Event":                               {"": event.Strategy},
	"v1/LimitRange":                          {"": limitrange.Strategy},
	"v1/Namespace":                           {"": namespace.Strategy, "status": namespace.StatusStrategy},
	"v1/Node":                                {"": node.Strategy, "status": node.StatusStrategy},
	"v1/PersistentVolume":                    {"": persistentvolume.Strategy, "status": persistentvolume.StatusStrategy},
	"v1/PersistentVolumeClaim":               {"": persistentvolumeclaim.Strategy, "status": persistentvolumeclaim.StatusStrategy},
	"v1/Pod":                                 {"": pod.Strategy, "status": pod.StatusStrategy, "ephemeralcontainers": pod.EphemeralContainersStrategy},
	"v1/PodTemplate":                         {"": podtemplate.Strategy},
	"v1/ReplicationController":               {"": replicationcontroller.Strategy, "status": replicationcontroller.StatusStrategy},
	"v1/ResourceQuota":                       {"": resourcequota.Strategy, "status": resourcequota.StatusStrategy},
	"v1/Secret":                              {"": secret.Strategy},
	"v1/Service":                             {"": service.Strategy, "status": service.StatusStrategy},
	"v1/ServiceAccount":                      {"": serviceaccount.Strategy},
	"apps/v1/ControllerRevision":             {"": controllerrevision.Strategy},
	"apps/v1/DaemonSet":                      {"": daemonset.Strategy, "status": daemonset.StatusStrategy},
	"apps/v1/Deployment":                     {"": deployment.Strategy, "status": deployment.StatusStrategy},
	"apps/v1/ReplicaSet":                     {"": replicaset.Strategy, "status": replicaset.StatusStrategy},
	"apps/v1/StatefulSet":                    {"": statefulset.Strategy, "status": statefulset.StatusStrategy},
	"autoscaling/v1/HorizontalPodAutoscaler": {"": horizontalpodautoscaler.Strategy, "status": horizontalpodautoscaler.StatusStrategy},
	"autoscaling/v2/HorizontalPodAutoscaler": {"": horizontalpodautoscaler.Strategy, "status": horizontalpodautoscaler.StatusStrategy},
	"batch/v1/CronJob":                       {"": cronjob.Strategy, "status": cronjob.StatusStrategy},
	"batch/v1/Job":                           {"": job.Strategy, "status": job.StatusStrategy},
	"certificates.k8s.io/v1/CertificateSigningRequest": {"": certificates.Strategy, "status": certificates.StatusStrategy, "approval": certificates.ApprovalStrategy},
	"coordination.k8s.io/v1/Lease":                     {"": lease.Strategy},
	"discovery.k8s.io/v1/EndpointSlice":                {"": endpointslice.Strategy},
	"events.k8s.io/v1/Event":                           {"": event.Strategy},
	"networking.k8s.io/v1/Ingress":                     {"": ingress.Strategy, "status": ingress.StatusStrategy},
	"networking.k8s.io/v1/IngressClass":                {"": ingressclass.Strategy},
	"networking.k8s.io/v1/IPAddress":                   {"": ipaddress.Strategy},
	"networking.k8s.io/v1/NetworkPolicy":               {"": networkpolicy.Strategy},
	"networking.k8s.io/v1/ServiceCIDR":                 {"": servicecidr.Strategy, "status": servicecidr.StatusStrategy},
	"node.k8s.io/v1/RuntimeClass":                      {"": runtimeclass.Strategy},
	"policy/v1/PodDisruptionBudget":                    {"": poddisruptionbudget.Strategy, "status": poddisruptionbudget.StatusStrategy},
	"rbac.authorization.k8s.io/v1/ClusterRole":         {"": clusterrole.Strategy},
	"rbac.authorization.k8s.io/v1/ClusterRoleBinding":  {"": clusterrolebinding.Strategy},
	"rbac.authorization.k8s.io/v1/Role":                {"": role.Strategy},
	"rbac.authorization.k8s.io/v1/RoleBinding":         {"": rolebinding.Strategy},
	"resource.k8s.io/v1/DeviceClass":                   {"": deviceclass.Strategy},
	"resource.k8s.io/v1/ResourceSlice":                 {"": resourceslice.Strategy},
	"scheduling.k8s.io/v1/PriorityClass":               {"": priorityclass.Strategy},
	"storage.k8s.io/v1/CSIDriver":                      {"": csidriver.Strategy},
	"storage.k8s.io/v1/CSINode":                        {"": csinode.Strategy},
	"storage.k8s.io/v1/CSIStorageCapacity":             {"": csistoragecapacity.Strategy},
	"storage.k8s.io/v1/StorageClass":                   {"": storageclass.Strategy},
	"storage.k8s.io/v1/VolumeAttachment":               {"": volumeattachment.Strategy, "status": volumeattachment.StatusStrategy},
	"storage.k8s.io/v1/VolumeAttributesClass":          {"": volumeattributesclass.Strategy},
	"resource.k8s.io/v1/ResourceClaim":                 {"": claims, "status": resourceclaim.NewStatusStrategy(claims)},
	"resource.k8s.io/v1/ResourceClaimTemplate":         {"": resourceclaimtemplate.NewStrategy(labelled{})},

	"apiregistration.k8s.io/v1/APIService": {"": apiServices, "status": apiServiceStatus{apiServices, apiservice.NewStatusStrategy(legacyscheme.Scheme)}},
	"flowcontrol.apiserver.k8s.io/v1/FlowSchema": {
		"": flowschema.Strategy, "status": flowschema.StatusStrategy,
	},
	"flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": {
		"": prioritylevelconfiguration.Strategy, "status": prioritylevelconfiguration.StatusStrategy,
	},

	"admissionregistration.k8s.io/v1/MutatingWebhookConfiguration":   {"": mutatingwebhookconfiguration.Strategy},
	"admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": {"": validatingwebhookconfiguration.Strategy},
	"admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": {
		"": policies, "status": validatingadmissionpolicy.NewStatusStrategy(policies),
	},
	"admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": {
		"": validatingadmissionpolicybinding.NewStrategy(nil, nil, unresolved),
	},
	"admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": {"": mutatingadmissionpolicy.NewStrategy(nil, unresolved)},
	"admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": {
		"": mutatingadmissionpolicybinding.NewStrategy(nil, nil, unresolved),
	},
}
