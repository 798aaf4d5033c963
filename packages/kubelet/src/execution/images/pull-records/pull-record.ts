/** What is remembered of an image that this kubelet pulled, in upstream's form, so that either kubelet can go on with it. */

/** A secret whose login pulled an image. */
export interface PullSecret {
  uid: string;
  namespace: string;
  name: string;
  /** SHA-256 of the login, in hexadecimal. */
  credentialHash: string;
}

/** A service account whose token a plug-in turned into a login. */
export type PullServiceAccount = Omit<PullSecret, 'credentialHash'>;

/** By what an image came: one of the three. */
export interface PullCredentials {
  kubernetesSecrets?: readonly PullSecret[];
  kubernetesServiceAccounts?: readonly PullServiceAccount[];
  /** The node's own login, or none at all: every pod may use it. */
  nodePodsAccessible?: boolean;
}

/** `ImagePulledRecord` of kubelet.config.k8s.io. */
export interface PulledRecord {
  /** RFC 3339. */
  lastUpdatedTime: string;
  /** The runtime's name of the image. */
  imageRef: string;
  /** By names of the image without tag and digest. */
  credentialMapping: ReadonlyMap<string, PullCredentials>;
}

/** The name of an image without its tag and digest. */
export function withoutVersion(image: string): string {
  return image.replace(/@[^@/]*$/, '').replace(/:[^/:]*$/, '');
}

/** The record with one more way to come by the image; the same one when it says nothing new. */
export function withCredentials(
  record: PulledRecord,
  image: string,
  credentials: PullCredentials | undefined,
  nowMs: number,
): PulledRecord {
  if (!credentials) return record;
  const known = record.credentialMapping.get(image);
  const merged = known ? merge(known, credentials) : credentials;
  if (merged === known) return record;
  const credentialMapping = new Map([...record.credentialMapping, [image, merged]]);
  return { ...record, credentialMapping, lastUpdatedTime: timeOf(nowMs) };
}

/** Time as upstream writes it: whole seconds. */
export const timeOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function merge(known: PullCredentials, added: PullCredentials): PullCredentials {
  if (known.nodePodsAccessible) return known;
  if (added.nodePodsAccessible) return { nodePodsAccessible: true };
  const secrets = union(known.kubernetesSecrets, added.kubernetesSecrets, hashOf);
  const accounts = union(known.kubernetesServiceAccounts, added.kubernetesServiceAccounts, () => '');
  if (secrets === known.kubernetesSecrets && accounts === known.kubernetesServiceAccounts) return known;
  return {
    ...(secrets && { kubernetesSecrets: secrets }),
    ...(accounts && { kubernetesServiceAccounts: accounts }),
  };
}

const hashOf = ({ credentialHash }: PullSecret) => credentialHash;

/** Both lists in the order of namespace, name and uid, the later one's entry for each; the first one when nothing is new. */
function union<T extends PullServiceAccount>(
  known: readonly T[] | undefined,
  added: readonly T[] | undefined,
  contentOf: (item: T) => string,
): readonly T[] | undefined {
  const all = new Map((known ?? []).map((item) => [placeOf(item), item]));
  const fresh = (added ?? []).filter((item) => {
    const before = all.get(placeOf(item));
    return !before || contentOf(before) !== contentOf(item);
  });
  if (fresh.length === 0) return known;
  for (const item of fresh) all.set(placeOf(item), item);
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

/** Where an object is, which no other object ever was. */
export const placeOf = ({ namespace, name, uid }: PullServiceAccount) => `${namespace}\0${name}\0${uid}`;
