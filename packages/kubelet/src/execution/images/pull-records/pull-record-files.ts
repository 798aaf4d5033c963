import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { isMap } from '../../../configuration/field-types.ts';
import type { PullCredentials, PulledRecord } from './pull-record.ts';

const apiVersion = 'kubelet.config.k8s.io/v1beta1';
const versions: readonly unknown[] = [apiVersion, 'kubelet.config.k8s.io/v1alpha1'];

/**
 * Records of images that were pulled, and of pulls that were begun, one file each below `image_manager` of the kubelet's
 * folder: named and written as upstream's (pkg/kubelet/images/pullmanager). Files that can't be read count as not there
 * for lists, and are told.
 */
export class PullRecordFiles {
  readonly #pulling: string;
  readonly #pulled: string;
  readonly #logger: Logger;

  /** Makes its folders, which nobody else may read: records tell who has which image. */
  constructor(folder: string, logger: Logger) {
    this.#pulling = join(folder, 'pulling');
    this.#pulled = join(folder, 'pulled');
    this.#logger = logger;
    for (const path of [this.#pulling, this.#pulled]) mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  /** Images whose pull was begun. */
  intents(): string[] {
    return this.#list(this.#pulling, decodeIntent);
  }

  hasIntent(image: string): boolean {
    const text = read(join(this.#pulling, fileName(image)));
    return text !== undefined && decodeIntent(text) === image;
  }

  writeIntent(image: string): void {
    write(this.#pulling, image, { kind: 'ImagePullIntent', apiVersion, image });
  }

  deleteIntent(image: string): void {
    remove(join(this.#pulling, fileName(image)));
  }

  /** How many files there are of each, without reading them. */
  get counts(): { intents: number; records: number } {
    return { intents: namesIn(this.#pulling).length, records: namesIn(this.#pulled).length };
  }

  records(): PulledRecord[] {
    return this.#list(this.#pulled, decodeRecord);
  }

  /** Throws when there is one that can not be understood. */
  record(imageRef: string): PulledRecord | undefined {
    const text = read(join(this.#pulled, fileName(imageRef)));
    const found = text === undefined ? undefined : decodeRecord(text);
    return found?.imageRef === imageRef ? found : undefined;
  }

  writeRecord({ lastUpdatedTime, imageRef, credentialMapping }: PulledRecord): void {
    const mapping = Object.fromEntries(credentialMapping);
    const document = { kind: 'ImagePulledRecord', apiVersion, lastUpdatedTime, imageRef };
    write(this.#pulled, imageRef, {
      ...document,
      ...(credentialMapping.size > 0 && { credentialMapping: mapping }),
    });
  }

  deleteRecord(imageRef: string): void {
    remove(join(this.#pulled, fileName(imageRef)));
  }

  #list<T>(folder: string, decode: (text: string) => T): T[] {
    return namesIn(folder).flatMap((name) => {
      const path = join(folder, name);
      try {
        const text = read(path);
        return text === undefined ? [] : [decode(text)];
      } catch (error) {
        this.#logger.warn('a record of pulled images can not be read', { path, error });
        return [];
      }
    });
  }
}

const fileName = (key: string) => `sha256-${createHash('sha256').update(key).digest('hex')}`;

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^sha256-[0-9a-f]{64}$/.test(name));
}

function write(folder: string, key: string, document: object): void {
  const path = join(folder, fileName(key));
  writeFileSync(`${path}.tmp`, `${JSON.stringify(document)}\n`, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function documentOf(text: string, kind: string): Record<string, unknown> {
  const document = JSON.parse(text) as Record<string, unknown> | null;
  if (document?.['kind'] !== kind || !versions.includes(document['apiVersion']))
    throw new Error(`it holds no ${kind}`);
  return document;
}

function decodeIntent(text: string): string {
  const { image } = documentOf(text, 'ImagePullIntent');
  if (typeof image !== 'string') throw new Error('its image is no string');
  return image;
}

function decodeRecord(text: string): PulledRecord {
  const { imageRef, lastUpdatedTime, credentialMapping } = documentOf(text, 'ImagePulledRecord');
  const isTime = typeof lastUpdatedTime === 'string' && !Number.isNaN(Date.parse(lastUpdatedTime));
  if (typeof imageRef !== 'string' || !isTime) throw new Error('its imageRef or lastUpdatedTime is missing');
  const entries = Object.entries((credentialMapping ?? {}) as Record<string, unknown>);
  return {
    imageRef,
    lastUpdatedTime,
    credentialMapping: new Map(entries.map(([image, value]) => [image, decodeCredentials(value)])),
  };
}

function decodeCredentials(value: unknown): PullCredentials {
  if (!isMap(value)) throw new Error('its credentialMapping is none');
  const { kubernetesSecrets, kubernetesServiceAccounts, nodePodsAccessible } = value as PullCredentials;
  const isList = (list: unknown, names: readonly string[]) =>
    list === undefined ||
    (Array.isArray(list) &&
      list.every(
        (item: unknown) => isMap(item) && names.every((name) => typeof ownValue(item, name) === 'string'),
      ));
  const place = ['uid', 'namespace', 'name'];
  if (!isList(kubernetesSecrets, [...place, 'credentialHash']) || !isList(kubernetesServiceAccounts, place))
    throw new Error('its credentialMapping names no secrets and service accounts');
  return {
    ...(kubernetesSecrets && { kubernetesSecrets }),
    ...(kubernetesServiceAccounts && { kubernetesServiceAccounts }),
    ...(nodePodsAccessible === true && { nodePodsAccessible }),
  };
}
