import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Parts } from '../e2e/nodes/node-of-parts.ts';
import { writeRegistryConfig } from '../e2e/nodes/registry-config.ts';
import type { Tellings } from './differences.ts';
import { imageHosts, imagesCome } from './images.ts';
import { nodeLines } from './node-lines.ts';
import { play } from './play.ts';
import { type Side, startSide } from './side.ts';
import type { Story } from './story.ts';

const atOnce = 6;

/** What plays stories on a node of its own, which is made when there is something to play. */
export class Player {
  readonly #parts: Parts;
  readonly #file: string | undefined;
  readonly #told: Map<string, readonly string[]>;
  #side: Side | undefined;

  /** What is told is kept in `file`, and taken from it where it stands there. */
  constructor(parts: Parts, file: string | undefined) {
    this.#parts = parts;
    this.#file = file;
    const before = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    this.#told = new Map(Object.entries(before));
  }

  get tellings(): Tellings {
    return Object.fromEntries(this.#told);
  }

  get kubeconfig(): string | undefined {
    return this.#side?.kubeconfig;
  }

  /** Plays what is not told yet, several at once. */
  async playAll(stories: readonly Story[], place: { folder: string; registryUrl: string }): Promise<void> {
    const left = stories.filter(({ name }) => !this.#told.has(name));
    if (left.length === 0) return;
    const own = join(place.folder, this.#parts.kubelet[0] ?? '');
    mkdirSync(own);
    for (const host of imageHosts) writeRegistryConfig(own, place.registryUrl, host);
    const side = await startSide(this.#parts, own, join(own, 'certs.d'));
    this.#side = side;
    await play(side, imagesCome);
    const next = async () => {
      for (let story = left.shift(); story; story = left.shift()) await this.again(story);
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    this.#told.set('the-node', await nodeLines(side));
    this.#keep();
  }

  /** Plays one more time, if its node is there. */
  async again(story: Story): Promise<void> {
    if (!this.#side) return;
    this.#told.set(story.name, await play(this.#side, story));
    process.stderr.write('.');
    this.#keep();
  }

  async close(): Promise<void> {
    await this.#side?.close();
  }

  #keep(): void {
    if (this.#file !== undefined) writeFileSync(this.#file, JSON.stringify(this.tellings, null, 1));
  }
}
