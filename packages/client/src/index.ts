export { UpgradeError } from '@wherry/upgrade';
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
export * from './core/index.ts';
export { checkPluginPolicy, type PluginPolicy } from './exec-plugin/plugin-policy.ts';
export type { ForwardListener, ListenerEvents, OpenListener, PortDialer } from './forward/listener.ts';
export { openListener } from './forward/listener.ts';
export { forLogs } from './forward/pod-order.ts';
export type { PortForward, PortForwardOptions } from './forward/port-forward.ts';
export { portForward } from './forward/port-forward.ts';
export type { ForwardPort } from './forward/ports.ts';
export { parseForwardPort } from './forward/ports.ts';
export type { ForwardKind, ForwardTarget, ResolvedTarget, TargetPods } from './forward/target.ts';
export { findTargetPods, resolveTarget } from './forward/target.ts';
export type { PassedExchange, PassedOutcome } from './gateway/pass-request.ts';
export type { Exchange, ReadAnswer, SentRequest } from './http/requests.ts';
export type { KubeClientOptions } from './kube-client/kube-client.ts';
export { createKubeClient, KubeClient } from './kube-client/kube-client.ts';
export { proxyFromEnvironment } from './proxy/proxy-from-environment.ts';
export type { AttachOptions, ExecOptions, SessionStreams } from './streaming/run.ts';
export { attach, exec, joinSession } from './streaming/run.ts';
export type { ClusterAccess, HeaderFields, TlsMaterial } from './transport/cluster-access.ts';
export type { ClientCertificate, CredentialSource, Credentials } from './transport/credentials.ts';
export type { PassedRequest, PassedUpgrade } from './transport/passed-request.ts';
