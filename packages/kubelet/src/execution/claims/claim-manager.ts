import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Histogram, Logger } from '@wherry/telemetry';
import type { Device } from '../../generated/dra-plugin.ts';
import { claimReconcileMs } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { readClaimCheckpoint, writeClaimCheckpoint } from './claim-checkpoint.ts';
import type { ClaimDriver } from './claim-driver.ts';
import { readClaim } from './claim-reader.ts';
import { claimsOf } from './claim-uses.ts';
import { KeyedTurns } from './keyed-turns.ts';
import { keyOf, type PreparedClaim, PreparedClaims } from './prepared-claim.ts';

/** What claims are prepared with. */
export interface ClaimManagerOptions {
  /** Where it is noted which pods use which claims. */
  path: string;
  /** Undefined for a kubelet without an API server. */
  client: KubeClient | undefined;
  clock: Clock;
  logger: Logger;
  /** Seconds that it took to prepare or unprepare all claims of a pod. */
  durations: Histogram;
  /** Throws where the driver is away. */
  driver(name: string): ClaimDriver;
}

/**
 * Has drivers prepare the claims of pods before those start, and take that back before their end is told (upstream:
 * pkg/kubelet/cm/dra). What a driver is asked for is noted first: a kubelet that dies in between leaves nothing prepared.
 */
export class ClaimManager {
  readonly #options: ClaimManagerOptions;
  /** What is prepared. */
  readonly claims = new PreparedClaims();
  readonly #turns = new KeyedTurns();
  /** UIDs of pods that could not have their claims prepared. */
  readonly #waiting = new Set<string>();
  /** UIDs of pods that are gone, whose claims are being taken back. */
  readonly #leaving = new Set<string>();
  readonly #abort = new AbortController();
  #reconciledMs = Number.NEGATIVE_INFINITY;

