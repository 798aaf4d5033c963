// Generated from the facts of kustomize 5.8.1. Do not edit; make it again: node packages/kustomize/scripts/generate.ts 5.8.1

/** The definition of each kind that has lists which patches merge: `apps/v1/Deployment` → its name below. */
export const kindDefinitions: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": "admissionregistration.v1.MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": "admissionregistration.v1.ValidatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1beta1/MutatingWebhookConfiguration": "admissionregistration.v1beta1.MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1beta1/ValidatingWebhookConfiguration": "admissionregistration.v1beta1.ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/v1/CustomResourceDefinition": "apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
  "apiextensions.k8s.io/v1beta1/CustomResourceDefinition": "apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinition",
  "apiregistration.k8s.io/v1/APIService": "kube-aggregator.pkg.apis.apiregistration.v1.APIService",
  "apiregistration.k8s.io/v1beta1/APIService": "kube-aggregator.pkg.apis.apiregistration.v1beta1.APIService",
  "apps/v1/ControllerRevision": "apps.v1.ControllerRevision",
  "apps/v1/DaemonSet": "apps.v1.DaemonSet",
  "apps/v1/Deployment": "apps.v1.Deployment",
  "apps/v1/ReplicaSet": "apps.v1.ReplicaSet",
  "apps/v1/StatefulSet": "apps.v1.StatefulSet",
  "authentication.k8s.io/v1/TokenRequest": "authentication.v1.TokenRequest",
  "authentication.k8s.io/v1/TokenReview": "authentication.v1.TokenReview",
  "authentication.k8s.io/v1beta1/TokenReview": "authentication.v1beta1.TokenReview",
  "authorization.k8s.io/v1/LocalSubjectAccessReview": "authorization.v1.LocalSubjectAccessReview",
  "authorization.k8s.io/v1/SelfSubjectAccessReview": "authorization.v1.SelfSubjectAccessReview",
  "authorization.k8s.io/v1/SelfSubjectRulesReview": "authorization.v1.SelfSubjectRulesReview",
  "authorization.k8s.io/v1/SubjectAccessReview": "authorization.v1.SubjectAccessReview",
  "authorization.k8s.io/v1beta1/LocalSubjectAccessReview": "authorization.v1beta1.LocalSubjectAccessReview",
  "authorization.k8s.io/v1beta1/SelfSubjectAccessReview": "authorization.v1beta1.SelfSubjectAccessReview",
  "authorization.k8s.io/v1beta1/SelfSubjectRulesReview": "authorization.v1beta1.SelfSubjectRulesReview",
  "authorization.k8s.io/v1beta1/SubjectAccessReview": "authorization.v1beta1.SubjectAccessReview",
  "autoscaling/v1/HorizontalPodAutoscaler": "autoscaling.v1.HorizontalPodAutoscaler",
  "autoscaling/v1/Scale": "autoscaling.v1.Scale",
  "autoscaling/v2beta1/HorizontalPodAutoscaler": "autoscaling.v2beta1.HorizontalPodAutoscaler",
  "autoscaling/v2beta2/HorizontalPodAutoscaler": "autoscaling.v2beta2.HorizontalPodAutoscaler",
  "batch/v1/CronJob": "batch.v1.CronJob",
  "batch/v1/Job": "batch.v1.Job",
  "batch/v1beta1/CronJob": "batch.v1beta1.CronJob",
  "certificates.k8s.io/v1/CertificateSigningRequest": "certificates.v1.CertificateSigningRequest",
  "certificates.k8s.io/v1beta1/CertificateSigningRequest": "certificates.v1beta1.CertificateSigningRequest",
  "coordination.k8s.io/v1/Lease": "coordination.v1.Lease",
  "coordination.k8s.io/v1beta1/Lease": "coordination.v1beta1.Lease",
  "discovery.k8s.io/v1/EndpointSlice": "discovery.v1.EndpointSlice",
  "discovery.k8s.io/v1beta1/EndpointSlice": "discovery.v1beta1.EndpointSlice",
  "events.k8s.io/v1/Event": "events.v1.Event",
  "events.k8s.io/v1beta1/Event": "events.v1beta1.Event",
  "extensions/v1beta1/Ingress": "extensions.v1beta1.Ingress",
  "flowcontrol.apiserver.k8s.io/v1beta1/FlowSchema": "flowcontrol.v1beta1.FlowSchema",
  "flowcontrol.apiserver.k8s.io/v1beta1/PriorityLevelConfiguration": "flowcontrol.v1beta1.PriorityLevelConfiguration",
  "kustomize.config.k8s.io/v1beta1/Kustomization": "apps.v1.Kustomization",
  "networking.k8s.io/v1/Ingress": "networking.v1.Ingress",
  "networking.k8s.io/v1/IngressClass": "networking.v1.IngressClass",
  "networking.k8s.io/v1/NetworkPolicy": "networking.v1.NetworkPolicy",
  "networking.k8s.io/v1beta1/Ingress": "networking.v1beta1.Ingress",
  "networking.k8s.io/v1beta1/IngressClass": "networking.v1beta1.IngressClass",
  "node.k8s.io/v1/RuntimeClass": "node.v1.RuntimeClass",
  "node.k8s.io/v1beta1/RuntimeClass": "node.v1beta1.RuntimeClass",
  "policy/v1/PodDisruptionBudget": "policy.v1.PodDisruptionBudget",
  "policy/v1beta1/Eviction": "policy.v1beta1.Eviction",
  "policy/v1beta1/PodDisruptionBudget": "policy.v1beta1.PodDisruptionBudget",
  "policy/v1beta1/PodSecurityPolicy": "policy.v1beta1.PodSecurityPolicy",
  "rbac.authorization.k8s.io/v1/ClusterRole": "rbac.v1.ClusterRole",
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": "rbac.v1.ClusterRoleBinding",
  "rbac.authorization.k8s.io/v1/Role": "rbac.v1.Role",
  "rbac.authorization.k8s.io/v1/RoleBinding": "rbac.v1.RoleBinding",
  "rbac.authorization.k8s.io/v1beta1/ClusterRole": "rbac.v1beta1.ClusterRole",
  "rbac.authorization.k8s.io/v1beta1/ClusterRoleBinding": "rbac.v1beta1.ClusterRoleBinding",
  "rbac.authorization.k8s.io/v1beta1/Role": "rbac.v1beta1.Role",
  "rbac.authorization.k8s.io/v1beta1/RoleBinding": "rbac.v1beta1.RoleBinding",
  "scheduling.k8s.io/v1/PriorityClass": "scheduling.v1.PriorityClass",
  "scheduling.k8s.io/v1beta1/PriorityClass": "scheduling.v1beta1.PriorityClass",
  "storage.k8s.io/v1/CSIDriver": "storage.v1.CSIDriver",
  "storage.k8s.io/v1/CSINode": "storage.v1.CSINode",
  "storage.k8s.io/v1/StorageClass": "storage.v1.StorageClass",
  "storage.k8s.io/v1/VolumeAttachment": "storage.v1.VolumeAttachment",
  "storage.k8s.io/v1beta1/CSIDriver": "storage.v1beta1.CSIDriver",
  "storage.k8s.io/v1beta1/CSINode": "storage.v1beta1.CSINode",
  "storage.k8s.io/v1beta1/CSIStorageCapacity": "storage.v1beta1.CSIStorageCapacity",
  "storage.k8s.io/v1beta1/StorageClass": "storage.v1beta1.StorageClass",
  "storage.k8s.io/v1beta1/VolumeAttachment": "storage.v1beta1.VolumeAttachment",
  "v1/Binding": "core.v1.Binding",
  "v1/ComponentStatus": "core.v1.ComponentStatus",
  "v1/ConfigMap": "core.v1.ConfigMap",
  "v1/Endpoints": "core.v1.Endpoints",
  "v1/Event": "core.v1.Event",
  "v1/LimitRange": "core.v1.LimitRange",
  "v1/Namespace": "core.v1.Namespace",
  "v1/Node": "core.v1.Node",
  "v1/PersistentVolume": "core.v1.PersistentVolume",
  "v1/PersistentVolumeClaim": "core.v1.PersistentVolumeClaim",
  "v1/Pod": "core.v1.Pod",
  "v1/PodTemplate": "core.v1.PodTemplate",
  "v1/ReplicationController": "core.v1.ReplicationController",
  "v1/ResourceQuota": "core.v1.ResourceQuota",
  "v1/Secret": "core.v1.Secret",
  "v1/Service": "core.v1.Service",
  "v1/ServiceAccount": "core.v1.ServiceAccount"
};

