export type { AccessOptions, ClusterAccess, TlsMaterial } from './cluster-access.ts';
export { accessFrom, loadClusterAccess } from './cluster-access.ts';
export type { ClientErrorCode } from './errors.ts';
export { ClientError } from './errors.ts';
export type { InformerHandlers, InformerOptions } from './informer.ts';
export { Informer, keyOf } from './informer.ts';
export * as kinds from './kinds.ts';
export type { KubeClientOptions } from './kube-client.ts';
export { createKubeClient, KubeClient } from './kube-client.ts';
export type { Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from './kubeconfig.ts';
export { kubeconfigPaths, loadKubeconfig, parseKubeconfig } from './kubeconfig.ts';
export { limits } from './limits.ts';
export type { KubeList, KubeObject, ResourceType } from './objects.ts';
export type { PathParts, Query } from './paths.ts';
export { queryString, resourcePath } from './paths.ts';
export type {
  DeleteOptions,
  ListOptions,
  ObjectKey,
  PatchOptions,
  PatchType,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from './resource-client.ts';
export { ResourceClient } from './resource-client.ts';
export type { HttpRequest } from './transport.ts';
export type { WatchEvent } from './watch.ts';
