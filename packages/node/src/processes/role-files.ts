import { join } from 'node:path';
import type { NodeLayout } from '../layout/layout.ts';

/** Paths of the files that the kubelet starts from. */
export function kubeletFiles(layout: NodeLayout) {
  const folder = layout.roleDir('kubelet');
  return {
    configuration: join(folder, 'config.yaml'),
    kubeconfig: join(folder, 'kubeconfig'),
    manifests: join(folder, 'manifests'),
    podLogs: join(folder, 'pod-logs'),
  };
}

/** Where the processes of a node send their spans, if they do. */
export const tracingFile = (layout: NodeLayout): string => join(layout.dataDir, 'tracing.yaml');

/** The kubeconfig of the user that the network's process acts as. */
export const networkKubeconfig = (layout: NodeLayout): string =>
  join(layout.roleDir('network'), 'kubeconfig');

/** The kubeconfigs of the two users that the controllers' process acts as. */
export function controllersFiles(layout: NodeLayout) {
  const folder = layout.roleDir('controllers');
  return {
    kubeconfig: join(folder, 'controller-manager.kubeconfig'),
    schedulerKubeconfig: join(folder, 'scheduler.kubeconfig'),
  };
}
