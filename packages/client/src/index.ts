export { type Status, StatusError } from '@wherry/kubeapi';
export { RemoteCommandError } from '@wherry/remotecommand';
export { accessFrom, loadClusterAccess } from './access/access-from.ts';
export type { AccessOptions, Impersonation } from './access/access-options.ts';
export { inClusterAccess } from './access/in-cluster.ts';
export { TokenFile } from './access/token-file.ts';
export type {
  ExecConfig,
  ExecInteractiveMode,
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigExtension,
  KubeconfigUser,
} from './config/kubeconfig.ts';
export { kubeconfigPaths, loadKubeconfig } from './config/load-kubeconfig.ts';
export { parseKubeconfig } from './config/parse-kubeconfig.ts';
export { copyFromPod } from './copy/copy-from-pod.ts';
export type { CopySpec } from './copy/copy-spec.ts';
export { parseCopySpec } from './copy/copy-spec.ts';
export type { CopyOptions, CopyProgress, CopyResult } from './copy/copy-to-pod.ts';
export { copyToPod } from './copy/copy-to-pod.ts';
export type { ClientErrorCode } from './errors.ts';
export { ClientError } from './errors.ts';
export type { ForwardListener, ListenerEvents, OpenListener, PortDialer } from './forward/listener.ts';
export { openListener } from './forward/listener.ts';
export type { PortForward, PortForwardOptions } from './forward/port-forward.ts';
export { portForward } from './forward/port-forward.ts';
export type { ForwardPort } from './forward/ports.ts';
export { parseForwardPort } from './forward/ports.ts';
export type { ForwardKind, ForwardTarget, ResolvedTarget, TargetPods } from './forward/target.ts';
export { findTargetPods, resolveTarget } from './forward/target.ts';
export type { ClusterAccess, HeaderFields, TlsMaterial } from './http/cluster-access.ts';
export type { ClientCertificate, CredentialSource, Credentials } from './http/credentials.ts';
export type { HttpRequest } from './http/transport.ts';
export type { StreamTransport } from './http/upgrade.ts';
export { limits } from './limits.ts';
export { proxyFromEnvironment } from './proxy/proxy-from-environment.ts';
export type { DiscoveredResource, Discovery } from './resources/discovery.ts';
export { discoverResources } from './resources/discovery.ts';
export type { InformerHandlers, InformerOptions } from './resources/informer.ts';
export { Informer, keyOf } from './resources/informer.ts';
export * as kinds from './resources/kinds.ts';
export type { KubeClientOptions } from './resources/kube-client.ts';
export { createKubeClient, KubeClient } from './resources/kube-client.ts';
export type { KubeList, KubeObject, ResourceType } from './resources/objects.ts';
export type { PathParts, Query } from './resources/paths.ts';
export { queryString, resourcePath } from './resources/paths.ts';
export type {
  DeleteOptions,
  ListOptions,
  ObjectKey,
  PatchOptions,
  PatchType,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from './resources/resource-client.ts';
export { ResourceClient } from './resources/resource-client.ts';
export type { WatchEvent } from './resources/watch.ts';
export type { Captured, CaptureInput, CaptureOptions } from './streaming/capture.ts';
export { captureExec } from './streaming/capture.ts';
export type { LogOptions } from './streaming/logs.ts';
export { logs } from './streaming/logs.ts';
export type { AttachOptions, ExecOptions, SessionStreams } from './streaming/run.ts';
export { attach, exec, joinSession } from './streaming/run.ts';
export type {
  ContainerTarget,
  OpenSessionOptions,
  RemoteCommandConnection,
  SessionOptions,
  TerminalSize,
} from './streaming/session.ts';
export { openAttach, openExec } from './streaming/session.ts';