  /** Takes over what an earlier kubelet noted. Throws, with what to do, where that can't be read. */
  constructor(options: ClaimManagerOptions) {
    this.#options = options;
    const { path } = options;
    try {
      for (const claim of readClaimCheckpoint(path)) this.claims.set(claim);
    } catch (error) {
      throw new Error(
        `${path}: ${(error as Error).message}; drain this node, remove the file and start the kubelet again`,
        { cause: error },
      );
    }
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  /** Pods that could not have their claims prepared. */
  get waiting(): ReadonlySet<string> {
    return this.#waiting;
  }

  /** Prepares what of the pod's claims is not. Throws, in upstream's words, why the pod can't have them. */
  async prepare(pod: AssignedPod, signal: AbortSignal): Promise<void> {
    const { resourceClaims = [] } = pod.spec;
    if (resourceClaims.length === 0 && !pod.status?.extendedResourceClaimStatus) return;
    const { uid } = pod.metadata;
    try {
      await this.#measured('PrepareResources', () => this.#prepare(pod, signal));
      this.#waiting.delete(uid);
    } catch (error) {
      this.#waiting.add(uid);
      throw new Error(`prepare dynamic resources: ${(error as Error).message}`, { cause: error });
    }
  }

  async #prepare(pod: AssignedPod, signal: AbortSignal): Promise<void> {
    const { client, driver } = this.#options;
    if (!client) throw new Error('there is no API server to read ResourceClaims from');
    const wanted: PreparedClaim[] = [];
    for (const claim of claimsOf(pod)) {
      const found = await readClaim(client, { pod, claim, signal });
      for (const name of found.devices.keys()) driver(name);
      wanted.push(found);
    }
    await this.#turns.take(wanted.map(keyOf), async () => {
      signal.throwIfAborted();
      const missing = this.#note(wanted, pod.metadata.uid);
      for (const [name, claims] of byDriver(missing)) {
        const given = await driver(name).prepare(claims.map(asked), signal);
        for (const claim of claims) this.#setDevices(claim, name, given.get(claim.uid) ?? []);
      }
      for (const claim of missing) this.claims.setReady(claim);
      if (missing.length > 0) this.#save();
    });
  }

  /** Notes that the pod uses the claims, and answers those that are not ready. */
  #note(wanted: readonly PreparedClaim[], podUid: string): PreparedClaim[] {
    const known = wanted.map((claim) => this.claims.get(claim.namespace, claim.name) ?? claim);
    for (const [index, { uid, name }] of known.entries())
      if (uid !== wanted[index]?.uid)
        throw new Error(
          `old ResourceClaim with same name ${name} and different UID ${uid} still exists (previous pod force-deleted?!)`,
        );
    const noted = known.map((claim) => ({ ...claim, pods: new Set([...claim.pods, podUid]) }));
    for (const claim of noted) this.claims.set(claim);
    this.#save();
    return noted.filter((claim) => !this.claims.isReady(claim));
  }

  #setDevices({ namespace, name }: PreparedClaim, driver: string, devices: readonly Device[]): void {
    const claim = this.claims.get(namespace, name);
    if (claim) this.claims.set({ ...claim, devices: new Map([...claim.devices, [driver, devices]]) });
  }

  /** Takes back what is prepared for the pod and for no other. Throws why it could not; it may be asked again. */
  async unprepare(podUid: string, signal: AbortSignal): Promise<void> {
    this.#waiting.delete(podUid);
    if (this.claims.ofPod(podUid).length === 0) return;
    try {
      await this.#measured('UnprepareResources', () => this.#unprepare(podUid, signal));
    } catch (error) {
      throw new Error(`unprepare dynamic resources: ${(error as Error).message}`, { cause: error });
    }
  }

  async #unprepare(podUid: string, signal: AbortSignal): Promise<void> {
    const keys = this.claims.ofPod(podUid).map(keyOf);
    await this.#turns.take(keys, async () => {
      signal.throwIfAborted();
      const used = this.claims.ofPod(podUid).filter((claim) => keys.includes(keyOf(claim)));
      const last = used.filter(({ pods }) => pods.size === 1);
      for (const [name, claims] of byDriver(last))
        await this.#options.driver(name).unprepare(claims.map(asked), signal);
      for (const claim of last) this.claims.delete(claim);
      for (const claim of used.filter(({ pods }) => pods.size > 1))
        this.claims.set({ ...claim, pods: claim.pods.difference(new Set([podUid])) });
      this.#save();
    });
  }

  /** Takes back, from time to time, what is prepared for pods that are not kept. */
  keep(isKept: (uid: string) => boolean): void {
    const { clock, logger } = this.#options;
    if (clock.monotonicMs() - this.#reconciledMs < claimReconcileMs) return;
    this.#reconciledMs = clock.monotonicMs();
    for (const uid of this.#waiting) if (!isKept(uid)) this.#waiting.delete(uid);
    const users = new Set(this.claims.all.flatMap(({ pods }) => [...pods]));
    for (const uid of users) {
      if (isKept(uid) || this.#leaving.has(uid)) continue;
      this.#leaving.add(uid);
      void this.unprepare(uid, this.#abort.signal)
        .catch((error: unknown) =>
          logger.warn('claims of a pod that is gone could not be unprepared', { uid, error }),
        )
        .finally(() => this.#leaving.delete(uid));
    }
  }

  async #measured(name: string, work: () => Promise<void>): Promise<void> {
    const { clock, durations } = this.#options;
    const beganMs = clock.monotonicMs();
    let isError = true;
    try {
      await work();
      isError = false;
    } finally {
      const labels = { operation_name: name, is_error: String(isError) };
      durations.observe((clock.monotonicMs() - beganMs) / 1_000, labels);
    }
  }

  #save(): void {
    try {
      writeClaimCheckpoint(this.#options.path, this.claims.all);
    } catch (error) {
      throw new Error(`checkpoint ResourceClaim state: ${(error as Error).message}`, { cause: error });
    }
  }
}

const asked = ({ namespace, uid, name }: PreparedClaim) => ({ namespace, uid, name });

function byDriver(claims: readonly PreparedClaim[]): Map<string, PreparedClaim[]> {
  const drivers = new Set(claims.flatMap(({ devices }) => [...devices.keys()]));
  return new Map([...drivers].map((name) => [name, claims.filter(({ devices }) => devices.has(name))]));
}
