import { createHash } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import { serverIdHash } from '../documents/server-id.ts';
import { limits } from '../limits.ts';
import { KeyNeeded } from '../store/sealing.ts';

/** Which way a value goes, in upstream's words. */
export type Transformation = 'to_storage' | 'from_storage';

const doubled = (first: number, count: number) =>
  Array.from({ length: count }, (_, exponent) => first * 2 ** exponent);

/** Counts and times the encryption of stored values, and the programs that keep keys (upstream: storage/value, envelope/metrics). */
export class EncryptionFigures {
  readonly #clock: Clock;
  readonly #server = serverIdHash();
  readonly #seconds: Histogram;
  readonly #operations: Counter;
  readonly #calls: Histogram;
  readonly #keyUses: Counter;
  readonly #keyLastUse: Gauge;
  readonly #keyLastTold: Gauge;
  readonly #badKeys: Counter;
  readonly #seeds: Gauge;
  /** Hashes of the ids of keys: programs may have as many as they like. */
  readonly #hashes = new Map<string, string>();

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#seconds = metrics.histogram(
      'apiserver_storage_transformation_duration_seconds',
      'Time that it took to encrypt or decrypt a value.',
      doubled(5e-6, 25),
    );
    this.#operations = metrics.counter(
      'apiserver_storage_transformation_operations_total',
      'Values that were encrypted or decrypted.',
    );
    const name = (end: string) => `apiserver_envelope_encryption_${end}`;
    this.#calls = metrics.histogram(
      name('kms_operations_latency_seconds'),
      'Time that a program took that keeps keys.',
      doubled(1e-4, 20),
    );
    this.#keyUses = metrics.counter(name('key_id_hash_total'), 'How often a key was used.');
    this.#keyLastUse = metrics.gauge(name('key_id_hash_last_timestamp_seconds'), 'When a key was used last.');
    this.#keyLastTold = metrics.gauge(
      name('key_id_hash_status_last_timestamp_seconds'),
      'When its program told of a key last.',
    );
    this.#badKeys = metrics.counter(
      name('invalid_key_id_from_status_total'),
      'How often a program told of a key that has no good id.',
    );
    this.#seeds = metrics.gauge(name('dek_source_cache_size'), 'Seeds that need not be asked for.');
  }

  /** One value of a resource has gone one way, by what its prefix tells of. */
  timed<T>(
    type: Transformation,
    { resource, prefixOf }: { resource: string; prefixOf(): string },
    work: () => T,
  ): T {
    const startedMs = this.#clock.monotonicMs();
    const labels = () => ({ resource, transformation_type: type, transformer_prefix: prefixOf() });
    try {
      const result = work();
      const { resource: _, ...place } = labels();
      this.#seconds.observe((this.#clock.monotonicMs() - startedMs) / 1000, place);
      this.#operations.add(1, { ...labels(), status: 'OK' });
      return result;
    } catch (error) {
      // What waits for its key is tried again, and counted then.
      if (!(error instanceof KeyNeeded)) this.#operations.add(1, { ...labels(), status: 'unknown-non-grpc' });
      throw error;
    }
  }

  /** The answer of a program; `codeOf` tells the name of what went wrong, as gRPC has it: `DEADLINE_EXCEEDED`. */
  async called<T>(
    provider_name: string,
    method: 'Status' | 'Encrypt' | 'Decrypt',
    { answer, codeOf }: { answer: Promise<T>; codeOf(error: unknown): string },
  ): Promise<T> {
    const startedMs = this.#clock.monotonicMs();
    const tell = (grpc_status_code: string) => {
      const labels = { provider_name, method_name: `/v2.KeyManagementService/${method}`, grpc_status_code };
      this.#calls.observe((this.#clock.monotonicMs() - startedMs) / 1000, labels);
    };
    try {
      const given = await answer;
      tell('OK');
      return given;
    } catch (error) {
      tell(inGo(codeOf(error)));
      throw error;
    }
  }

  usedKey(provider_name: string, keyId: string, transformation_type: Transformation): void {
    const labels = {
      ...{ transformation_type, provider_name, key_id_hash: this.#hashOf(keyId) },
      apiserver_id_hash: this.#server,
    };
    this.#keyUses.add(1, labels);
    this.#keyLastUse.set(this.#clock.nowMs() / 1000, labels);
  }

  toldKey(provider_name: string, keyId: string): void {
    const labels = {
      ...{ provider_name, key_id_hash: this.#hashOf(keyId), apiserver_id_hash: this.#server },
    };
    this.#keyLastTold.set(this.#clock.nowMs() / 1000, labels);
  }

  badKey(provider_name: string, error: 'empty' | 'too_long'): void {
    this.#badKeys.add(1, { provider_name, error });
  }

  seeds(provider_name: string, count: number): void {
    this.#seeds.set(count, { provider_name });
  }

  #hashOf(keyId: string): string {
    const known = this.#hashes.get(keyId);
    if (known !== undefined) return known;
    if (this.#hashes.size >= limits.kmsSeedsMax) this.#hashes.clear();
    const hash = `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
    this.#hashes.set(keyId, hash);
    return hash;
  }
}

/** `DEADLINE_EXCEEDED` as Go has it: `DeadlineExceeded`. */
function inGo(code: string): string {
  return code
    .split('_')
    .map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
    .join('');
}
