import type { Clock } from '@wherry/clock';
import { CriError, type GrpcConnection, goName, inGoWords } from '@wherry/cri/grpc';
import type { Histogram } from '@wherry/telemetry';
import * as health from '../../generated/dra-health.ts';
import * as protocol from '../../generated/dra-plugin.ts';
import { connectPlugIn } from '../../ground/plug-ins/connect-plug-in.ts';
import { claimCallMs, claimSettingsCharactersMax } from '../../limits.ts';

/** Versions of the protocol, as plug-ins name them, with the gRPC packages that they are called in. */
const packages = new Map([
  ['v1.DRAPlugin', 'k8s.io.kubelet.pkg.apis.dra.v1'],
  ['v1beta1.DRAPlugin', 'k8s.io.kubelet.pkg.apis.dra.v1beta1'],
]);

const healthSchema = { package: 'v1alpha1', messages: health.messages, services: health.services };

/** What a driver's plug-in is reached by. */
export interface ClaimDriverOptions {
  name: string;
  endpoint: string;
  /** The version to speak, of {@link versionOf}. */
  version: string;
  clock: Clock;
  /** Seconds that calls took. */
  durations: Histogram;
}

/** The first of a plug-in's versions that is spoken here. Throws, in upstream's words, where none is. */
export function versionOf(versions: readonly string[]): string {
  if (versions.length === 0)
    throw new Error('empty list of supported gRPC services (aka supported versions)');
  const version = versions.find((each) => packages.has(each));
  if (version) return version;
  const quoted = (names: Iterable<string>) => `[${[...names].map((name) => `"${name}"`).join(' ')}]`;
  throw new Error(
    `none of services supported by the plugin (${quoted(versions)}) are supported by the kubelet (${quoted(packages.keys())})`,
  );
}

/** A plug-in that prepares claims for the devices of its driver. Calls reject with CriError. */
export class ClaimDriver {
  readonly name: string;
  readonly endpoint: string;
  /** Whether it is there now. */
  isConnected = false;
  readonly #options: ClaimDriverOptions;
  readonly #package: string;
  readonly #connection: GrpcConnection;

  constructor(options: ClaimDriverOptions) {
    this.#options = options;
    this.name = options.name;
    this.endpoint = options.endpoint;
    this.#package = packages.get(options.version) ?? '';
    this.#connection = connectPlugIn(options.endpoint, `DRA driver ${options.name}`);
  }

  /** Keeps the connection, and tells of each change of {@link isConnected}, until that is aborted. */
  follow(onChanged: () => void, signal: AbortSignal): void {
    this.#connection.follow((isConnected) => {
      if (this.isConnected === isConnected) return;
      this.isConnected = isConnected;
      onChanged();
    }, signal);
  }

  /** What containers need so that they have the devices, by the claims' UIDs. */
  async prepare(
    claims: readonly protocol.Claim[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly protocol.Device[]>> {
    const answer = await this.#measured('NodePrepareResources', () =>
      this.#service.nodePrepareResources({ claims: [...claims] }, { signal, timeoutMs: claimCallMs }),
    );
    const results = answered('NodePrepareResources', claims, answer.claims);
    for (const [uid, { devices }] of results) {
      const characters = JSON.stringify(devices).length;
      if (characters > claimSettingsCharactersMax)
        throw new Error(
          `NodePrepareResources: DRA driver ${this.name} says ${characters} characters of the devices of the claim ${uid}; ${claimSettingsCharactersMax} are the most`,
        );
    }
    return new Map(results.map(([uid, { devices }]) => [uid, devices]));
  }

  /** The claims' devices are not needed any more. */
  async unprepare(claims: readonly protocol.Claim[], signal: AbortSignal): Promise<void> {
    const answer = await this.#measured('NodeUnprepareResources', () =>
      this.#service.nodeUnprepareResources({ claims: [...claims] }, { signal, timeoutMs: claimCallMs }),
    );
    answered('NodeUnprepareResources', claims, answer.claims);
  }

  /** How its devices are, some of them each time, for as long as it tells. */
  async *health(signal: AbortSignal): AsyncIterable<readonly health.DeviceHealth[]> {
    const service = this.#connection.service<health.DRAResourceHealthMethods>(
      healthSchema,
      'DRAResourceHealth',
    );
    for await (const { devices } of service.nodeWatchResources({}, { signal })) yield devices;
  }

  close(): void {
    this.#connection.close();
  }

  get #service() {
    const { messages, services } = protocol;
    const schema = { package: this.#package, messages, services };
    return this.#connection.service<protocol.DRAPluginMethods>(schema, 'DRAPlugin');
  }

  async #measured<Answer>(method: string, call: () => Promise<Answer>): Promise<Answer> {
    const { clock, durations } = this.#options;
    const beganMs = clock.monotonicMs();
    let code = 'OK';
    try {
      return await call();
    } catch (error) {
      const failure = CriError.from(error);
      code = goName(failure.code);
      throw new Error(`${method}: ${inGoWords(failure)}`, { cause: error });
    } finally {
      durations.observe((clock.monotonicMs() - beganMs) / 1_000, {
        driver_name: this.name,
        method_name: `/${this.#package}.DRAPlugin/${method}`,
        grpc_status_code: code,
      });
    }
  }
}

/** The answer for each claim. Throws where one is missing, failed, or was not asked about. */
function answered<Result extends { error: string }>(
  method: string,
  claims: readonly protocol.Claim[],
  results: Readonly<Record<string, Result>>,
): [uid: string, result: Result][] {
  const entries = Object.entries(results);
  for (const [uid, { error }] of entries) {
    const claim = claims.find((each) => each.uid === uid);
    if (!claim) throw new Error(`${method} returned result for unknown claim UID ${uid}`);
    if (error !== '') throw new Error(`${method} failed for ResourceClaim ${claim.name}: ${error}`);
  }
  const missing = claims.length - entries.length;
  if (missing !== 0) throw new Error(`${method} skipped ${missing} ResourceClaims`);
  return entries;
}
