/** Tables: lists as kubectl prints them, made on the server. */
import type { GroupVersionKind, ListMeta, ObjectMeta, Table, TableRow } from '../generated/types.ts';
import { type JsonObject, ownValue } from '../json-value.ts';
import * as cluster from './cluster.ts';
import * as networking from './networking.ts';
import { podPrinter } from './pod.ts';
import { column, nameColumn, type Printer } from './printer.ts';
import * as services from './services.ts';
import * as storage from './storage.ts';
import * as workloads from './workloads.ts';

/** What goes into the rows beside the cells (`?includeObject=`). */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Options of {@link tableFor}. */
export interface TableOptions {
  /** Kind of the objects, not of the list. */
  gvk: GroupVersionKind;
  objects: readonly object[];
  /** Ages are counted up to here, in milliseconds since 1970. */
  nowMs: number;
  /** Default Metadata. */
  includeObject?: IncludeObject;
  /** Metadata of the list: resourceVersion, continue, remainingItemCount. */
  listMetadata?: ListMeta;
  /** False for the later events of a watch, which repeat no columns. Default true. */
  withColumns?: boolean;
  /** What the client asked for by `as=Table;v=…`. Default v1. */
  version?: 'v1' | 'v1beta1';
}

const printers: Readonly<Record<string, Printer<never>>> = {
  '/Pod': podPrinter,
  '/Node': cluster.nodePrinter,
  '/Namespace': cluster.namespacePrinter,
  '/Event': cluster.eventPrinter,
  'events.k8s.io/Event': cluster.newEventPrinter,
  '/ResourceQuota': cluster.resourceQuotaPrinter,
  '/ServiceAccount': cluster.serviceAccountPrinter,
  '/Service': services.servicePrinter,
  '/Endpoints': services.endpointsPrinter,
  '/ConfigMap': services.configMapPrinter,
  '/Secret': services.secretPrinter,
  '/PersistentVolume': storage.persistentVolumePrinter,
  '/PersistentVolumeClaim': storage.persistentVolumeClaimPrinter,
  '/ReplicationController': workloads.replicationControllerPrinter,
  'apps/Deployment': workloads.deploymentPrinter,
  'apps/ReplicaSet': workloads.replicaSetPrinter,
  'apps/StatefulSet': workloads.statefulSetPrinter,
  'apps/DaemonSet': workloads.daemonSetPrinter,
  'batch/Job': workloads.jobPrinter,
  'batch/CronJob': workloads.cronJobPrinter,
  'policy/PodDisruptionBudget': workloads.disruptionBudgetPrinter,
  'coordination.k8s.io/Lease': cluster.leasePrinter,
  'discovery.k8s.io/EndpointSlice': services.endpointSlicePrinter,
  'storage.k8s.io/StorageClass': storage.storageClassPrinter,
  'storage.k8s.io/CSINode': storage.csiNodePrinter,
  'storage.k8s.io/CSIDriver': storage.csiDriverPrinter,
  'storage.k8s.io/VolumeAttachment': storage.volumeAttachmentPrinter,
  'networking.k8s.io/Ingress': networking.ingressPrinter,
  'networking.k8s.io/IngressClass': networking.ingressClassPrinter,
  'networking.k8s.io/NetworkPolicy': networking.networkPolicyPrinter,
  'node.k8s.io/RuntimeClass': cluster.runtimeClassPrinter,
  'scheduling.k8s.io/PriorityClass': cluster.priorityClassPrinter,
  'rbac.authorization.k8s.io/RoleBinding': cluster.roleBindingPrinter,
  'rbac.authorization.k8s.io/ClusterRoleBinding': cluster.roleBindingPrinter,
  'certificates.k8s.io/CertificateSigningRequest': cluster.signingRequestPrinter,
};

/** What kinds without a printer of their own show. */
const plainPrinter: Printer<{ metadata?: ObjectMeta }> = {
  columns: [nameColumn, { ...column('Created At'), type: 'date' }],
  cells: ({ metadata }) => [metadata?.name ?? '', metadata?.creationTimestamp ?? ''],
};

/** The table of some objects, which must be in the schema's form. */
export function tableFor(options: TableOptions): Table {
  const { gvk, listMetadata = {}, version = 'v1', withColumns = true } = options;
  const printer: Printer<never> = ownValue(printers, `${gvk.group}/${gvk.kind}`) ?? plainPrinter;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata,
    columnDefinitions: withColumns ? printer.columns : [],
    rows: options.objects.map((object) => rowFor(object as never, printer, options)),
  };
}

function rowFor(object: never, printer: Printer<never>, options: TableOptions): TableRow {
  const conditions = printer.conditions?.(object) ?? [];
  const shown = shownObject(object, options);
  return {
    cells: printer.cells(object, options.nowMs),
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(shown ? { object: shown } : {}),
  };
}

function shownObject(object: JsonObject, options: TableOptions): JsonObject | undefined {
  const { includeObject = 'Metadata', version = 'v1' } = options;
  if (includeObject === 'None') return undefined;
  if (includeObject === 'Object') return object;
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object['metadata'] ?? {},
  };
}
