import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ApiAccess } from '../../bench/api-access.ts';
import type { Finished } from '../../e2e/command.ts';
import { type NodeOfParts, type Parts, startNodeOfParts } from '../e2e/nodes/node-of-parts.ts';
import { clusterOf } from '../peers/cluster.ts';

/** A node that plays stories. */
export interface Side {
  api: ApiAccess;
  kubeconfig: string;
  /** Folder of static pods. */
  manifests: string;
  kubectl(words: readonly string[]): Promise<Finished>;
  close(): Promise<void>;
}

/** Starts a node of these parts below our API server, controllers and scheduler, for stories. */
export async function startSide(parts: Parts, folder: string, registryConfig: string): Promise<Side> {
  const manifests = join(folder, 'manifests');
  mkdirSync(manifests);
  const node: NodeOfParts = await startNodeOfParts(
    parts,
    { folder, registryConfig },
    {
      configuration: { ...configuration, staticPodPath: manifests, fileCheckFrequency: '1s' },
      ...{ cgroupRoot: `/stories-${parts.kubelet}-${process.pid}` },
    },
  );
  const api = new ApiAccess(node.kubeconfig);
  const cluster = clusterOf(() => ({ KUBECONFIG: node.kubeconfig, HOME: folder }));
  await api.request('POST', '/api/v1/namespaces/default/services', service);
  return {
    api,
    kubeconfig: node.kubeconfig,
    manifests,
    kubectl: (words) => cluster.kubectl(words),
    async close() {
      api.close();
      await node.close();
    },
  };
}

const configuration = {
  // As `wherry up` has it: containers of both sides are kept from the same calls.
  seccompDefault: true,
};

/** A service that pods have variables of. */
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'db-main' },
  spec: {
    clusterIP: '10.96.0.77',
    ports: [
      { name: 'sql', port: 5432 },
      { name: 'ad-min', port: 80, protocol: 'UDP' },
    ],
  },
};
