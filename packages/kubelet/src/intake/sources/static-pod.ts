import { applyDefaults, conform, type Pod, schemaOfKind } from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';
import { parseAllDocuments } from 'yaml';
import { type AssignedPod, assignedPod } from '../../pod/assigned-pod.ts';
import { apiReferences } from './api-references.ts';

/** Where a manifest lies and on which node. */
export interface ManifestOrigin {
  path: string;
  nodeName: string;
  hostname: string;
}

const fnvOffset128 = 0x6c62272e07bb014262b821756295c58dn;
const fnvPrime128 = 0x0000000001000000000000000000013bn;
const mask128 = (1n << 128n) - 1n;

/** FNV-1a with 128 bits, as 32 hex digits. */
function fnv1a128(text: string): string {
  let hash = fnvOffset128;
  for (const byte of Buffer.from(text, 'utf8')) hash = ((hash ^ BigInt(byte)) * fnvPrime128) & mask128;
  return hash.toString(16).padStart(32, '0');
}

/** The static pod of a manifest, with the name, UID and annotations a kubelet gives it. Throws on what can't be one. */
export function staticPod(source: string, origin: ManifestOrigin): AssignedPod {
  const [document, ...others] = parseAllDocuments(source).filter((one) => one.contents !== null);
  if (!document || others.length > 0)
    throw new Error(
      `manifest "${origin.path}" must hold one Pod, not ${others.length + (document ? 1 : 0)} documents`,
    );
  if (document.errors[0]) throw new Error(`manifest "${origin.path}": ${document.errors[0].message}`);
  const manifest = document.toJS() as Partial<Pod> & { kind?: string };
  if (manifest.kind !== 'Pod')
    throw new Error(`manifest "${origin.path}" holds a ${manifest.kind ?? 'nameless kind'}, not a Pod`);
  const { metadata = {}, spec } = manifest;
  if (!spec || !metadata.name) throw new Error(`manifest "${origin.path}" lacks metadata.name or spec`);
  const uid =
    metadata.uid || fnv1a128(`${JSON.stringify(manifest)}host:${origin.hostname}file:${origin.path}`);
  const references = apiReferences(spec);
  if (references.length > 0) {
    const list = references.join(', ');
    throw new Error(`manifest "${origin.path}": a static pod may not reference API objects (${list})`);
  }
  const tolerations = [
    ...(spec.tolerations ?? []),
    { operator: 'Exists' as const, effect: 'NoExecute' as const },
  ];
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      name: `${metadata.name}-${origin.nodeName.toLowerCase()}`,
      namespace: metadata.namespace || 'default',
      uid,
      annotations: { ...metadata.annotations, [podAnnotations.hash]: uid },
    },
    spec: { ...spec, nodeName: origin.nodeName, tolerations },
    status: { phase: 'Pending' },
  };
  return assignedPod(withDefaults(pod));
}

/** The pod in the API's form, with what the API server would have filled in. */
function withDefaults(pod: Pod): Pod {
  const schema = schemaOfKind({ group: '', version: 'v1', kind: 'Pod' });
  if (!schema) throw new Error('the schema does not know pods');
  const { object } = conform(pod as never, schema);
  applyDefaults(object, schema);
  return object as unknown as Pod;
}
