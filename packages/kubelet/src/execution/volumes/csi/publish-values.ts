import type { Secret } from '@wherry/kubeapi';
import type { VolumeRequest } from '../volume-plugin.ts';
import type { DriverRules } from './driver-rules.ts';

/** What goes with a call beside the volume itself. */
export interface PublishValues {
  volumeContext: Record<string, string>;
  secrets: Record<string, string>;
}

/** The attributes and secrets of a publication: those of the volume, and what the driver wants to know of the pod. */
export async function publishValues(
  { pod, sources }: VolumeRequest<unknown>,
  rules: DriverRules,
  given: PublishValues & { isEphemeral: boolean },
): Promise<PublishValues> {
  const { name, namespace, uid } = pod.metadata;
  const podInfo: Record<string, string> = rules.podInfoOnMount
    ? {
        'csi.storage.k8s.io/pod.name': name,
        'csi.storage.k8s.io/pod.namespace': namespace,
        'csi.storage.k8s.io/pod.uid': uid,
        'csi.storage.k8s.io/serviceAccount.name': pod.spec.serviceAccountName ?? '',
        'csi.storage.k8s.io/ephemeral': String(given.isEphemeral),
      }
    : {};
  const tokens = await tokenValues(sources, rules);
  const { volumeContext, secrets } = given;
  return {
    volumeContext: { ...volumeContext, ...podInfo, ...(rules.tokensAreSecrets ? {} : tokens) },
    secrets: { ...secrets, ...(rules.tokensAreSecrets ? tokens : {}) },
  };
}

async function tokenValues(
  { pod, tokens, signal }: VolumeRequest<unknown>['sources'],
  { tokenRequests }: DriverRules,
): Promise<Record<string, string>> {
  if (tokenRequests.length === 0) return {};
  if (!tokens) throw new Error('the tokens that the CSI driver asks for need an API server');
  const issued = tokenRequests.map(async ({ audience, expirationSeconds = tokenSecondsDefault }) => {
    const token = await tokens.issue({ pod, audience, expirationSeconds, signal });
    return [audience, token] as const;
  });
  const byAudience = Object.fromEntries(await Promise.all(issued));
  return { 'csi.storage.k8s.io/serviceAccount.tokens': JSON.stringify(byAudience) };
}

/** The API server's default for a token request. */
const tokenSecondsDefault = 3_600;

/** The values of a secret as texts. */
export function secretTexts({ data = {} }: Pick<Secret, 'data'>): Record<string, string> {
  const texts = Object.entries(data).map(([key, value]) => [
    key,
    Buffer.from(value as unknown as string, 'base64').toString('utf8'),
  ]);
  return Object.fromEntries(texts);
}

/** The values of the secret that a volume names. Throws in upstream's words when it is missing. */
export async function secretValues(
  { sources }: VolumeRequest<unknown>,
  reference: { namespace?: string | undefined; name?: string | undefined } | undefined,
  what: string,
): Promise<Record<string, string>> {
  if (!reference?.name) return {};
  const { name, namespace = '' } = reference;
  try {
    return secretTexts(await sources.secretOf(namespace, name));
  } catch (error) {
    throw new Error(`fetching ${what} ${namespace}/${name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
