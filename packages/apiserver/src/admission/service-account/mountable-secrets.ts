import { type Container, type Pod, type ServiceAccount, volumeSecrets } from '@wherry/kubeapi';

const annotation = 'kubernetes.io/enforce-mountable-secrets';
/** What Go's strconv.ParseBool takes for true. */
const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** True when pods of the account may read no secrets but those that it lists. */
export function limitsSecrets({ metadata }: ServiceAccount): boolean {
  return truths.has(metadata?.annotations?.[annotation] ?? '');
}

/**
 * Why a pod may not have this account, by the secrets that the account does not list, or undefined. Upstream looks at
 * `secret` volumes alone; here every volume that reads a secret counts, projected ones above all.
 */
export function secretProblem(account: ServiceAccount, { spec }: Pod): string | undefined {
  const name = account.metadata?.name ?? '';
  const suffix = `is not allowed because service account ${name} does not reference that`;
  const mountable = new Set((account.secrets ?? []).map((secret) => secret.name));
  for (const volume of spec?.volumes ?? []) {
    const bad = volumeSecrets(volume).find((secret) => secret && !mountable.has(secret));
    if (bad) return `volume with secret.secretName="${bad}" ${suffix} secret`;
  }
  const kinds: [string, readonly Container[]][] = [
    ['init container', spec?.initContainers ?? []],
    ['container', spec?.containers ?? []],
    ['ephemeral container', (spec?.ephemeralContainers ?? []) as Container[]],
  ];
  for (const [kind, containers] of kinds) {
    for (const container of containers) {
      const problem = environmentProblem(container, mountable);
      if (problem) return `${kind} ${container.name} with ${problem} ${suffix} secret`;
    }
  }
  const pullable = new Set((account.imagePullSecrets ?? []).map((secret) => secret.name));
  for (const [index, { name: secret = '' }] of (spec?.imagePullSecrets ?? []).entries()) {
    if (!pullable.has(secret)) return `imagePullSecrets[${index}].name="${secret}" ${suffix} imagePullSecret`;
  }
  return undefined;
}

function environmentProblem(
  { env = [], envFrom = [] }: Container,
  mountable: ReadonlySet<string | undefined>,
): string | undefined {
  for (const { name, valueFrom } of env) {
    const secret = valueFrom?.secretKeyRef?.name;
    if (secret !== undefined && !mountable.has(secret)) {
      return `envVar ${name} referencing secret.secretName="${secret}"`;
    }
  }
  for (const { secretRef } of envFrom) {
    if (secretRef && !mountable.has(secretRef.name)) {
      return `envFrom referencing secret.secretName="${secretRef.name}"`;
    }
  }
  return undefined;
}
