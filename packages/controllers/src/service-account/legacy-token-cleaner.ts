import { kinds } from '@wherry/client';
import {
  hasReason,
  type Pod,
  podReferences,
  type Secret,
  type ServiceAccount,
} from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';

const lastUsedKey = 'kubernetes.io/legacy-token-last-used';
const invalidSinceKey = 'kubernetes.io/legacy-token-invalid-since';
const nameKey = 'kubernetes.io/service-account.name';
const uidKey = 'kubernetes.io/service-account.uid';
const tracking = {
  namespace: 'kube-system',
  name: 'kube-apiserver-legacy-service-account-token-tracking',
} as const;
const dayMs = 86_400_000;

const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Undefined for what is no day. */
function startOf(day: string | undefined): number | undefined {
  if (!day || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) || dayOf(at) !== day ? undefined : at;
}

/** What is known beside a secret. */
export interface TokenSurroundings {
  nowMs: number;
  /** How long nobody has used it. */
  unusedMs: number;
  /** By `namespace/name`. */
  accounts: ReadonlyMap<string, ServiceAccount>;
  /** Whether some pod of the namespace reads the secret. */
  isMounted(namespace: string, name: string): boolean;
}

/**
 * What becomes of a token in a secret: `mark` says in a label since which day it is invalid, `delete` comes as much later again.
 * Only tokens that were made for an account by themselves go, which the account names; days are compared as texts (upstream:
 * pkg/controller/serviceaccount/legacy_serviceaccount_token_cleaner.go).
 */
export function fateOf(
  { metadata, type }: Secret,
  { nowMs, unusedMs, accounts, isMounted }: TokenSurroundings,
): 'keep' | 'mark' | 'delete' {
  const keptSinceMs = nowMs - unusedMs;
  const keptSinceDay = dayOf(keptSinceMs);
  const { name = '', namespace = '', labels = {}, annotations = {} } = metadata;
  if (type !== 'kubernetes.io/service-account-token' || metadata.deletionTimestamp) return 'keep';
  if (Date.parse(metadata.creationTimestamp ?? '') >= keptSinceMs) return 'keep';
  const lastUsed = labels[lastUsedKey];
  // What is no day says nothing: the token may be in use.
  if (lastUsed !== undefined && (startOf(lastUsed) === undefined || lastUsed >= keptSinceDay)) return 'keep';
  const account = accounts.get(`${namespace}/${annotations[nameKey] ?? ''}`);
  const uid = annotations[uidKey] || account?.metadata.uid;
  if (!account || account.metadata.uid !== uid) return 'keep';
  if (!account.secrets?.some((each) => each.name === name)) return 'keep';
  if (isMounted(namespace, name)) return 'keep';
  const invalidSince = labels[invalidSinceKey];
  if (startOf(invalidSince) === undefined) return 'mark';
  return invalidSince! >= keptSinceDay ? 'keep' : 'delete';
}

/** Which secrets pods read; each namespace is looked through once. */
function mountedSecrets(pods: Iterable<Pod>): TokenSurroundings['isMounted'] {
  const names = new Map<string, Set<string>>();
  for (const pod of pods) {
    const { namespace = '' } = pod.metadata ?? {};
    const known = names.get(namespace) ?? new Set<string>();
    for (const name of podReferences(pod).secrets) known.add(name);
    names.set(namespace, known);
  }
  return (namespace, name) => names.get(namespace)?.has(name) ?? false;
}

/** Marks, and later deletes, tokens in secrets that nobody has used for a year, or as long as it is said; none before uses were noted for as long. */
export const legacyTokenCleaner = defineController({
  name: 'legacy-serviceaccount-token-cleaner-controller',
  account: 'legacy-service-account-token-cleaner',
  watches: {
    secrets: { type: kinds.secrets, fieldSelector: 'type=kubernetes.io/service-account-token' },
    accounts: { type: kinds.serviceAccounts },
    pods: { type: kinds.pods },
  },
  writes: ['secrets'],
  periodMs: limits.legacyTokenSweepMs,
  build: ({
    cluster: { client, clock, logger, legacyTokenUnusedMs: unusedMs },
    informers: { secrets, accounts, pods },
    queue,
  }) => {
    queue.add('');
    const resource = client.resource(kinds.secrets);

    /** The day after the first that was tracked; undefined: nobody tracks. */
    async function trackedSinceMs(signal: AbortSignal): Promise<number | undefined> {
      try {
        const { data } = await client.resource(kinds.configMaps).get({ ...tracking, signal });
        const startMs = startOf(data?.['since']);
        return startMs === undefined ? undefined : startMs + dayMs;
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
        return undefined;
      }
    }

    async function carryOut(
      fate: 'mark' | 'delete',
      { metadata }: Secret,
      nowMs: number,
      signal: AbortSignal,
    ) {
      const { name = '', namespace, uid = '', resourceVersion = '' } = metadata;
      if (fate === 'delete') {
        logger.info('a token that nobody uses is deleted', { namespace, secret: name });
        return resource.delete({ name, namespace }, { preconditions: { resourceVersion }, signal });
      }
      logger.info('a token that nobody uses is marked as invalid', { namespace, secret: name });
      const patch = { metadata: { uid, labels: { [invalidSinceKey]: dayOf(nowMs) } } };
      return resource.patch({ name, namespace, type: 'merge', patch, signal });
    }

    return {
      async reconcile(_key, signal) {
        const sinceMs = await trackedSinceMs(signal);
        const nowMs = clock.nowMs();
        if (sinceMs === undefined || nowMs < sinceMs + unusedMs) return;
        const isMounted = mountedSecrets(pods.objects.values());
        for (const secret of secrets.objects.values()) {
          const fate = fateOf(secret, { nowMs, unusedMs, accounts: accounts.objects, isMounted });
          if (fate === 'keep') continue;
          try {
            await carryOut(fate, secret, nowMs, signal);
          } catch (error) {
            if (!isLateWrite(error)) throw error;
          }
        }
      },
    };
  },
});
