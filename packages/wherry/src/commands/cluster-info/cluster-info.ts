import { kinds } from '@wherry/client';
import { ownValue, type Service } from '@wherry/kubeapi';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';

/** Prints where the API server is, and the services that are labelled as the cluster's own. */
export async function clusterInfo(flags: KubeFlags): Promise<void> {
  const client = clientFor(flags);
  const host = client.access.server.href.replace(/\/$/, '');
  try {
    const { items } = await client.resource(kinds.services).listAll({
      namespace: flags.namespace ?? 'kube-system',
      labelSelector: 'kubernetes.io/cluster-service=true',
    });
    console.log(`Kubernetes control plane is running at ${host}`);
    for (const service of items) console.log(`${nameOf(service)} is running at ${addressOf(service, host)}`);
  } finally {
    console.log("\nTo further debug and diagnose cluster problems, use 'wherry cluster-info dump'.");
  }
}

const nameOf = ({ metadata }: Service): string =>
  ownValue(metadata.labels ?? {}, 'kubernetes.io/name') || (metadata.name ?? '');

/** The addresses of its load balancer, or its place behind the API server. */
function addressOf({ metadata, spec, status }: Service, host: string): string {
  const { name = '', namespace } = metadata;
  const ports = spec?.ports ?? [];
  const [balancer] = status?.loadBalancer?.ingress ?? [];
  if (balancer)
    return ports.map(({ port }) => `http://${balancer.ip || balancer.hostname}:${port}`).join(' ');
  const [first] = ports;
  return `${host}/api/v1/namespaces/${namespace}/services/${first ? proxied(name, first) : name}/proxy`;
}

/** `https:NAME:PORT`, as the server's proxy takes it. */
function proxied(service: string, { name = '', port }: { name?: string; port: number }): string {
  if (name === 'https' || port === 443) return `https:${service}:${name}`;
  return name === '' ? service : `${service}:${name}`;
}
