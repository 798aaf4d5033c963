// Generated from the facts of Kubernetes 1.36.2. Do not edit; make it again: node packages/client/scripts/generate.ts 36.2

import type { Binding, ComponentStatus, ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolumeClaim, PersistentVolume, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, ServiceAccount, Service, APIService, ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet, EventsV1Event, SelfSubjectReview, TokenReview, LocalSubjectAccessReview, SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview, HorizontalPodAutoscaler, AutoscalingV1HorizontalPodAutoscaler, CronJob, Job, CertificateSigningRequest, IngressClass, Ingress, IPAddress, NetworkPolicy, ServiceCIDR, PodDisruptionBudget, ClusterRoleBinding, ClusterRole, RoleBinding, Role, CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttributesClass, MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingWebhookConfiguration, CustomResourceDefinition, PriorityClass, Lease, RuntimeClass, EndpointSlice, DeviceClass, ResourceV1ResourceClaim, ResourceClaimTemplate, ResourceSlice, FlowSchema, PriorityLevelConfiguration, NodeMetrics, PodMetrics } from '@wherry/kubeapi/objects';
import type { ResourceType } from '../objects/objects.ts';
import { resourceType } from '../objects/resource-type.ts';

/** Binding, v1, in a namespace. */
export const bindings: ResourceType<Binding> = resourceType('', 'v1', 'bindings');
/** ComponentStatus, v1, of the whole cluster. */
export const componentStatuses: ResourceType<ComponentStatus> = resourceType('', 'v1', 'componentstatuses');
/** ConfigMap, v1, in a namespace. */
export const configMaps: ResourceType<ConfigMap> = resourceType('', 'v1', 'configmaps');
/** Endpoints, v1, in a namespace. */
export const endpoints: ResourceType<Endpoints> = resourceType('', 'v1', 'endpoints');
/** Event, v1, in a namespace. */
export const events: ResourceType<Event> = resourceType('', 'v1', 'events');
/** LimitRange, v1, in a namespace. */
export const limitRanges: ResourceType<LimitRange> = resourceType('', 'v1', 'limitranges');
/** Namespace, v1, of the whole cluster. */
export const namespaces: ResourceType<Namespace> = resourceType('', 'v1', 'namespaces');
/** Node, v1, of the whole cluster. */
export const nodes: ResourceType<Node> = resourceType('', 'v1', 'nodes');
/** PersistentVolumeClaim, v1, in a namespace. */
export const persistentVolumeClaims: ResourceType<PersistentVolumeClaim> = resourceType('', 'v1', 'persistentvolumeclaims');
/** PersistentVolume, v1, of the whole cluster. */
export const persistentVolumes: ResourceType<PersistentVolume> = resourceType('', 'v1', 'persistentvolumes');
/** Pod, v1, in a namespace. */
export const pods: ResourceType<Pod> = resourceType('', 'v1', 'pods');
/** PodTemplate, v1, in a namespace. */
export const podTemplates: ResourceType<PodTemplate> = resourceType('', 'v1', 'podtemplates');
/** ReplicationController, v1, in a namespace. */
export const replicationControllers: ResourceType<ReplicationController> = resourceType('', 'v1', 'replicationcontrollers');
/** ResourceQuota, v1, in a namespace. */
export const resourceQuotas: ResourceType<ResourceQuota> = resourceType('', 'v1', 'resourcequotas');
/** Secret, v1, in a namespace. */
export const secrets: ResourceType<Secret> = resourceType('', 'v1', 'secrets');
/** ServiceAccount, v1, in a namespace. */
export const serviceAccounts: ResourceType<ServiceAccount> = resourceType('', 'v1', 'serviceaccounts');
/** Service, v1, in a namespace. */
export const services: ResourceType<Service> = resourceType('', 'v1', 'services');
/** APIService, apiregistration.k8s.io/v1, of the whole cluster. */
export const apiServices: ResourceType<APIService> = resourceType('apiregistration.k8s.io', 'v1', 'apiservices');
/** ControllerRevision, apps/v1, in a namespace. */
export const controllerRevisions: ResourceType<ControllerRevision> = resourceType('apps', 'v1', 'controllerrevisions');
/** DaemonSet, apps/v1, in a namespace. */
export const daemonSets: ResourceType<DaemonSet> = resourceType('apps', 'v1', 'daemonsets');
/** Deployment, apps/v1, in a namespace. */
export const deployments: ResourceType<Deployment> = resourceType('apps', 'v1', 'deployments');
/** ReplicaSet, apps/v1, in a namespace. */
export const replicaSets: ResourceType<ReplicaSet> = resourceType('apps', 'v1', 'replicasets');
/** StatefulSet, apps/v1, in a namespace. */
export const statefulSets: ResourceType<StatefulSet> = resourceType('apps', 'v1', 'statefulsets');
/** Event, events.k8s.io/v1, in a namespace. */
export const eventsV1Events: ResourceType<EventsV1Event> = resourceType('events.k8s.io', 'v1', 'events');
/** SelfSubjectReview, authentication.k8s.io/v1, of the whole cluster. */
export const selfSubjectReviews: ResourceType<SelfSubjectReview> = resourceType('authentication.k8s.io', 'v1', 'selfsubjectreviews');
/** TokenReview, authentication.k8s.io/v1, of the whole cluster. */
export const tokenReviews: ResourceType<TokenReview> = resourceType('authentication.k8s.io', 'v1', 'tokenreviews');
/** LocalSubjectAccessReview, authorization.k8s.io/v1, in a namespace. */
export const localSubjectAccessReviews: ResourceType<LocalSubjectAccessReview> = resourceType('authorization.k8s.io', 'v1', 'localsubjectaccessreviews');
/** SelfSubjectAccessReview, authorization.k8s.io/v1, of the whole cluster. */
export const selfSubjectAccessReviews: ResourceType<SelfSubjectAccessReview> = resourceType('authorization.k8s.io', 'v1', 'selfsubjectaccessreviews');
/** SelfSubjectRulesReview, authorization.k8s.io/v1, of the whole cluster. */
export const selfSubjectRulesReviews: ResourceType<SelfSubjectRulesReview> = resourceType('authorization.k8s.io', 'v1', 'selfsubjectrulesreviews');
/** SubjectAccessReview, authorization.k8s.io/v1, of the whole cluster. */
export const subjectAccessReviews: ResourceType<SubjectAccessReview> = resourceType('authorization.k8s.io', 'v1', 'subjectaccessreviews');
/** HorizontalPodAutoscaler, autoscaling/v2, in a namespace. */
export const horizontalPodAutoscalers: ResourceType<HorizontalPodAutoscaler> = resourceType('autoscaling', 'v2', 'horizontalpodautoscalers');
/** HorizontalPodAutoscaler, autoscaling/v1, in a namespace. */
export const autoscalingV1HorizontalPodAutoscalers: ResourceType<AutoscalingV1HorizontalPodAutoscaler> = resourceType('autoscaling', 'v1', 'horizontalpodautoscalers');
/** CronJob, batch/v1, in a namespace. */
export const cronJobs: ResourceType<CronJob> = resourceType('batch', 'v1', 'cronjobs');
/** Job, batch/v1, in a namespace. */
export const jobs: ResourceType<Job> = resourceType('batch', 'v1', 'jobs');
/** CertificateSigningRequest, certificates.k8s.io/v1, of the whole cluster. */
export const certificateSigningRequests: ResourceType<CertificateSigningRequest> = resourceType('certificates.k8s.io', 'v1', 'certificatesigningrequests');
/** IngressClass, networking.k8s.io/v1, of the whole cluster. */
export const ingressClasses: ResourceType<IngressClass> = resourceType('networking.k8s.io', 'v1', 'ingressclasses');
/** Ingress, networking.k8s.io/v1, in a namespace. */
export const ingresses: ResourceType<Ingress> = resourceType('networking.k8s.io', 'v1', 'ingresses');
/** IPAddress, networking.k8s.io/v1, of the whole cluster. */
export const ipAddresses: ResourceType<IPAddress> = resourceType('networking.k8s.io', 'v1', 'ipaddresses');
/** NetworkPolicy, networking.k8s.io/v1, in a namespace. */
export const networkPolicies: ResourceType<NetworkPolicy> = resourceType('networking.k8s.io', 'v1', 'networkpolicies');
/** ServiceCIDR, networking.k8s.io/v1, of the whole cluster. */
export const serviceCIDRs: ResourceType<ServiceCIDR> = resourceType('networking.k8s.io', 'v1', 'servicecidrs');
/** PodDisruptionBudget, policy/v1, in a namespace. */
export const podDisruptionBudgets: ResourceType<PodDisruptionBudget> = resourceType('policy', 'v1', 'poddisruptionbudgets');
/** ClusterRoleBinding, rbac.authorization.k8s.io/v1, of the whole cluster. */
export const clusterRoleBindings: ResourceType<ClusterRoleBinding> = resourceType('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings');
/** ClusterRole, rbac.authorization.k8s.io/v1, of the whole cluster. */
export const clusterRoles: ResourceType<ClusterRole> = resourceType('rbac.authorization.k8s.io', 'v1', 'clusterroles');
/** RoleBinding, rbac.authorization.k8s.io/v1, in a namespace. */
export const roleBindings: ResourceType<RoleBinding> = resourceType('rbac.authorization.k8s.io', 'v1', 'rolebindings');
/** Role, rbac.authorization.k8s.io/v1, in a namespace. */
export const roles: ResourceType<Role> = resourceType('rbac.authorization.k8s.io', 'v1', 'roles');
/** CSIDriver, storage.k8s.io/v1, of the whole cluster. */
export const csiDrivers: ResourceType<CSIDriver> = resourceType('storage.k8s.io', 'v1', 'csidrivers');
/** CSINode, storage.k8s.io/v1, of the whole cluster. */
export const csiNodes: ResourceType<CSINode> = resourceType('storage.k8s.io', 'v1', 'csinodes');
/** CSIStorageCapacity, storage.k8s.io/v1, in a namespace. */
export const csiStorageCapacities: ResourceType<CSIStorageCapacity> = resourceType('storage.k8s.io', 'v1', 'csistoragecapacities');
/** StorageClass, storage.k8s.io/v1, of the whole cluster. */
export const storageClasses: ResourceType<StorageClass> = resourceType('storage.k8s.io', 'v1', 'storageclasses');
/** VolumeAttachment, storage.k8s.io/v1, of the whole cluster. */
export const volumeAttachments: ResourceType<VolumeAttachment> = resourceType('storage.k8s.io', 'v1', 'volumeattachments');
/** VolumeAttributesClass, storage.k8s.io/v1, of the whole cluster. */
export const volumeAttributesClasses: ResourceType<VolumeAttributesClass> = resourceType('storage.k8s.io', 'v1', 'volumeattributesclasses');
/** MutatingAdmissionPolicy, admissionregistration.k8s.io/v1, of the whole cluster. */
export const mutatingAdmissionPolicies: ResourceType<MutatingAdmissionPolicy> = resourceType('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies');
/** MutatingAdmissionPolicyBinding, admissionregistration.k8s.io/v1, of the whole cluster. */
export const mutatingAdmissionPolicyBindings: ResourceType<MutatingAdmissionPolicyBinding> = resourceType('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicybindings');
/** MutatingWebhookConfiguration, admissionregistration.k8s.io/v1, of the whole cluster. */
export const mutatingWebhookConfigurations: ResourceType<MutatingWebhookConfiguration> = resourceType('admissionregistration.k8s.io', 'v1', 'mutatingwebhookconfigurations');
/** ValidatingAdmissionPolicy, admissionregistration.k8s.io/v1, of the whole cluster. */
export const validatingAdmissionPolicies: ResourceType<ValidatingAdmissionPolicy> = resourceType('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicies');
/** ValidatingAdmissionPolicyBinding, admissionregistration.k8s.io/v1, of the whole cluster. */
export const validatingAdmissionPolicyBindings: ResourceType<ValidatingAdmissionPolicyBinding> = resourceType('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicybindings');
/** ValidatingWebhookConfiguration, admissionregistration.k8s.io/v1, of the whole cluster. */
export const validatingWebhookConfigurations: ResourceType<ValidatingWebhookConfiguration> = resourceType('admissionregistration.k8s.io', 'v1', 'validatingwebhookconfigurations');
/** CustomResourceDefinition, apiextensions.k8s.io/v1, of the whole cluster. */
export const customResourceDefinitions: ResourceType<CustomResourceDefinition> = resourceType('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
/** PriorityClass, scheduling.k8s.io/v1, of the whole cluster. */
export const priorityClasses: ResourceType<PriorityClass> = resourceType('scheduling.k8s.io', 'v1', 'priorityclasses');
/** Lease, coordination.k8s.io/v1, in a namespace. */
export const leases: ResourceType<Lease> = resourceType('coordination.k8s.io', 'v1', 'leases');
/** RuntimeClass, node.k8s.io/v1, of the whole cluster. */
export const runtimeClasses: ResourceType<RuntimeClass> = resourceType('node.k8s.io', 'v1', 'runtimeclasses');
/** EndpointSlice, discovery.k8s.io/v1, in a namespace. */
export const endpointSlices: ResourceType<EndpointSlice> = resourceType('discovery.k8s.io', 'v1', 'endpointslices');
/** DeviceClass, resource.k8s.io/v1, of the whole cluster. */
export const deviceClasses: ResourceType<DeviceClass> = resourceType('resource.k8s.io', 'v1', 'deviceclasses');
/** ResourceClaim, resource.k8s.io/v1, in a namespace. */
export const resourceClaims: ResourceType<ResourceV1ResourceClaim> = resourceType('resource.k8s.io', 'v1', 'resourceclaims');
/** ResourceClaimTemplate, resource.k8s.io/v1, in a namespace. */
export const resourceClaimTemplates: ResourceType<ResourceClaimTemplate> = resourceType('resource.k8s.io', 'v1', 'resourceclaimtemplates');
/** ResourceSlice, resource.k8s.io/v1, of the whole cluster. */
export const resourceSlices: ResourceType<ResourceSlice> = resourceType('resource.k8s.io', 'v1', 'resourceslices');
/** FlowSchema, flowcontrol.apiserver.k8s.io/v1, of the whole cluster. */
export const flowSchemas: ResourceType<FlowSchema> = resourceType('flowcontrol.apiserver.k8s.io', 'v1', 'flowschemas');
/** PriorityLevelConfiguration, flowcontrol.apiserver.k8s.io/v1, of the whole cluster. */
export const priorityLevelConfigurations: ResourceType<PriorityLevelConfiguration> = resourceType('flowcontrol.apiserver.k8s.io', 'v1', 'prioritylevelconfigurations');
/** NodeMetrics, metrics.k8s.io/v1beta1, of the whole cluster. */
export const nodeMetrics: ResourceType<NodeMetrics> = resourceType('metrics.k8s.io', 'v1beta1', 'nodes');
/** PodMetrics, metrics.k8s.io/v1beta1, in a namespace. */
export const podMetrics: ResourceType<PodMetrics> = resourceType('metrics.k8s.io', 'v1beta1', 'pods');

/** The TypeScript type of each built-in kind; of several with one name the first, as kubectl would choose. */
export interface BuiltInKinds {
  Binding: Binding;
  ComponentStatus: ComponentStatus;
  ConfigMap: ConfigMap;
  Endpoints: Endpoints;
  Event: Event;
  LimitRange: LimitRange;
  Namespace: Namespace;
  Node: Node;
  PersistentVolumeClaim: PersistentVolumeClaim;
  PersistentVolume: PersistentVolume;
  Pod: Pod;
  PodTemplate: PodTemplate;
  ReplicationController: ReplicationController;
  ResourceQuota: ResourceQuota;
  Secret: Secret;
  ServiceAccount: ServiceAccount;
  Service: Service;
  APIService: APIService;
  ControllerRevision: ControllerRevision;
  DaemonSet: DaemonSet;
  Deployment: Deployment;
  ReplicaSet: ReplicaSet;
  StatefulSet: StatefulSet;
  SelfSubjectReview: SelfSubjectReview;
  TokenReview: TokenReview;
  LocalSubjectAccessReview: LocalSubjectAccessReview;
  SelfSubjectAccessReview: SelfSubjectAccessReview;
  SelfSubjectRulesReview: SelfSubjectRulesReview;
  SubjectAccessReview: SubjectAccessReview;
  HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  CronJob: CronJob;
  Job: Job;
  CertificateSigningRequest: CertificateSigningRequest;
  IngressClass: IngressClass;
  Ingress: Ingress;
  IPAddress: IPAddress;
  NetworkPolicy: NetworkPolicy;
  ServiceCIDR: ServiceCIDR;
  PodDisruptionBudget: PodDisruptionBudget;
  ClusterRoleBinding: ClusterRoleBinding;
  ClusterRole: ClusterRole;
  RoleBinding: RoleBinding;
  Role: Role;
  CSIDriver: CSIDriver;
  CSINode: CSINode;
  CSIStorageCapacity: CSIStorageCapacity;
  StorageClass: StorageClass;
  VolumeAttachment: VolumeAttachment;
  VolumeAttributesClass: VolumeAttributesClass;
  MutatingAdmissionPolicy: MutatingAdmissionPolicy;
  MutatingAdmissionPolicyBinding: MutatingAdmissionPolicyBinding;
  MutatingWebhookConfiguration: MutatingWebhookConfiguration;
  ValidatingAdmissionPolicy: ValidatingAdmissionPolicy;
  ValidatingAdmissionPolicyBinding: ValidatingAdmissionPolicyBinding;
  ValidatingWebhookConfiguration: ValidatingWebhookConfiguration;
  CustomResourceDefinition: CustomResourceDefinition;
  PriorityClass: PriorityClass;
  Lease: Lease;
  RuntimeClass: RuntimeClass;
  EndpointSlice: EndpointSlice;
  DeviceClass: DeviceClass;
  ResourceClaim: ResourceV1ResourceClaim;
  ResourceClaimTemplate: ResourceClaimTemplate;
  ResourceSlice: ResourceSlice;
  FlowSchema: FlowSchema;
  PriorityLevelConfiguration: PriorityLevelConfiguration;
  NodeMetrics: NodeMetrics;
  PodMetrics: PodMetrics;
}
