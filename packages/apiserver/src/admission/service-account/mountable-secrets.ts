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
  const { suffix, mountable } = wordsOf(account);
  for (const volume of spec?.volumes ?? []) {
    const bad = volumeSecrets(volume).find((secret) => secret && !mountable.has(secret));
    if (bad) return `volume with secret.secretName="${bad}" ${suffix} secret`;
  }
  const problem =
    containerProblem(account, 'init container', spec?.initContainers) ??
    containerProblem(account, 'container', spec?.containers);
  if (problem) return problem;
  const pullable = new Set((account.imagePullSecrets ?? []).map((secret) => secret.name));
  for (const [index, { name: secret = '' }] of (spec?.imagePullSecrets ?? []).entries()) {
    if (!pullable.has(secret)) return `imagePullSecrets[${index}].name="${secret}" ${suffix} imagePullSecret`;
  }
  return undefined;
}

/** The same of what a pod gets that is there already: its ephemeral containers. */
export function lateSecretProblem(account: ServiceAccount, { spec }: Pod): string | undefined {
  return containerProblem(
    account,
    'ephemeral container',
    spec?.ephemeralContainers as Container[] | undefined,
  );
}

function wordsOf({ metadata, secrets = [] }: ServiceAccount) {
  const suffix = `is not allowed because service account ${metadata?.name ?? ''} does not reference that`;
  return { suffix, mountable: new Set(secrets.map((secret) => secret.name)) };
}

function containerProblem(
  account: ServiceAccount,
  kind: string,
  containers: readonly Container[] = [],
): string | undefined {
  const { suffix, mountable } = wordsOf(account);
  for (const container of containers) {
    const problem = environmentProblem(container, mountable);
    if (problem) return `${kind} ${container.name} with ${problem} ${suffix} secret`;
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
