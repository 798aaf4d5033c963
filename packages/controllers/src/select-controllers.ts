/** Which controllers the words of upstream's `--controllers` mean. */

/** Older names that upstream takes, where they are not those of today without `-controller`. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['attachdetach', 'persistentvolume-attach-detach-controller'],
  ['bootstrapsigner', 'bootstrap-signer-controller'],
  ['csrapproving', 'certificatesigningrequest-approving-controller'],
  ['csrcleaner', 'certificatesigningrequest-cleaner-controller'],
  ['csrsigning', 'certificatesigningrequest-signing-controller'],
  ['endpoint', 'endpoints-controller'],
  ['endpointslicemirroring', 'endpointslice-mirroring-controller'],
  ['garbagecollector', 'garbage-collector-controller'],
  ['horizontalpodautoscaling', 'horizontal-pod-autoscaler-controller'],
  ['legacy-service-account-token-cleaner', 'legacy-serviceaccount-token-cleaner-controller'],
  ['nodeipam', 'node-ipam-controller'],
  ['nodelifecycle', 'node-lifecycle-controller'],
  ['podgc', 'pod-garbage-collector-controller'],
  ['pv-protection', 'persistentvolume-protection-controller'],
  ['pvc-protection', 'persistentvolumeclaim-protection-controller'],
  ['resource-claim-controller', 'resourceclaim-controller'],
  ['root-ca-cert-publisher', 'root-ca-certificate-publisher-controller'],
  ['tokencleaner', 'token-cleaner-controller'],
]);

/** Upstream's controllers that are not there, by all their names: they may be left out. */
const absent: ReadonlySet<string> = new Set([
  ...['cloud-node-lifecycle', 'cloud-node-lifecycle-controller', 'route', 'node-route-controller'],
  ...['service', 'service-lb-controller', 'ttl', 'ttl-controller'],
  ...['kube-apiserver-serving-clustertrustbundle-publisher-controller', 'podgroup-protection-controller'],
  ...['podcertificaterequest-cleaner-controller', 'resourcepoolstatusrequest-controller'],
  ...['selinux-warning-controller', 'storage-version-gc', 'storageversion-garbage-collector-controller'],
  ...['storage-version-migrator-controller', 'svm'],
]);

/**
 * The controllers that are meant by the words of upstream's `--controllers`: `*` = all, `name` = that one, `-name` = not
 * that one. Throws `RangeError` on a name that is not known.
 */
export function selectControllers<T extends { name: string }>(
  words: readonly string[],
  known: readonly T[],
): T[] {
  const chosen = words.map((word) => meant(word, known));
  return known.filter(
    ({ name }) => chosen.includes(name) || (chosen.includes('*') && !chosen.includes(`-${name}`)),
  );
}

/** The word with the name of today. */
function meant(word: string, known: readonly { name: string }[]): string {
  const sign = word.startsWith('-') ? '-' : '';
  const name = word.slice(sign.length);
  if (word === '*' || (sign && absent.has(name))) return word;
  const isKnown = (wanted: string) => known.some((each) => each.name === wanted);
  const found = [name, aliases.get(name) ?? `${name}-controller`].find(isKnown);
  if (found !== undefined) return sign + found;
  if (absent.has(name)) throw new RangeError(`"${name}" is not there: it can only be left out`);
  const names = known.map((each) => each.name).join(', ');
  throw new RangeError(`"${name}" is not in the list of known controllers: ${names}`);
}
