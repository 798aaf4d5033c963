import { nodeNameProblem } from '@wherry/node/layout';
import type { Place } from './place.ts';
import { readSharedFields, type SharedFields, sharedFields } from './shared-fields.ts';

/** A further node of the cluster that a node serves. What it does not say of its own is as the first node has it. */
export interface MemberFile extends SharedFields {
  name: string;
  kubeletPort?: number | undefined;
}

const portMax = 65_535;

/** What a further node has from the first, or from its name. */
const refused: Record<string, string> = {
  dataDir: 'it lives in nodes/NAME of the folder of the first node',
  role: 'the document is the node with the API server, and these are the others',
  loadBalancer: 'it is about the cluster, and stands in the document',
  runtimeConfig: 'it is about the API server, and stands in the document',
  oidc: 'it is about the API server, and stands in the document',
  apiserverFlags: 'it is about the API server, and stands in the document',
  controllersFlags: 'it is about the cluster, and stands in the document',
  manifests: 'objects are the cluster’s, and stand in the document',
  cni: 'nodes of one machine on CNI networks have the same address, and one DNS server fits on that',
};

/** Reads the field `nodes` of a document. Throws `CommandError` with file and line for what is wrong. */
export function readMembers(
  nodes: Place | undefined,
  { folder, first }: { folder: string; first: SharedFields & { name?: string | undefined } },
): MemberFile[] {
  const taken = new Set<string>(first.name === undefined ? [] : [first.name]);
  return (nodes?.list() ?? []).map((place) => {
    const fields = place.fields(['name', 'ports', ...sharedFields], refused);
    const name = fields.get('name')?.text(nodeNameProblem);
    if (name === undefined) throw place.wrong('name is not set; each node of a cluster has one of its own');
    if (taken.has(name)) throw place.wrong(`two nodes of the cluster are called "${name}"`);
    taken.add(name);
    const own = readSharedFields(fields, folder);
    const saysRegistries = own.registryConfig !== undefined || own.mirrors !== undefined;
    const ports = fields
      .get('ports')
      ?.fields(['kubelet'], { api: 'the API server is that of the first node' });
    return {
      name,
      kubeletPort: ports?.get('kubelet')?.whole(portMax),
      registryConfig: saysRegistries ? own.registryConfig : first.registryConfig,
      mirrors: saysRegistries ? own.mirrors : first.mirrors,
      runtimeHandlers: own.runtimeHandlers ?? first.runtimeHandlers,
      // Two runtimes can't listen at one socket.
      nriSocket: own.nriSocket,
      restoreCheckpointImages: own.restoreCheckpointImages ?? first.restoreCheckpointImages,
      proxy: own.proxy ?? first.proxy,
      tracing: own.tracing ?? first.tracing,
      kubelet: first.kubelet || own.kubelet ? { ...first.kubelet, ...own.kubelet } : undefined,
      images: [...first.images, ...own.images],
    };
  });
}
