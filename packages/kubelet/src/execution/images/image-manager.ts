import { once } from '@wherry/bytes';
import { type Clock, RateBucket } from '@wherry/clock';
import {
  type CriClient,
  type CriError,
  type Image,
  type Input,
  isCriError,
  type PodSandboxConfig,
} from '@wherry/cri';
import { formatDuration } from '../../configuration/duration.ts';
import { describe, oneError } from '../../ground/describe-error.ts';
import { FailureBackoff } from '../../ground/failure-backoff.ts';
import { parallelPullsMax, pullBackoff } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { ContainerStartError, type StartFailureReason } from '../container-start-error.ts';
import type { CredentialPlugIns } from './credential-plug-ins/credential-plug-ins.ts';
import { canonicalImage, imageNameFault } from './image-name.ts';
import { credentialsFor, type PullLogin, type RegistryCredentials } from './pull-credentials.ts';
import type { PullFigures } from './pull-figures.ts';
import { PullQueue } from './pull-queue.ts';
import type { PullCredentials } from './pull-records/pull-record.ts';
import type { PodPullCredentials, PullRecords } from './pull-records/pull-records.ts';

/** The user an image names: a number, a name, or neither (then it is root). */
export interface ImageUser {
  uid: number | undefined;
  username: string;
}

/** An image that is on the node. */
export interface PresentImage {
  /** The runtime's reference, by which containers are created. */
  ref: string;
  user: ImageUser;
  /** Absent when the runtime tells nothing of what it pulled. */
  sizeBytes?: number;
  /** It was there already, and nobody was told: {@link ImageManager.tellPresent} does. */
  isUntold?: true;
}

/** What an {@link ImageManager} is made of. */
export interface ImageManagerOptions {
  images: CriClient['images'];
  recorder: EventRecorder;
  clock: Clock;
  serialize: boolean;
  /** 0 leaves it to the default. */
  maxParallelPulls: number;
  /** By what credentials images came. */
  records: Pick<PullRecords, 'begin' | 'pulled' | 'failed' | 'mustPull'>;
  /** Who knows logins that no pod has; undefined when nobody. */
  plugIns: Pick<CredentialPlugIns, 'logins'> | undefined;
  figures: Pick<PullFigures, 'pulled' | 'asked'>;
  /** A pod waits for a pull; the answer is called when it has ended. */
  onPull(uid: string): () => void;
  /** How many pulls may begin per second, and how many at once; 0 per second is without bound. */
  rate: { perSecond: number; burst: number };
}

/** A container's need of an image, or a volume's. */
export interface ImageRequest {
  pod: AssignedPod;
  /** As it was given. */
  image: string;
  /** Default `Always` for an image of the tag `latest`, else `IfNotPresent`. */
  pullPolicy: string | undefined;
  /** Whom events are about; undefined for the pod. */
  target: PodContainer | undefined;
  sandbox: Input<PodSandboxConfig>;
  credentials: RegistryCredentials;
  /** True leaves it to {@link ImageManager.tellPresent} to say that the image was there already. */
  tellsLater?: boolean;
  signal: AbortSignal;
}

/** Brings images to the node by the pull policy of each container and volume, with back-off and the events people look for. */
export class ImageManager {
  readonly #options: ImageManagerOptions;
  readonly #backoff: FailureBackoff;
  readonly #queue: PullQueue;
  readonly #bucket: RateBucket;
  readonly #lastErrors = new Map<string, string>();

  constructor(options: ImageManagerOptions) {
    this.#options = options;
    this.#backoff = new FailureBackoff(options.clock, pullBackoff);
    const parallel = options.maxParallelPulls || parallelPullsMax;
    this.#bucket = new RateBucket({ clock: options.clock, ...options.rate });
    this.#queue = new PullQueue(options.serialize ? 1 : parallel, options.clock);
  }

