import type { Clock } from '@wherry/clock';
import type { Image } from '@wherry/cri';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import { matchedSecretsMax } from '../../../limits.ts';
import {
  type PullCredentials,
  type PulledRecord,
  type PullSecret,
  type PullServiceAccount,
  placeOf,
  timeOf,
  withCredentials,
  withoutVersion,
} from './pull-record.ts';
import type { PullRecordFiles } from './pull-record-files.ts';
import type { VerificationPolicy } from './verification-policy.ts';

/** What a pod has that an image may have been pulled with. */
export interface PodPullCredentials {
  secrets: readonly PullSecret[];
  serviceAccount: PullServiceAccount | undefined;
}

/** What {@link PullRecords} is made of. */
export interface PullRecordsOptions {
  files: PullRecordFiles;
  policy: VerificationPolicy;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
}

/** Of an image that is there: what it is called. */
export type ListedImage = Pick<Image, 'id' | 'repoTags' | 'repoDigests'>;

type Result = 'credentialPolicyAllowed' | 'credentialRecordFound' | 'mustAuthenticate' | 'error';

/**
 * Remembers by what credentials each image came to the node, so that no pod runs one that it could not have pulled itself
 * (upstream: pkg/kubelet/images/pullmanager, KubeletEnsureSecretPulledImages).
 */
export class PullRecords {
  readonly #options: PullRecordsOptions;
  readonly #checks;
  /** Pulls under way, by image. */
  readonly #pulls = new Map<string, number>();

