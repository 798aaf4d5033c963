import { Informer, type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { ConfigMap, Secret, Service } from '@wherry/kubeapi';
import { oneOfEachFamily } from '../../observation/pod-ips.ts';
import type { PodRecord } from '../../observation/pod-record.ts';
import { type AssignedPod, isHostNetwork, isStaticPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { containerEnvironment, type EnvironmentEntry } from '../environment/environment.ts';
import { readEnvironmentFile } from '../environment/read-environment-file.ts';
import { serviceVariables, visibleServices } from '../environment/service-variables.ts';
import type { AccountSource } from '../images/credential-plug-ins/credential-plug-in.ts';
import { noCredentials, type RegistryCredentials, registryCredentials } from '../images/pull-credentials.ts';
import { claimedVolume } from './claimed-volume.ts';
import type { PayloadSources } from './payload-sources.ts';
import { TokenManager } from './token-manager.ts';
import { WatchedObjects } from './watched-objects.ts';

/** As long as the API server gives them when nothing else is asked for. */
const plugInTokenSeconds = 3_600;
const unreachable = async (): Promise<never> => {
  throw new Error('service accounts can not be read without an API server');
};
const noAccounts: AccountSource = { account: unreachable, token: unreachable };

type PodVolumes = ReadonlyMap<string, { hostPath: string }>;

/** What the pods' surroundings are made of. */
export interface PodInputsOptions {
  client: KubeClient | undefined;
  clock: Clock;
  recorder: EventRecorder;
  hostIps(): readonly string[];
  allocatable(): Readonly<Record<string, string>>;
  record(uid: string): PodRecord | undefined;
  /** Something that this pod reads changed. */
  onChanged(uid: string): void;
}

/** Everything that pods read from the API server: ConfigMaps, Secrets, tokens, services, pull secrets. */
export class PodInputs {
  readonly #options: PodInputsOptions;
  readonly #configMaps: WatchedObjects<ConfigMap> | undefined;
  readonly #secrets: WatchedObjects<Secret> | undefined;
  readonly #tokens: TokenManager | undefined;
  readonly #services: Informer<Service> | undefined;

  constructor(options: PodInputsOptions) {
    this.#options = options;
    const { client, clock, onChanged } = options;
    if (!client) return;
    this.#configMaps = new WatchedObjects({ client, clock, type: kinds.configMaps, onChanged });
    this.#secrets = new WatchedObjects({ client, clock, type: kinds.secrets, onChanged });
    this.#tokens = new TokenManager({ client, clock });
    this.#services = new Informer({ resource: client.resource(kinds.services), clock }).start();
  }

  /** The environment of one container. Throws what keeps it from being made, in upstream's words. */
  async variables(
    pod: AssignedPod,
    target: PodContainer,
    place: { podIps: readonly string[]; volumes: Promise<PodVolumes>; signal: AbortSignal },
  ): Promise<EnvironmentEntry[]> {
    const { allocatable } = this.#options;
    const hostIps = this.#options.hostIps();
    return containerEnvironment({
      pod,
      container: target.container,
      podIps: isHostNetwork(pod) ? hostIps : oneOfEachFamily(place.podIps, hostIps),
      hostIps,
      nodeAllocatable: allocatable(),
      services: await this.#serviceVariables(pod, place.signal),
      configMap: (name) => this.#configMap(pod, name, place.signal),
      secret: (name) => this.#secret(pod, name, place.signal),
      file: async (volumeName, path) => {
        const volume = (await place.volumes).get(volumeName);
        if (!volume)
          throw new Error(`cannot find the volume "${volumeName}" that a variable is to be read from`);
        return readEnvironmentFile(volume.hostPath, path);
      },
    });
  }

  /** What a pod's volumes are filled from. */
  payloadSources(pod: AssignedPod, signal: AbortSignal): PayloadSources {
    const { allocatable, record } = this.#options;
    const hostIps = this.#options.hostIps();
    const network = record(pod.metadata.uid)?.sandboxes[0]?.network;
    const own = network?.ip ? [network.ip, ...network.additionalIps.map(({ ip }) => ip)] : [];
    return {
      pod,
      podIps: isHostNetwork(pod) ? hostIps : own,
      hostIps,
      nodeAllocatable: allocatable(),
      configMap: (name) => this.#configMap(pod, name, signal),
      secret: (name) => this.#secret(pod, name, signal),
      secretOf: async (namespace, name) => {
        const { client } = this.#options;
        if (!client) throw new Error(`secret "${name}" can not be read without an API server`);
        return client.resource(kinds.secrets).get({ name, namespace, signal });
      },
      claimedVolume: async (claim) => {
        const { client } = this.#options;
        if (!client) throw new Error(`claim "${claim.claimName}" can not be read without an API server`);
        return claimedVolume(client, pod, { ...claim, signal });
      },
      tokens: this.#tokens,
      signal,
    };
  }

  /** What the pod's pull secrets say; a missing one is told, and the pull tried without it. */
  async credentials(pod: AssignedPod, signal: AbortSignal): Promise<RegistryCredentials> {
    const names = (pod.spec.imagePullSecrets ?? []).flatMap(({ name }) => (name ? [name] : []));
    if (names.length === 0) return noCredentials;
    const found = await Promise.all(names.map((name) => this.#secret(pod, name, signal)));
    const missing = names.filter((_, index) => !found[index]);
    if (missing.length > 0) {
      const list = missing.join(', ');
      const message = `Unable to retrieve some image pull secrets (${list}); attempting to pull the image may not succeed.`;
      podEvents(this.#options.recorder, pod).warn('FailedToRetrieveImagePullSecret', message);
    }
    return registryCredentials(found.filter((secret) => secret !== undefined));
  }

  /** Service accounts of pods and tokens of theirs, for plug-ins that make logins of them. */
  get accounts(): AccountSource {
    const { client } = this.#options;
    const tokens = this.#tokens;
    if (!client || !tokens) return noAccounts;
    return {
      async account({ spec, metadata: { namespace } }, signal) {
        const name = spec.serviceAccountName ?? '';
        const { metadata } = await client.resource(kinds.serviceAccounts).get({ name, namespace, signal });
        return { uid: metadata.uid ?? '', annotations: metadata.annotations ?? {} };
      },
      token: (pod, { audience, accountUid, signal }) =>
        tokens.token({ pod, audience, accountUid, expirationSeconds: plugInTokenSeconds, signal }),
    };
  }

  /** Milliseconds until one of the pod's tokens has to be replaced. */
  tokenDueInMs(uid: string): number | undefined {
    return this.#tokens?.dueInMs(uid);
  }

  /** The pod is gone: nothing of it is watched any more. */
  release(uid: string): void {
    this.#configMaps?.release(uid);
    this.#secrets?.release(uid);
    this.#tokens?.forget(uid);
  }

  async close(): Promise<void> {
    await Promise.all([this.#configMaps?.close(), this.#secrets?.close(), this.#services?.close()]);
  }

  async #configMap(pod: AssignedPod, name: string, signal: AbortSignal): Promise<ConfigMap | undefined> {
    const { uid, namespace } = pod.metadata;
    if (!this.#configMaps) throw new Error(`configmap "${name}" can not be read without an API server`);
    return this.#configMaps.get(uid, namespace, name, signal);
  }

  async #secret(pod: AssignedPod, name: string, signal: AbortSignal): Promise<Secret | undefined> {
    const { uid, namespace } = pod.metadata;
    if (!this.#secrets) throw new Error(`secret "${name}" can not be read without an API server`);
    return this.#secrets.get(uid, namespace, name, signal);
  }

  async #serviceVariables(pod: AssignedPod, signal: AbortSignal): Promise<EnvironmentEntry[]> {
    if (!this.#services) return [];
    // A static pod may be what the API server waits for.
    if (!isStaticPod(pod)) await this.#services.synced(signal);
    const wantsAll = pod.spec.enableServiceLinks ?? true;
    const { namespace } = pod.metadata;
    return serviceVariables(visibleServices(this.#services.objects.values(), { namespace, wantsAll }));
  }
}
