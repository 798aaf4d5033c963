import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Timer } from '@wherry/clock';
import { type ClientOf, CriError, type GrpcConnection, openConnection } from '@wherry/cri/grpc';
import type { Logger } from '@wherry/telemetry';
import { limits, periods } from '../../limits.ts';
import { StoreError } from '../../store/errors.ts';
import { KeyNeeded } from '../../store/sealing.ts';
import { aesGcm } from '../aes-gcm.ts';
import type { Cipher, KeptElsewhere } from '../cipher.ts';
import type { KmsSettings } from '../configuration.ts';
import type { EncryptionFigures } from '../encryption-figures.ts';
import {
  decodeObject,
  encodeObject,
  keyIdProblem,
  seedMark,
  seedProblem,
  seedType,
} from './encrypted-object.ts';
import { type EncryptedObject, type KmsMethods, type KmsStatus, kmsSchema } from './kms-schema.ts';
import { seedBytes, seededGcm } from './seeded-gcm.ts';

/** What seals at present. */
interface Current {
  seed: Omit<EncryptedObject, 'encryptedData'>;
  cipher: Cipher;
  /** By the monotonic clock; later nothing is sealed by it, so that a change of keys is not missed for long. */
  expiresMs: number;
}

/** What the keys work with. */
export interface KmsKeysOptions {
  clock: Clock;
  logger: Logger;
  figures: EncryptionFigures;
}

/**
 * Keys that another program keeps, which speaks KMS v2 on a unix socket: it seals one seed, which stands beside each value that
 * the seed has sealed, and opens it again. It is asked once for each seed, and each minute for the key that it has.
 */
export class KmsKeys implements KeptElsewhere {
  readonly settings: KmsSettings;
  readonly #options: KmsKeysOptions;
  readonly #connection: GrpcConnection;
  readonly #client: ClientOf<KmsMethods>;
  /** By the mark of their seed; the one that was needed longest ago comes first. */
  readonly #ciphers = new Map<string, Cipher>();
  readonly #arrivals = new Map<string, Promise<void>>();
  /** Marks of seeds that the program does not open, until when that is believed. */
  readonly #refused = new Map<string, number>();
  #current: Current | undefined;
  #generation = 0;
  #version: string | undefined;
  #problem: string | undefined = 'it was not asked yet';
  #timer: Timer | undefined;
  #isClosed = false;

  private constructor(settings: KmsSettings, options: KmsKeysOptions) {
    this.settings = settings;
    this.#options = options;
    this.#connection = openConnection(settings.endpoint, `KMS provider "${settings.name}"`);
    this.#client = this.#connection.service<KmsMethods>(kmsSchema, 'KeyManagementService');
  }

  /** Resolves once the program was asked, whatever it has answered. */
  static async open(settings: KmsSettings, options: KmsKeysOptions): Promise<KmsKeys> {
    const keys = new KmsKeys(settings, options);
    await keys.#look();
    return keys;
  }

  /** As of the last look; undefined: all is well. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** How many seeds it has had. */
  get generation(): number {
    return this.#generation;
  }