/**
 * The fields of each definition that lead to such lists: the definition behind them, `[]` before one of items, `{}` before
 * one of a map's values, and behind `@` the keys by which the items of a merged list are told apart (none: by their value).
 */
export const definitions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "admissionregistration.v1.MutatingWebhookConfiguration": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "webhooks": "[]@name"
  },
  "admissionregistration.v1.ValidatingWebhookConfiguration": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "webhooks": "[]@name"
  },
  "admissionregistration.v1beta1.MutatingWebhookConfiguration": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "webhooks": "[]@name"
  },
  "admissionregistration.v1beta1.ValidatingWebhookConfiguration": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "webhooks": "[]@name"
  },
  "apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinition": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "apimachinery.pkg.apis.meta.v1.ObjectMeta": {
    "finalizers": "[]@",
    "ownerReferences": "[]@uid"
  },
  "apps.v1.ControllerRevision": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "apps.v1.DaemonSet": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "apps.v1.DaemonSetSpec",
    "status": "apps.v1.DaemonSetStatus"
  },
  "apps.v1.DaemonSetSpec": {
    "template": "core.v1.PodTemplateSpec"
  },
  "apps.v1.DaemonSetStatus": {
    "conditions": "[]@type"
  },
  "apps.v1.Deployment": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "apps.v1.DeploymentSpec",
    "status": "apps.v1.DeploymentStatus"
  },
  "apps.v1.DeploymentSpec": {
    "template": "core.v1.PodTemplateSpec"
  },
  "apps.v1.DeploymentStatus": {
    "conditions": "[]@type"
  },
  "apps.v1.Kustomization": {
    "configMapGenerator": "[]@name",
    "secretGenerator": "[]@name"
  },
  "apps.v1.ReplicaSet": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "apps.v1.ReplicaSetSpec",
    "status": "apps.v1.ReplicaSetStatus"
  },
  "apps.v1.ReplicaSetSpec": {
    "template": "core.v1.PodTemplateSpec"
  },
  "apps.v1.ReplicaSetStatus": {
    "conditions": "[]@type"
  },
  "apps.v1.StatefulSet": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "apps.v1.StatefulSetSpec",
    "status": "apps.v1.StatefulSetStatus"
  },
  "apps.v1.StatefulSetSpec": {
    "template": "core.v1.PodTemplateSpec",
    "volumeClaimTemplates": "[]core.v1.PersistentVolumeClaim"
  },
  "apps.v1.StatefulSetStatus": {
    "conditions": "[]@type"
  },
  "authentication.v1.TokenRequest": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authentication.v1.TokenReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authentication.v1beta1.TokenReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authorization.v1.LocalSubjectAccessReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authorization.v1.SelfSubjectAccessReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authorization.v1.SelfSubjectRulesReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authorization.v1.SubjectAccessReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authorization.v1beta1.LocalSubjectAccessReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authorization.v1beta1.SelfSubjectAccessReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authorization.v1beta1.SelfSubjectRulesReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "authorization.v1beta1.SubjectAccessReview": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "autoscaling.v1.HorizontalPodAutoscaler": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "autoscaling.v1.Scale": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "autoscaling.v2beta1.HorizontalPodAutoscaler": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "autoscaling.v2beta2.HorizontalPodAutoscaler": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "batch.v1.CronJob": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "batch.v1.CronJobSpec"
  },
  "batch.v1.CronJobSpec": {
    "jobTemplate": "batch.v1.JobTemplateSpec"
  },
  "batch.v1.Job": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "batch.v1.JobSpec",
    "status": "batch.v1.JobStatus"
  },
  "batch.v1.JobSpec": {
    "template": "core.v1.PodTemplateSpec"
  },
  "batch.v1.JobStatus": {
    "conditions": "[]@type"
  },
  "batch.v1.JobTemplateSpec": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "batch.v1.JobSpec"
  },
  "batch.v1beta1.CronJob": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "batch.v1beta1.CronJobSpec"
  },
  "batch.v1beta1.CronJobSpec": {
    "jobTemplate": "batch.v1beta1.JobTemplateSpec"
  },
  "batch.v1beta1.JobTemplateSpec": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "batch.v1.JobSpec"
  },
  "certificates.v1.CertificateSigningRequest": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "certificates.v1beta1.CertificateSigningRequest": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "coordination.v1.Lease": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "coordination.v1beta1.Lease": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.Binding": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.ComponentStatus": {
    "conditions": "[]@type",
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.ConfigMap": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.Container": {
    "env": "[]@name",
    "ports": "[]@containerPort,protocol",
    "volumeDevices": "[]@devicePath",
    "volumeMounts": "[]@mountPath"
  },
  "core.v1.Endpoints": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.EphemeralContainer": {
    "env": "[]@name",
    "volumeDevices": "[]@devicePath",
    "volumeMounts": "[]@mountPath"
  },
  "core.v1.EphemeralVolumeSource": {
    "volumeClaimTemplate": "core.v1.PersistentVolumeClaimTemplate"
  },
  "core.v1.Event": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.LimitRange": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.Namespace": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "status": "core.v1.NamespaceStatus"
  },
  "core.v1.NamespaceStatus": {
    "conditions": "[]@type"
  },
  "core.v1.Node": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "core.v1.NodeSpec",
    "status": "core.v1.NodeStatus"
  },
  "core.v1.NodeSpec": {
    "podCIDRs": "[]@"
  },
  "core.v1.NodeStatus": {
    "addresses": "[]@type",
    "conditions": "[]@type"
  },
  "core.v1.PersistentVolume": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.PersistentVolumeClaim": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "status": "core.v1.PersistentVolumeClaimStatus"
  },
  "core.v1.PersistentVolumeClaimStatus": {
    "conditions": "[]@type"
  },
  "core.v1.PersistentVolumeClaimTemplate": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.Pod": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "core.v1.PodSpec",
    "status": "core.v1.PodStatus"
  },
  "core.v1.PodSpec": {
    "containers": "[]core.v1.Container@name",
    "ephemeralContainers": "[]core.v1.EphemeralContainer@name",
    "hostAliases": "[]@ip",
    "imagePullSecrets": "[]@name",
    "initContainers": "[]core.v1.Container@name",
    "topologySpreadConstraints": "[]@topologyKey,whenUnsatisfiable",
    "volumes": "[]core.v1.Volume@name"
  },
  "core.v1.PodStatus": {
    "conditions": "[]@type",
    "podIPs": "[]@ip"
  },
  "core.v1.PodTemplate": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "template": "core.v1.PodTemplateSpec"
  },
  "core.v1.PodTemplateSpec": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "core.v1.PodSpec"
  },
  "core.v1.ReplicationController": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "core.v1.ReplicationControllerSpec",
    "status": "core.v1.ReplicationControllerStatus"
  },
  "core.v1.ReplicationControllerSpec": {
    "template": "core.v1.PodTemplateSpec"
  },
  "core.v1.ReplicationControllerStatus": {
    "conditions": "[]@type"
  },
  "core.v1.ResourceQuota": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.Secret": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "core.v1.Service": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "core.v1.ServiceSpec",
    "status": "core.v1.ServiceStatus"
  },
  "core.v1.ServiceAccount": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "secrets": "[]@name"
  },
  "core.v1.ServiceSpec": {
    "ports": "[]@port,protocol"
  },
  "core.v1.ServiceStatus": {
    "conditions": "[]@type"
  },
  "core.v1.Volume": {
    "ephemeral": "core.v1.EphemeralVolumeSource"
  },
  "discovery.v1.EndpointSlice": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "discovery.v1beta1.EndpointSlice": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "events.v1.Event": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "events.v1beta1.Event": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "extensions.v1beta1.Ingress": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "flowcontrol.v1beta1.FlowSchema": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "flowcontrol.v1beta1.PriorityLevelConfiguration": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "kube-aggregator.pkg.apis.apiregistration.v1.APIService": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "status": "kube-aggregator.pkg.apis.apiregistration.v1.APIServiceStatus"
  },
  "kube-aggregator.pkg.apis.apiregistration.v1.APIServiceStatus": {
    "conditions": "[]@type"
  },
  "kube-aggregator.pkg.apis.apiregistration.v1beta1.APIService": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "status": "kube-aggregator.pkg.apis.apiregistration.v1beta1.APIServiceStatus"
  },
  "kube-aggregator.pkg.apis.apiregistration.v1beta1.APIServiceStatus": {
    "conditions": "[]@type"
  },
  "networking.v1.Ingress": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "networking.v1.IngressClass": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "networking.v1.NetworkPolicy": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "networking.v1beta1.Ingress": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "networking.v1beta1.IngressClass": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "node.v1.RuntimeClass": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "node.v1beta1.RuntimeClass": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "policy.v1.PodDisruptionBudget": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "status": "policy.v1.PodDisruptionBudgetStatus"
  },
  "policy.v1.PodDisruptionBudgetStatus": {
    "conditions": "[]@type"
  },
  "policy.v1beta1.Eviction": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "policy.v1beta1.PodDisruptionBudget": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "status": "policy.v1beta1.PodDisruptionBudgetStatus"
  },
  "policy.v1beta1.PodDisruptionBudgetStatus": {
    "conditions": "[]@type"
  },
  "policy.v1beta1.PodSecurityPolicy": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "rbac.v1.ClusterRole": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "rbac.v1.ClusterRoleBinding": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "rbac.v1.Role": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "rbac.v1.RoleBinding": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "rbac.v1beta1.ClusterRole": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "rbac.v1beta1.ClusterRoleBinding": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "rbac.v1beta1.Role": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "rbac.v1beta1.RoleBinding": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "scheduling.v1.PriorityClass": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "scheduling.v1beta1.PriorityClass": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "storage.v1.CSIDriver": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "storage.v1.CSINode": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "storage.v1.CSINodeSpec"
  },
  "storage.v1.CSINodeSpec": {
    "drivers": "[]@name"
  },
  "storage.v1.StorageClass": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "storage.v1.VolumeAttachment": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "storage.v1beta1.CSIDriver": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "storage.v1beta1.CSINode": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "spec": "storage.v1beta1.CSINodeSpec"
  },
  "storage.v1beta1.CSINodeSpec": {
    "drivers": "[]@name"
  },
  "storage.v1beta1.CSIStorageCapacity": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "storage.v1beta1.StorageClass": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  },
  "storage.v1beta1.VolumeAttachment": {
    "metadata": "apimachinery.pkg.apis.meta.v1.ObjectMeta"
  }
};

