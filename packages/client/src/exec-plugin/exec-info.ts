import type { KubeconfigCluster } from '../config/kubeconfig.ts';

/** Name of the cluster extension whose content is handed to plugins. */
const configExtension = 'client.authentication.k8s.io/exec';

/** What is said about the cluster to a plugin that asks for it. */
export interface ExecClusterOptions {
  cluster: KubeconfigCluster;
  server: URL;
  /** PEM. */
  ca: Buffer | undefined;
}

/** `spec.cluster` of the `ExecCredential` in `KUBERNETES_EXEC_INFO`. */
export function execCluster({ cluster, server, ca }: ExecClusterOptions): Record<string, unknown> {
  const config = cluster.extensions?.find(({ name }) => name === configExtension)?.extension;
  const wanted = {
    server: cluster.server ?? server.href,
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'] || undefined,
    'certificate-authority-data': ca?.toString('base64'),
    'proxy-url': cluster['proxy-url'],
    'disable-compression': cluster['disable-compression'] || undefined,
    config: config ?? null,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** Value of `KUBERNETES_EXEC_INFO`. */
export function execInfo(
  apiVersion: string,
  interactive: boolean,
  cluster: Record<string, unknown> | undefined,
): string {
  const spec = { ...(cluster ? { cluster } : {}), interactive };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}
