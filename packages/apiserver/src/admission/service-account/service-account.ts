import type { Clock } from '@wherry/clock';
import { sleep } from '@wherry/clock';
import { type Container, type Pod, podReferences, type ServiceAccount, type Volume } from '@wherry/kubeapi';
import { isMirrorPod } from '../../authorization/mirror-pod.ts';
import { limits, periods } from '../../limits.ts';
import { as } from '../../objects/api-object.ts';
import { randomSuffix } from '../../objects/names.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { type AdmissionPlugin, type AdmissionRequest, type AdmissionRule, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { lateSecretProblem, limitsSecrets, secretProblem } from './mountable-secrets.ts';

const defaultAccount = 'default';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumePrefix = 'kube-api-access-';
/** An hour and 7 s, by which kubelets and clients know that nobody chose it. */
const tokenLifetimeSeconds = 3607;
const fileMode = 0o644;

/** Gives each pod a service account, and a volume with its token, the cluster's CA and the namespace. */
export const serviceAccount = ({ caches, clock }: Pick<PluginParts, 'caches' | 'clock'>): AdmissionPlugin =>
  new ServiceAccountAdmission(caches.serviceAccounts, clock);

class ServiceAccountAdmission implements AdmissionPlugin {
  readonly name = 'ServiceAccount';
  readonly handles: readonly AdmissionRule[] = [
    { operations: ['CREATE'], resources: ['/pods'] },
    { operations: ['UPDATE'], resources: ['/pods/ephemeralcontainers'] },
  ];
  readonly #accounts: ObjectCache<ServiceAccount>;
  readonly #clock: Clock;

  constructor(accounts: ObjectCache<ServiceAccount>, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
  }

  async admit(request: AdmissionRequest): Promise<void> {
    if (request.operation !== 'CREATE') return;
    const pod = as<Pod>(request.object!);
    const { spec } = pod;
    if (isMirrorPod(pod)) return refuseReferences(request, pod);
    if (!spec) return;
    spec.serviceAccountName ||= defaultAccount;
    spec.serviceAccount = spec.serviceAccountName;
    const account = await this.#find(request, spec.serviceAccountName);
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec);
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
      spec.imagePullSecrets = account.imagePullSecrets.map(({ name }) => ({ name: name ?? '' }));
    }
  }

  /** New pods, and ephemeral containers that come later, read the secrets that their account lists, if it says so. */
  async validate(request: AdmissionRequest): Promise<void> {
    const pod = as<Pod>(request.object!);
    const isNew = request.operation === 'CREATE';
    if (isNew && isMirrorPod(pod)) return;
    const { serviceAccountName: name = '' } = pod.spec ?? {};
    if (name === '') {
      const { namespace } = request;
      throw refused(request, `no service account specified for pod ${namespace}/${pod.metadata.name}`);
    }
    const account = await this.#find(request, name);
    if (!limitsSecrets(account)) return;
    const problem = isNew ? secretProblem(account, pod) : lateSecretProblem(account, pod);
    if (problem) throw refused(request, problem);
  }

  /** A namespace's default account is made a moment after the namespace: wait for it. */
  async #find(request: AdmissionRequest, name: string): Promise<ServiceAccount> {
    const { namespace } = request;
    const attempts = name === defaultAccount ? limits.defaultAccountAttemptsMax : 1;
    for (let attempt = 1; ; attempt += 1) {
      const account = this.#accounts.get(`${namespace}/${name}`);
      if (account) return account;
      if (attempt >= attempts) break;
      await sleep({ clock: this.#clock, delayMs: periods.defaultAccountRetryMs });
    }
    const why = `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
    throw refused(request, why);
  }
}

/** A mirror pod runs already, on the word of a kubelet: it gets nothing from the API. */
function refuseReferences(request: AdmissionRequest, pod: Pod): void {
  const { secrets, serviceAccount } = podReferences(pod);
  const hasToken = pod.spec?.volumes?.some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken),
  );
  const what =
    serviceAccount !== ''
      ? 'reference service accounts'
      : secrets.size > 0
        ? 'reference secrets'
        : hasToken && 'use ServiceAccountToken volume projections';
  if (!what) return;
  const why = `a mirror pod may not ${what}`;
  throw refused(request, why);
}

function mountToken(spec: NonNullable<Pod['spec']>): void {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const missing = containers.filter((container) => !hasMount(container));
  if (missing.length === 0) return;
  const existing = spec.volumes?.find(({ name }) => name.startsWith(volumePrefix))?.name;
  const name = existing ?? `${volumePrefix}${randomSuffix()}`;
  for (const container of missing) {
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
  }
  if (!existing) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function hasMount({ volumeMounts }: Container): boolean {
  return volumeMounts?.some((mount) => mount.mountPath === mountPath) === true;
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenLifetimeSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: fileMode,
    },
  };
}