  seal(plain: Uint8Array, place: Uint8Array): Buffer {
    const current = this.#current;
    if (!current || this.#options.clock.monotonicMs() > current.expiresMs)
      throw this.#unavailable(`has no key to write by: ${this.#problem}`);
    this.#options.figures.usedKey(this.settings.name, current.seed.keyId, 'to_storage');
    return encodeObject({ ...current.seed, encryptedData: current.cipher.seal(plain, place) });
  }

  open(sealed: Uint8Array, place: Uint8Array): Buffer | undefined {
    const object = decodeObject(sealed);
    if (!object) return undefined;
    const mark = seedMark(object);
    const cipher = this.#ciphers.get(mark);
    if (cipher) {
      this.#options.figures.usedKey(this.settings.name, object.keyId, 'from_storage');
      return this.#used(mark, cipher).open(object.encryptedData, place);
    }
    const refusedUntilMs = this.#refused.get(mark);
    if (refusedUntilMs !== undefined && this.#options.clock.monotonicMs() < refusedUntilMs) return undefined;
    throw new KeyNeeded(this.#arrivals.get(mark) ?? this.#fetch(mark, object));
  }

  isStale(sealed: Uint8Array): boolean {
    const object = decodeObject(sealed);
    const seed = this.#current?.seed;
    if (!object || !seed) return false;
    return object.keyId !== seed.keyId || object.seedType !== seed.seedType;
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#connection.close();
  }

  /** Asks for the key of a seed: once, however many wait for it. */
  #fetch(mark: string, object: EncryptedObject): Promise<void> {
    const { encryptedSeed: ciphertext, keyId, annotations } = object;
    const asked = { ciphertext, keyId, annotations, uid: randomUUID() };
    const { timeoutMs } = this.settings;
    const arrival = this.#called('Decrypt', this.#client.decrypt(asked, { timeoutMs }))
      .then(
        ({ plaintext }) => {
          const cipher = cipherOf(plaintext, object.seedType);
          if (cipher) this.#used(mark, cipher);
          else this.#refuse(mark);
        },
        (error: unknown) => {
          const { code } = CriError.from(error);
          if (isAway(code)) throw this.#unavailable(`does not answer (${code})`);
          this.#refuse(mark);
        },
      )
      .finally(() => this.#arrivals.delete(mark));
    this.#arrivals.set(mark, arrival);
    return arrival;
  }

  #refuse(mark: string): void {
    if (this.#refused.size >= limits.kmsSeedsMax) this.#refused.clear();
    this.#refused.set(mark, this.#options.clock.monotonicMs() + periods.kmsRefusalMs);
  }

  #used(mark: string, cipher: Cipher): Cipher {
    this.#ciphers.delete(mark);
    this.#ciphers.set(mark, cipher);
    for (const oldest of this.#ciphers.keys()) {
      if (this.#ciphers.size <= limits.kmsSeedsMax) break;
      this.#ciphers.delete(oldest);
    }
    this.#options.figures.seeds(this.settings.name, this.#ciphers.size);
    return cipher;
  }

  #called<T>(method: 'Status' | 'Encrypt' | 'Decrypt', answer: Promise<T>): Promise<T> {
    const codeOf = (error: unknown) => CriError.from(error).code;
    return this.#options.figures.called(this.settings.name, method, { answer, codeOf });
  }

  #noteKey(keyId: string): void {
    const { figures } = this.#options;
    const { name } = this.settings;
    if (keyIdProblem(keyId) === undefined) figures.toldKey(name, keyId);
    else figures.badKey(name, keyId === '' ? 'empty' : 'too_long');
  }

  /** Asks the program now, not when its time has come. */
  async lookAgain(): Promise<void> {
    this.#timer?.cancel();
    await this.#look();
  }

  async #look(): Promise<void> {
    const { clock, logger } = this.#options;
    const before = this.#problem;
    this.#problem = await this.#ask();
    if (this.#isClosed) return;
    const { name } = this.settings;
    if (this.#problem === undefined && before !== undefined) logger.info('KMS provider is well', { name });
    if (this.#problem !== undefined && this.#problem !== before)
      logger.error('KMS provider is not well', { name, problem: this.#problem });
    const pauseMs = this.#problem === undefined ? periods.kmsLookMs : periods.kmsRetryMs;
    this.#timer = clock.after(pauseMs, () => void this.#look());
  }

  /** What is wrong. The key follows the program's, also where something else is wrong with it, as upstream's. */
  async #ask(): Promise<string | undefined> {
    const expiresMs = this.#options.clock.monotonicMs() + periods.kmsSeedMs;
    const { timeoutMs } = this.settings;
    try {
      const status = await this.#called('Status', this.#client.status({}, { timeoutMs }));
      this.#noteKey(status.keyId);
      const keyProblem = keyIdProblem(status.keyId) ?? (await this.#follow(status.keyId, expiresMs));
      return this.#statusProblem(status) ?? keyProblem;
    } catch (error) {
      return `it does not answer (${CriError.from(error).code})`;
    }
  }

  #statusProblem({ healthz, version }: KmsStatus): string | undefined {
    if (healthz !== 'ok') return 'it says that it is not well';
    if (version !== 'v2' && version !== 'v2beta1') return 'it speaks another version than v2';
    this.#version ??= version;
    return this.#version === version ? undefined : 'its version has changed';
  }

  /** Has a new seed sealed where the program has another key than before. */
  async #follow(keyId: string, expiresMs: number): Promise<string | undefined> {
    if (this.#current?.seed.keyId === keyId) {
      this.#current.expiresMs = expiresMs;
      return undefined;
    }
    const plaintext = randomBytes(seedBytes);
    const { timeoutMs } = this.settings;
    const asked = this.#client.encrypt({ plaintext, uid: randomUUID() }, { timeoutMs });
    const given = await this.#called('Encrypt', asked);
    const { ciphertext: encryptedSeed, annotations } = given;
    const seed = { keyId: given.keyId, encryptedSeed, annotations, seedType };
    const problem = seedProblem(seed);
    if (problem !== undefined) return problem;
    if (given.keyId !== keyId) return 'it seals by another key than it tells of';
    const cipher = seededGcm(plaintext);
    this.#used(seedMark({ ...seed, encryptedData: new Uint8Array(0) }), cipher);
    this.#current = { seed, cipher, expiresMs };
    this.#generation += 1;
    return undefined;
  }

  #unavailable(why: string): StoreError {
    return new StoreError('unavailable', `KMS provider "${this.settings.name}" ${why}`);
  }
}

function cipherOf(key: Uint8Array, type: number): Cipher | undefined {
  if (type === seedType) return key.length >= seedBytes ? seededGcm(key) : undefined;
  return [16, 24, 32].includes(key.length) ? aesGcm(key) : undefined;
}

function isAway(code: string): boolean {
  return ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'CANCELLED'].includes(code);
}
