import { createHash } from 'node:crypto';
import type { GroupVersionKind, ResourceFacts } from '@wherry/kubeapi';

/** What upstream stores in another group or version than it is served in (kubeapiserver/default_storage_factory_builder.go). */
const storedElsewhere: ReadonlyMap<string, Partial<GroupVersionKind>> = new Map([
  ['events.k8s.io/Event', { group: '' }],
  ['autoscaling/HorizontalPodAutoscaler', { version: 'v2' }],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', { version: 'v1beta1' }],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicyBinding', { version: 'v1beta1' }],
  ['apiextensions.k8s.io/CustomResourceDefinition', { version: 'v1beta1' }],
]);

/** As upstream's discovery.StorageVersionHash: clients compare it alone, to see whether objects may have to be stored anew. */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}

/** The same facts with the hash of what the kind is stored as; as they are where it is known, or nothing is stored. */
export function withStorageVersion(facts: ResourceFacts): ResourceFacts {
  if (facts.storageVersionHash || !facts.verbs.includes('watch')) return facts;
  const { group, kind } = facts;
  const stored = { ...facts, ...storedElsewhere.get(`${group}/${kind}`) };
  return { ...facts, storageVersionHash: storageVersionHash(stored) };
}