  constructor(options: PullRecordsOptions) {
    this.#options = options;
    this.#checks = options.metrics.counter(
      'kubelet_imagemanager_image_mustpull_checks_total',
      'Counter for how many times kubelet checked whether credentials need to be re-verified to access an image',
    );
    const { metrics, files } = options;
    const intents = metrics.plainGauge(
      'kubelet_imagemanager_ondisk_pullintents',
      'Pulls that were begun, as they are noted on the disk.',
      () => intents.set(files.counts.intents),
    );
    const records = metrics.plainGauge(
      'kubelet_imagemanager_ondisk_pulledrecords',
      'Images that were pulled, as they are noted on the disk.',
      () => records.set(files.counts.records),
    );
  }

  /**
   * A pull begins. Throws when that can not be noted: were the kubelet to die after it, the image would count as one
   * that every pod may use.
   */
  begin(image: string): void {
    this.#options.files.writeIntent(image);
    this.#pulls.set(image, this.#pullsOf(image) + 1);
  }

  /** It came. Where that can not be noted, the note of its beginning stays: pods have to show their own credentials. */
  pulled(image: string, imageRef: string, credentials: PullCredentials): void {
    if (this.#note(image, imageRef, credentials)) this.failed(image);
  }

  /** It did not come, or nothing is left to be noted of it. */
  failed(image: string): void {
    const left = this.#pullsOf(image) - 1;
    if (left > 0) {
      this.#pulls.set(image, left);
      return;
    }
    this.#pulls.delete(image);
    this.#try('the note of a pull can not be removed', () => this.#options.files.deleteIntent(image));
  }

  /** Whether a pod may use an image that is there only after a pull of its own. Throws what `credentials` throws. */
  async mustPull(
    image: string,
    imageRef: string,
    credentials: () => Promise<PodPullCredentials>,
  ): Promise<boolean> {
    let result: Result = 'error';
    try {
      result = await this.#judge(image, imageRef, credentials);
    } finally {
      this.#checks.add(1, { result });
    }
    return result === 'mustAuthenticate' || result === 'error';
  }

  /** Takes in which images are there: all that was, at `askedMs`. */
  listed(images: readonly ListedImage[], askedMs: number): void {
    this.recover(images);
    this.prune(new Set(images.map(({ id }) => id)), askedMs);
  }

  /** Pulls that ended while no kubelet ran: nobody knows by what credentials their images came. */
  recover(images: readonly ListedImage[]): void {
    const begun = new Set(this.#options.files.intents());
    for (const { id, repoTags, repoDigests } of images)
      for (const image of [...repoDigests, ...repoTags].filter((name) => begun.has(name)))
        if (this.#note(image, id, undefined)) this.failed(image);
  }

  /** Forgets images that are not there any more, unless they came after `untilMs`. */
  prune(imageRefs: ReadonlySet<string>, untilMs: number): void {
    const { files } = this.#options;
    const gone = files
      .records()
      .filter(
        ({ imageRef, lastUpdatedTime }) => !imageRefs.has(imageRef) && Date.parse(lastUpdatedTime) < untilMs,
      );
    for (const { imageRef } of gone)
      this.#try('the record of an image can not be removed', () => files.deleteRecord(imageRef));
  }

  async #judge(
    image: string,
    imageRef: string,
    credentials: () => Promise<PodPullCredentials>,
  ): Promise<Result> {
    const { files, policy, logger } = this.#options;
    let record: PulledRecord | undefined;
    let isPulled: boolean;
    try {
      record = files.record(imageRef);
      isPulled = record !== undefined || this.#pulls.has(image) || files.hasIntent(image);
    } catch (error) {
      logger.warn('it is not known by what an image came; it is pulled again', { image, error });
      return 'error';
    }
    if (!policy(image, isPulled)) return 'credentialPolicyAllowed';
    const known = record?.credentialMapping.get(withoutVersion(image));
    if (!known) return 'mustAuthenticate';
    if (known.nodePodsAccessible) return 'credentialRecordFound';
    const { kubernetesSecrets = [], kubernetesServiceAccounts = [] } = known;
    if (kubernetesSecrets.length === 0 && kubernetesServiceAccounts.length === 0) return 'mustAuthenticate';
    const { secrets, serviceAccount } = await credentials();
    const fresh = secretAmong(secrets, kubernetesSecrets);
    if (fresh) {
      if (!fresh.isSame) this.#note(image, imageRef, { kubernetesSecrets: [fresh.secret] });
      return 'credentialRecordFound';
    }
    const isKnown = kubernetesServiceAccounts.some(
      (account) => serviceAccount && placeOf(account) === placeOf(serviceAccount),
    );
    return isKnown ? 'credentialRecordFound' : 'mustAuthenticate';
  }

  #pullsOf(image: string): number {
    return this.#pulls.get(image) ?? 0;
  }

  /** Whether it stands in the record. */
  #note(image: string, imageRef: string, credentials: PullCredentials | undefined): boolean {
    const { files, clock } = this.#options;
    const nowMs = clock.nowMs();
    const lastUpdatedTime = timeOf(nowMs);
    return this.#try('it can not be noted by what an image came', () => {
      const known = this.#readable(imageRef);
      const record = known ?? { lastUpdatedTime, imageRef, credentialMapping: new Map() };
      const changed = withCredentials(record, withoutVersion(image), credentials, nowMs);
      if (changed !== known) files.writeRecord(changed);
    });
  }

  /** A record that can not be understood is begun anew. */
  #readable(imageRef: string): PulledRecord | undefined {
    try {
      return this.#options.files.record(imageRef);
    } catch (error) {
      this.#options.logger.warn('the record of an image can not be read', { imageRef, error });
      return undefined;
    }
  }

  #try(what: string, act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      this.#options.logger.error(what, { error });
      return false;
    }
  }
}

/**
 * The pod's secret that the image came by: the same login, wherever it stands, or the same secret, whatever it says by
 * now (it was allowed once). `isSame` when the record says just that.
 */
function secretAmong(
  own: readonly PullSecret[],
  known: readonly PullSecret[],
): { secret: PullSecret; isSame: boolean } | undefined {
  const hasRoom = known.length < matchedSecretsMax;
  for (const secret of own) {
    for (const each of known) {
      const isSameLogin = each.credentialHash !== '' && each.credentialHash === secret.credentialHash;
      const isSamePlace = placeOf(each) === placeOf(secret);
      if (isSameLogin) return { secret, isSame: isSamePlace || !hasRoom };
      if (isSamePlace && hasRoom) return { secret, isSame: false };
    }
  }
  return undefined;
}