/** Kinds whose objects are in no namespace. */
export const clusterScopedKinds: readonly string[] = [
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1beta1/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1beta1/ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/v1/CustomResourceDefinition",
  "apiextensions.k8s.io/v1beta1/CustomResourceDefinition",
  "apiregistration.k8s.io/v1/APIService",
  "apiregistration.k8s.io/v1beta1/APIService",
  "certificates.k8s.io/v1/CertificateSigningRequest",
  "certificates.k8s.io/v1beta1/CertificateSigningRequest",
  "flowcontrol.apiserver.k8s.io/v1beta1/FlowSchema",
  "flowcontrol.apiserver.k8s.io/v1beta1/PriorityLevelConfiguration",
  "networking.k8s.io/v1/IngressClass",
  "networking.k8s.io/v1beta1/IngressClass",
  "node.k8s.io/v1/RuntimeClass",
  "node.k8s.io/v1beta1/RuntimeClass",
  "policy/v1beta1/PodSecurityPolicy",
  "rbac.authorization.k8s.io/v1/ClusterRole",
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding",
  "rbac.authorization.k8s.io/v1beta1/ClusterRole",
  "rbac.authorization.k8s.io/v1beta1/ClusterRoleBinding",
  "scheduling.k8s.io/v1/PriorityClass",
  "scheduling.k8s.io/v1beta1/PriorityClass",
  "storage.k8s.io/v1/CSIDriver",
  "storage.k8s.io/v1/CSINode",
  "storage.k8s.io/v1/StorageClass",
  "storage.k8s.io/v1/VolumeAttachment",
  "storage.k8s.io/v1beta1/CSIDriver",
  "storage.k8s.io/v1beta1/CSINode",
  "storage.k8s.io/v1beta1/StorageClass",
  "storage.k8s.io/v1beta1/VolumeAttachment",
  "v1/ComponentStatus",
  "v1/Namespace",
  "v1/Node",
  "v1/PersistentVolume"
];
