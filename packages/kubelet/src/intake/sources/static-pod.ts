import {
  applyDefaults,
  ConformError,
  conform,
  goYaml,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  joinFieldErrors,
  type Pod,
  type PodSpec,
  schemaOfKind,
  type Toleration,
  validateCreate,
} from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';
import { parseAllDocuments } from 'yaml';
import { type AssignedPod, assignedPod } from '../../pod/assigned-pod.ts';
import { apiReferences } from './api-references.ts';

/** Where a manifest comes from and on which node it is. */
export interface ManifestOrigin {
  /** Its path or URL, as messages have it. */
  name: string;
  /** What of its origin goes into the UIDs of its pods. */
  identity: string;
  nodeName: string;
  /** Keeps its pods through taints that end others. */
  toleratesNoExecute: boolean;
}

const fnvOffset128 = 0x6c62272e07bb014262b821756295c58dn;
const fnvPrime128 = 0x0000000001000000000000000000013bn;
const mask128 = (1n << 128n) - 1n;
const podKind = { group: '', version: 'v1', kind: 'Pod' };

/** Folders and control groups are named after UIDs. */
const usableUid = /^[A-Za-z0-9_-]{1,128}$/;

/** FNV-1a with 128 bits, as 32 hex digits. */
function fnv1a128(text: string): string {
  let hash = fnvOffset128;
  for (const byte of Buffer.from(text, 'utf8')) hash = ((hash ^ BigInt(byte)) * fnvPrime128) & mask128;
  return hash.toString(16).padStart(32, '0');
}

/** As for Go's library, of two keys of one name the last counts. */
const lastKeyCounts = { ...goYaml, uniqueKeys: false };

/** The one document of a manifest. Throws on none, several, or a broken one. */
export function manifestDocument(source: string, name: string): JsonValue {
  const [document, ...others] = parseAllDocuments(source, lastKeyCounts).filter(
    (one) => one.contents !== null,
  );
  if (!document || others.length > 0)
    throw new Error(
      `manifest "${name}" must hold one document, not ${others.length + (document ? 1 : 0)} documents`,
    );
  if (document.errors[0]) throw new Error(`manifest "${name}": ${document.errors[0].message}`);
  return document.toJS() as JsonValue;
}

/**
 * The static pod of a manifest, with the name, UID and annotations a kubelet gives it. It is held to the rules that an API
 * server has for pods. Throws on what can't be one, with all that is wrong.
 */
export function staticPod(manifest: JsonValue, origin: ManifestOrigin): AssignedPod {
  const { name: place } = origin;
  if (!isJsonObject(manifest) || manifest['kind'] !== 'Pod')
    throw new Error(`manifest "${place}" holds a ${kindOf(manifest)}, not a Pod`);
  const { metadata = {}, spec } = conformed(manifest, place);
  if (!spec || !metadata.name) throw new Error(`manifest "${place}" lacks metadata.name or spec`);
  const uid = metadata.uid || fnv1a128(`${JSON.stringify(manifest)}${origin.identity}`);
  if (!usableUid.test(uid))
    throw new Error(
      `manifest "${place}": metadata.uid: "${uid}" is not made of letters, digits, "-" and "_"`,
    );
  const tolerations = origin.toleratesNoExecute ? toleratingNoExecute(spec) : (spec.tolerations ?? []);
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
    spec: { ...spec, nodeName: origin.nodeName, ...(tolerations.length > 0 ? { tolerations } : {}) },
    status: { phase: 'Pending' },
  };
  return checked(withDefaults(pod), place);
}

/** The pod's tolerations with that of every NoExecute taint, once and for good: in place of one that ends some time. */
function toleratingNoExecute({ tolerations = [] }: PodSpec): Toleration[] {
  const isOfAll = ({ key, value, operator, effect }: Toleration) =>
    !key && !value && operator === 'Exists' && effect === 'NoExecute';
  return [...tolerations.filter((one) => !isOfAll(one)), { operator: 'Exists', effect: 'NoExecute' }];
}

const kindOf = (manifest: JsonValue) => {
  const kind = isJsonObject(manifest) ? manifest['kind'] : undefined;
  return typeof kind === 'string' && kind !== '' ? kind : 'nameless kind';
};

function checked(pod: Pod, place: string): AssignedPod {
  const violations = validateCreate(podKind, pod);
  if (violations.length > 0) throw new Error(`manifest "${place}": ${joinFieldErrors(violations)}`);
  const references = apiReferences(pod.spec);
  if (references.length > 0) {
    const list = references.join(', ');
    throw new Error(`manifest "${place}": a static pod may not reference API objects (${list})`);
  }
  return assignedPod(pod);
}

function podSchema() {
  const schema = schemaOfKind(podKind);
  if (!schema) throw new Error('the schema does not know pods');
  return schema;
}

/** The manifest in the API's form: of the right types, without what the API does not know. */
function conformed(manifest: JsonObject, place: string): Partial<Pod> {
  try {
    return conform(manifest, podSchema()).object as unknown as Partial<Pod>;
  } catch (error) {
    if (!(error instanceof ConformError)) throw error;
    throw new Error(`manifest "${place}": ${error.message}`, { cause: error });
  }
}

/** The pod with what the API server would have filled in. */
function withDefaults(pod: Pod): Pod {
  const object = structuredClone(pod) as unknown as JsonObject;
  applyDefaults(object, podSchema());
  return object as unknown as Pod;
}