  /** The image, pulled when its policy says so. Throws {@link ContainerStartError}. */
  async ensure(request: ImageRequest): Promise<PresentImage> {
    const { target, pod, image: given } = request;
    const events = podEvents(this.#options.recorder, pod);
    const image = canonicalImage(given);
    if (image === undefined) {
      const message = `Failed to apply default image tag "${given}": couldn't parse image name "${given}": ${imageNameFault(given)}`;
      events.warn('InspectFailed', message, target);
      throw new ContainerStartError('InvalidImageName', message);
    }
    const policy = request.pullPolicy ?? (/:latest$/.test(image) ? 'Always' : 'IfNotPresent');
    const logins = once(() => this.#logins(request, image));
    const present = policy === 'Always' ? undefined : await this.#find(request, image);
    const mustPull = !present || (await this.#mustPull(request, present, logins));
    this.#options.figures.asked(policy, policy === 'Always' ? undefined : present !== undefined, mustPull);
    if (present && !mustPull) {
      if (request.tellsLater) return { ...present, isUntold: true };
      this.tellPresent(request);
      return present;
    }
    if (policy === 'Never') {
      // The same for one that is there and not for this pod, which must not learn that.
      const message = `Container image "${given}" is not present with pull policy of Never`;
      events.warn('ErrImageNeverPull', message, target);
      throw new ContainerStartError('ErrImageNeverPull', message);
    }
    return this.#pull(request, image, logins);
  }

  /** Says that an image did not have to be pulled. */
  tellPresent({ pod, image, target }: Pick<ImageRequest, 'pod' | 'image' | 'target'>): void {
    const message = `Container image "${image}" already present on machine and can be accessed by the pod`;
    podEvents(this.#options.recorder, pod).normal('Pulled', message, target);
  }

  /** Forgets back-offs that are long at rest. */
  prune(): void {
    this.#backoff.prune();
    for (const key of this.#lastErrors.keys())
      if (this.#backoff.delayMs(key) === 0) this.#lastErrors.delete(key);
  }

  async #find({ target, pod, signal }: ImageRequest, image: string): Promise<PresentImage | undefined> {
    try {
      const call = { image: specOf(pod, image) };
      const { image: found } = await this.#options.images.imageStatus(call, { signal });
      return found && presentImage(found);
    } catch (error) {
      if (signal.aborted) throw error;
      const message = `Failed to inspect image "${image}": ${(error as Error).message}`;
      podEvents(this.#options.recorder, pod).warn('InspectFailed', message, target);
      throw new ContainerStartError('ImageInspectError', message, { cause: error });
    }
  }

  /** Secrets first, then plug-ins, as upstream. */
  async #logins({ credentials, pod, signal }: ImageRequest, image: string): Promise<PullLogin[]> {
    const own = credentialsFor(image, credentials);
    return [...own, ...((await this.#options.plugIns?.logins(image, pod, signal)) ?? [])];
  }

  async #mustPull(
    { image: asked }: ImageRequest,
    { ref }: PresentImage,
    logins: () => Promise<PullLogin[]>,
  ): Promise<boolean> {
    try {
      return await this.#options.records.mustPull(asked, ref, async () => credentialsOf(await logins()));
    } catch (error) {
      throw new ContainerStartError('ErrImagePull', (error as Error).message, { cause: error });
    }
  }

  async #pull(
    request: ImageRequest,
    image: string,
    logins: () => Promise<PullLogin[]>,
  ): Promise<PresentImage> {
    const { pod, target, signal, image: given } = request;
    const events = podEvents(this.#options.recorder, pod);
    const key = `${pod.metadata.uid}_${image}`;
    this.#holdBack(request, key, given);
    const { records } = this.#options;
    const askedMs = this.#options.clock.monotonicMs();
    let isBegun = false;
    const ended = this.#options.onPull(pod.metadata.uid);
    try {
      const choices = await logins();
      records.begin(given);
      isBegun = true;
      const { waitedMs, result } = await this.#queue.run(() => {
        events.normal('Pulling', `Pulling image "${given}"`, target);
        return this.#pullWithCredentials(request, image, choices);
      }, signal);
      const { ref, login } = result;
      const present = (await this.#find(request, ref)) ?? { ref, user: { uid: undefined, username: '' } };
      isBegun = false;
      records.pulled(given, present.ref, sourceOf(login));
      const tookMs = this.#options.clock.monotonicMs() - askedMs;
      const size = present.sizeBytes === undefined ? '' : ` Image size: ${present.sizeBytes} bytes.`;
      this.#options.figures.pulled(tookMs, present.sizeBytes);
      const times = `${seconds(tookMs - waitedMs)} (${seconds(tookMs)} including waiting).`;
      events.normal('Pulled', `Successfully pulled image "${given}" in ${times}${size}`, target);
      this.#lastErrors.delete(key);
      return present;
    } catch (error) {
      if (isBegun) records.failed(given);
      if (signal.aborted) throw error;
      throw this.#pullFailed(request, key, given, error);
    } finally {
      ended();
    }
  }

  #holdBack({ pod, target }: ImageRequest, key: string, given: string): void {
    const failedMs = this.#backoff.updatedMs(key);
    const remainingMs = failedMs === undefined ? 0 : this.#backoff.remainingMs(key, failedMs);
    if (remainingMs === 0) return;
    podEvents(this.#options.recorder, pod).normal('BackOff', `Back-off pulling image "${given}"`, target);
    const message = `Back-off pulling image "${given}": ${this.#lastErrors.get(key) ?? 'ErrImagePull'}`;
    throw new ContainerStartError('ImagePullBackOff', message, { retryAfterMs: remainingMs });
  }

  async #pullWithCredentials(
    { pod, sandbox: sandboxConfig, signal }: ImageRequest,
    image: string,
    choices: readonly PullLogin[],
  ): Promise<{ ref: string; login: PullLogin | undefined }> {
    if (this.#bucket.take().waitMs > 0) throw new Error('pull QPS exceeded');
    const failures: Error[] = [];
    for (const login of choices.length > 0 ? choices : [undefined]) {
      try {
        const call = { image: specOf(pod, image), auth: login?.auth, sandboxConfig };
        const { imageRef: ref } = await this.#options.images.pullImage(call, { signal });
        return { ref, login };
      } catch (error) {
        failures.push(error as Error);
      }
    }
    throw oneError(failures, describePull);
  }

  #pullFailed(
    { pod, target }: ImageRequest,
    key: string,
    given: string,
    error: unknown,
  ): ContainerStartError {
    const text = describePull(error);
    const events = podEvents(this.#options.recorder, pod);
    events.warn('Failed', `Failed to pull image "${given}": ${text}`, target);
    const { reason, message } = pullFailure(given, text);
    this.#backoff.raise(key, this.#options.clock.nowMs());
    this.#lastErrors.set(key, `${reason}: ${message}`);
    const retryAfterMs = this.#backoff.delayMs(key);
    return new ContainerStartError(reason, message, { cause: error, retryAfterMs });
  }
}

/** What a runtime is told of an image: the pod's annotations too, by which some choose how it comes. */
const specOf = ({ metadata: { annotations = {} } }: AssignedPod, image: string) => ({ image, annotations });

/** Of a pod's logins those that are not the node's own. */
function credentialsOf(logins: readonly PullLogin[]): PodPullCredentials {
  return {
    secrets: logins.flatMap(({ secret }) => secret ?? []),
    serviceAccount: logins.find(({ serviceAccount }) => serviceAccount)?.serviceAccount,
  };
}

function sourceOf(login: PullLogin | undefined): PullCredentials {
  if (login?.secret) return { kubernetesSecrets: [login.secret] };
  if (login?.serviceAccount) return { kubernetesServiceAccounts: [login.serviceAccount] };
  return { nodePodsAccessible: true };
}

/** What a runtime's errors may begin with, and what is said in its place. */
const knownPullFailures = {
  RegistryUnavailable: 'the registry is unavailable',
  SignatureValidationFailed: 'the signature validation failed',
} as const;

/** Why an image is not there, as its container's status says it (upstream: evalCRIPullErr). */
function pullFailure(image: string, text: string): { reason: StartFailureReason; message: string } {
  for (const reason of ['RegistryUnavailable', 'SignatureValidationFailed'] as const) {
    if (!text.startsWith(reason)) continue;
    const message = `image pull failed for ${image} because ${knownPullFailures[reason]}${text.slice(reason.length)}`;
    return { reason, message };
  }
  return { reason: 'ErrImagePull', message: text };
}

/** A code that says nothing is left out. */
function describePull(error: unknown): string {
  return isCriError(error, 'UNKNOWN') ? (error as CriError).message : describe(error);
}

function presentImage(image: Image): PresentImage {
  return { ref: image.id, user: { uid: image.uid?.value, username: image.username }, sizeBytes: image.size };
}

const seconds = (durationMs: number) => formatDuration(Math.trunc(durationMs));
