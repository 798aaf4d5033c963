// Generated from the facts of Kubernetes 1.36.2. Do not edit; make it again: node packages/client/scripts/generate.ts 36.2

import type { Binding, ComponentStatus, ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolumeClaim, PersistentVolume, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, ServiceAccount, Service, APIService, ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet, EventsV1Event, SelfSubjectReview, TokenReview, LocalSubjectAccessReview, SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview, HorizontalPodAutoscaler, AutoscalingV1HorizontalPodAutoscaler, CronJob, Job, CertificateSigningRequest, IngressClass, Ingress, IPAddress, NetworkPolicy, ServiceCIDR, PodDisruptionBudget, ClusterRoleBinding, ClusterRole, RoleBinding, Role, CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttributesClass, MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingWebhookConfiguration, CustomResourceDefinition, PriorityClass, Lease, RuntimeClass, EndpointSlice, DeviceClass, ResourceV1ResourceClaim, ResourceClaimTemplate, ResourceSlice, FlowSchema, PriorityLevelConfiguration, NodeMetrics, PodMetrics } from '@wherry/kubeapi/objects';
import { resourceType } from '../objects/resource-type.ts';

/** Binding, v1, in a namespace. */
export const bindings = resourceType<Binding>('', 'v1', 'bindings');
/** ComponentStatus, v1, of the whole cluster. */
export const componentStatuses = resourceType<ComponentStatus>('', 'v1', 'componentstatuses');
/** ConfigMap, v1, in a namespace. */
export const configMaps = resourceType<ConfigMap>('', 'v1', 'configmaps');
/** Endpoints, v1, in a namespace. */
export const endpoints = resourceType<Endpoints>('', 'v1', 'endpoints');
/** Event, v1, in a namespace. */
export const events = resourceType<Event>('', 'v1', 'events');
/** LimitRange, v1, in a namespace. */
export const limitRanges = resourceType<LimitRange>('', 'v1', 'limitranges');
/** Namespace, v1, of the whole cluster. */
export const namespaces = resourceType<Namespace>('', 'v1', 'namespaces');
/** Node, v1, of the whole cluster. */
export const nodes = resourceType<Node>('', 'v1', 'nodes');
/** PersistentVolumeClaim, v1, in a namespace. */
export const persistentVolumeClaims = resourceType<PersistentVolumeClaim>('', 'v1', 'persistentvolumeclaims');
/** PersistentVolume, v1, of the whole cluster. */
export const persistentVolumes = resourceType<PersistentVolume>('', 'v1', 'persistentvolumes');
/** Pod, v1, in a namespace. */
export const pods = resourceType<Pod>('', 'v1', 'pods');
/** PodTemplate, v1, in a namespace. */
export const podTemplates = resourceType<PodTemplate>('', 'v1', 'podtemplates');
/** ReplicationController, v1, in a namespace. */
export const replicationControllers = resourceType<ReplicationController>('', 'v1', 'replicationcontrollers');
/** ResourceQuota, v1, in a namespace. */
export const resourceQuotas = resourceType<ResourceQuota>('', 'v1', 'resourcequotas');
/** Secret, v1, in a namespace. */
export const secrets = resourceType<Secret>('', 'v1', 'secrets');
/** ServiceAccount, v1, in a namespace. */
export const serviceAccounts = resourceType<ServiceAccount>('', 'v1', 'serviceaccounts');
/** Service, v1, in a namespace. */
export const services = resourceType<Service>('', 'v1', 'services');
/** APIService, apiregistration.k8s.io/v1, of the whole cluster. */
export const apiServices = resourceType<APIService>('apiregistration.k8s.io', 'v1', 'apiservices');
/** ControllerRevision, apps/v1, in a namespace. */
export const controllerRevisions = resourceType<ControllerRevision>('apps', 'v1', 'controllerrevisions');
/** DaemonSet, apps/v1, in a namespace. */
export const daemonSets = resourceType<DaemonSet>('apps', 'v1', 'daemonsets');
/** Deployment, apps/v1, in a namespace. */
export const deployments = resourceType<Deployment>('apps', 'v1', 'deployments');
/** ReplicaSet, apps/v1, in a namespace. */
export const replicaSets = resourceType<ReplicaSet>('apps', 'v1', 'replicasets');
/** StatefulSet, apps/v1, in a namespace. */
export const statefulSets = resourceType<StatefulSet>('apps', 'v1', 'statefulsets');
/** Event, events.k8s.io/v1, in a namespace. */
export const eventsV1Events = resourceType<EventsV1Event>('events.k8s.io', 'v1', 'events');
/** SelfSubjectReview, authentication.k8s.io/v1, of the whole cluster. */
export const selfSubjectReviews = resourceType<SelfSubjectReview>('authentication.k8s.io', 'v1', 'selfsubjectreviews');
/** TokenReview, authentication.k8s.io/v1, of the whole cluster. */
export const tokenReviews = resourceType<TokenReview>('authentication.k8s.io', 'v1', 'tokenreviews');
/** LocalSubjectAccessReview, authorization.k8s.io/v1, in a namespace. */
export const localSubjectAccessReviews = resourceType<LocalSubjectAccessReview>('authorization.k8s.io', 'v1', 'localsubjectaccessreviews');
/** SelfSubjectAccessReview, authorization.k8s.io/v1, of the whole cluster. */
export const selfSubjectAccessReviews = resourceType<SelfSubjectAccessReview>('authorization.k8s.io', 'v1', 'selfsubjectaccessreviews');
/** SelfSubjectRulesReview, authorization.k8s.io/v1, of the whole cluster. */
export const selfSubjectRulesReviews = resourceType<SelfSubjectRulesReview>('authorization.k8s.io', 'v1', 'selfsubjectrulesreviews');
/** SubjectAccessReview, authorization.k8s.io/v1, of the whole cluster. */
export const subjectAccessReviews = resourceType<SubjectAccessReview>('authorization.k8s.io', 'v1', 'subjectaccessreviews');
/** HorizontalPodAutoscaler, autoscaling/v2, in a namespace. */
export const horizontalPodAutoscalers = resourceType<HorizontalPodAutoscaler>('autoscaling', 'v2', 'horizontalpodautoscalers');
/** HorizontalPodAutoscaler, autoscaling/v1, in a namespace. */
export const autoscalingV1HorizontalPodAutoscalers = resourceType<AutoscalingV1HorizontalPodAutoscaler>('autoscaling', 'v1', 'horizontalpodautoscalers');
/** CronJob, batch/v1, in a namespace. */
export const cronJobs = resourceType<CronJob>('batch', 'v1', 'cronjobs');
/** Job, batch/v1, in a namespace. */
export const jobs = resourceType<Job>('batch', 'v1', 'jobs');
/** CertificateSigningRequest, certificates.k8s.io/v1, of the whole cluster. */
export const certificateSigningRequests = resourceType<CertificateSigningRequest>('certificates.k8s.io', 'v1', 'certificatesigningrequests');
/** IngressClass, networking.k8s.io/v1, of the whole cluster. */
export const ingressClasses = resourceType<IngressClass>('networking.k8s.io', 'v1', 'ingressclasses');
/** Ingress, networking.k8s.io/v1, in a namespace. */
export const ingresses = resourceType<Ingress>('networking.k8s.io', 'v1', 'ingresses');
/** IPAddress, networking.k8s.io/v1, of the whole cluster. */
export const ipAddresses = resourceType<IPAddress>('networking.k8s.io', 'v1', 'ipaddresses');
/** NetworkPolicy, networking.k8s.io/v1, in a namespace. */
export const networkPolicies = resourceType<NetworkPolicy>('networking.k8s.io', 'v1', 'networkpolicies');
/** ServiceCIDR, networking.k8s.io/v1, of the whole cluster. */
export const serviceCIDRs = resourceType<ServiceCIDR>('networking.k8s.io', 'v1', 'servicecidrs');
/** PodDisruptionBudget, policy/v1, in a namespace. */
export const podDisruptionBudgets = resourceType<PodDisruptionBudget>('policy', 'v1', 'poddisruptionbudgets');
/** ClusterRoleBinding, rbac.authorization.k8s.io/v1, of the whole cluster. */
export const clusterRoleBindings = resourceType<ClusterRoleBinding>('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings');
/** ClusterRole, rbac.authorization.k8s.io/v1, of the whole cluster. */
export const clusterRoles = resourceType<ClusterRole>('rbac.authorization.k8s.io', 'v1', 'clusterroles');
/** RoleBinding, rbac.authorization.k8s.io/v1, in a namespace. */
export const roleBindings = resourceType<RoleBinding>('rbac.authorization.k8s.io', 'v1', 'rolebindings');
/** Role, rbac.authorization.k8s.io/v1, in a namespace. */
export const roles = resourceType<Role>('rbac.authorization.k8s.io', 'v1', 'roles');
/** CSIDriver, storage.k8s.io/v1, of the whole cluster. */
export const csiDrivers = resourceType<CSIDriver>('storage.k8s.io', 'v1', 'csidrivers');
/** CSINode, storage.k8s.io/v1, of the whole cluster. */
export const csiNodes = resourceType<CSINode>('storage.k8s.io', 'v1', 'csinodes');
/** CSIStorageCapacity, storage.k8s.io/v1, in a namespace. */
export const csiStorageCapacities = resourceType<CSIStorageCapacity>('storage.k8s.io', 'v1', 'csistoragecapacities');
/** StorageClass, storage.k8s.io/v1, of the whole cluster. */
export const storageClasses = resourceType<StorageClass>('storage.k8s.io', 'v1', 'storageclasses');
/** VolumeAttachment, storage.k8s.io/v1, of the whole cluster. */
export const volumeAttachments = resourceType<VolumeAttachment>('storage.k8s.io', 'v1', 'volumeattachments');
/** VolumeAttributesClass, storage.k8s.io/v1, of the whole cluster. */
export const volumeAttributesClasses = resourceType<VolumeAttributesClass>('storage.k8s.io', 'v1', 'volumeattributesclasses');
/** MutatingAdmissionPolicy, admissionregistration.k8s.io/v1, of the whole cluster. */
export const mutatingAdmissionPolicies = resourceType<MutatingAdmissionPolicy>('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies');
/** MutatingAdmissionPolicyBinding, admissionregistration.k8s.io/v1, of the whole cluster. */
export const mutatingAdmissionPolicyBindings = resourceType<MutatingAdmissionPolicyBinding>('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicybindings');
/** MutatingWebhookConfiguration, admissionregistration.k8s.io/v1, of the whole cluster. */
export const mutatingWebhookConfigurations = resourceType<MutatingWebhookConfiguration>('admissionregistration.k8s.io', 'v1', 'mutatingwebhookconfigurations');
/** ValidatingAdmissionPolicy, admissionregistration.k8s.io/v1, of the whole cluster. */
export const validatingAdmissionPolicies = resourceType<ValidatingAdmissionPolicy>('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicies');
/** ValidatingAdmissionPolicyBinding, admissionregistration.k8s.io/v1, of the whole cluster. */
export const validatingAdmissionPolicyBindings = resourceType<ValidatingAdmissionPolicyBinding>('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicybindings');
/** ValidatingWebhookConfiguration, admissionregistration.k8s.io/v1, of the whole cluster. */
export const validatingWebhookConfigurations = resourceType<ValidatingWebhookConfiguration>('admissionregistration.k8s.io', 'v1', 'validatingwebhookconfigurations');
/** CustomResourceDefinition, apiextensions.k8s.io/v1, of the whole cluster. */
export const customResourceDefinitions = resourceType<CustomResourceDefinition>('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
/** PriorityClass, scheduling.k8s.io/v1, of the whole cluster. */
export const priorityClasses = resourceType<PriorityClass>('scheduling.k8s.io', 'v1', 'priorityclasses');
/** Lease, coordination.k8s.io/v1, in a namespace. */
export const leases = resourceType<Lease>('coordination.k8s.io', 'v1', 'leases');
/** RuntimeClass, node.k8s.io/v1, of the whole cluster. */
export const runtimeClasses = resourceType<RuntimeClass>('node.k8s.io', 'v1', 'runtimeclasses');
/** EndpointSlice, discovery.k8s.io/v1, in a namespace. */
export const endpointSlices = resourceType<EndpointSlice>('discovery.k8s.io', 'v1', 'endpointslices');
/** DeviceClass, resource.k8s.io/v1, of the whole cluster. */
export const deviceClasses = resourceType<DeviceClass>('resource.k8s.io', 'v1', 'deviceclasses');
/** ResourceClaim, resource.k8s.io/v1, in a namespace. */
export const resourceClaims = resourceType<ResourceV1ResourceClaim>('resource.k8s.io', 'v1', 'resourceclaims');
/** ResourceClaimTemplate, resource.k8s.io/v1, in a namespace. */
export const resourceClaimTemplates = resourceType<ResourceClaimTemplate>('resource.k8s.io', 'v1', 'resourceclaimtemplates');
/** ResourceSlice, resource.k8s.io/v1, of the whole cluster. */
export const resourceSlices = resourceType<ResourceSlice>('resource.k8s.io', 'v1', 'resourceslices');
/** FlowSchema, flowcontrol.apiserver.k8s.io/v1, of the whole cluster. */
export const flowSchemas = resourceType<FlowSchema>('flowcontrol.apiserver.k8s.io', 'v1', 'flowschemas');
/** PriorityLevelConfiguration, flowcontrol.apiserver.k8s.io/v1, of the whole cluster. */
export const priorityLevelConfigurations = resourceType<PriorityLevelConfiguration>('flowcontrol.apiserver.k8s.io', 'v1', 'prioritylevelconfigurations');
/** NodeMetrics, metrics.k8s.io/v1beta1, of the whole cluster. */
export const nodeMetrics = resourceType<NodeMetrics>('metrics.k8s.io', 'v1beta1', 'nodes');
/** PodMetrics, metrics.k8s.io/v1beta1, in a namespace. */
export const podMetrics = resourceType<PodMetrics>('metrics.k8s.io', 'v1beta1', 'pods');

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
