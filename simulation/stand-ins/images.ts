/** `@wherry/images` with images that have one layer and no content: every name can be pulled. */
import { type Clock, sleep } from '@wherry/clock';
import { ImageError, type StoredImage } from '@wherry/images';
import { currentParticipant, type Participant } from '../machine/participant.ts';

export * from '@wherry/images';

const pullMs = 300;

function stored(name: string): StoredImage {
  const texts = { architecture: 'amd64', os: 'linux', created: '', user: '', workingDir: '', stopSignal: '' };
  const lists = { env: [], entrypoint: ['run'], cmd: [], volumes: [], exposedPorts: [], diffIds: [] };
  const id = `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64)}` as StoredImage['id'];
  const names = { tags: [name], digests: [], manifestDigest: id, layerKeys: ['layer'] };
  return {
    id,
    ...names,
    sizeBytes: 1,
    pinned: false,
    storedAtMs: 0,
    config: { ...texts, ...lists, labels: {} },
  };
}

export class ImageStore {
  readonly root = '/var/lib';
  readonly layers = { root: '/' };
  readonly pool = { copyFolder: async () => {} };
  readonly #process: Participant = currentParticipant();

  readonly catalog = {
    list: () => [...this.#process.machine.images].map(stored),
    get: (id: string) => this.catalog.list().find((image) => image.id === id),
    resolve: (name: string) => this.catalog.list().find(({ id, tags }) => id === name || tags.includes(name)),
  };

  find(name: string): StoredImage {
    const found = this.catalog.resolve(name);
    if (!found) throw new ImageError('NOT_FOUND', `no image "${name}"`);
    return found;
  }

  usage() {
    return { bytes: 0, inodes: 0 };
  }

  holdLayers(): void {}

  /** Nothing is removed here. */
  hold(): () => void {
    return () => {};
  }
  async open(): Promise<void> {}
  async close(): Promise<void> {}
  async collectGarbage(): Promise<void> {}
  async remove(): Promise<void> {}
}

export class Puller {
  readonly #clock: Clock;
  readonly #images: ImageStore;
  readonly #process = currentParticipant();

  constructor({ clock, images }: { clock: Clock; images: ImageStore }) {
    this.#clock = clock;
    this.#images = images;
  }

  async pull(name: string): Promise<StoredImage> {
    await sleep({ clock: this.#clock, delayMs: pullMs });
    this.#process.machine.images.add(name);
    return this.#images.find(name);
  }
}

export class RegistryConfig {
  async check(): Promise<void> {}
}

export class Transports {}

export class ImageAdminServer {
  async listen(): Promise<void> {}
  async close(): Promise<void> {}
}

// biome-ignore lint/complexity/noStaticOnlyClass: it stands in for one that is not
export class LayerStore {
  static readonly folderOf = (key: string): string => key;
}
