import { constants } from 'node:fs';
import { type FileNode, Waitable } from './nodes.ts';

/** O_ACCMODE. */
export const accessBits = 3;

/** An open file, which the descriptors of several processes may share. */
export class OpenFile {
  readonly node: FileNode;
  readonly path: string;
  flags: number;
  position = 0;
  #holders = 0;

  constructor({ node, path, flags }: { node: FileNode; path: string; flags: number }) {
    this.node = node;
    this.path = path;
    this.flags = flags;
  }

  get canRead(): boolean {
    return (this.flags & accessBits) !== constants.O_WRONLY;
  }

  get canWrite(): boolean {
    return (this.flags & accessBits) !== constants.O_RDONLY;
  }

  /** Whether any process has it. */
  get isHeld(): boolean {
    return this.#holders > 0;
  }

  hold(): void {
    this.#holders += 1;
    if (this.#holders === 1 && this.node instanceof Waitable) this.node.opened(this);
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0 && this.node instanceof Waitable) this.node.closed(this);
  }
}

/** What one process has open. */
export class Descriptors {
  readonly #open = new Map<number, OpenFile>();

  get size(): number {
    return this.#open.size;
  }

  values(): Iterable<OpenFile> {
    return this.#open.values();
  }

  get(descriptor: number): OpenFile | undefined {
    return this.#open.get(descriptor);
  }

  /** Gives a file the first free number from `lowest` on. */
  add(file: OpenFile, lowest = 3): number {
    let descriptor = lowest;
    while (this.#open.has(descriptor)) descriptor += 1;
    this.#open.set(descriptor, file);
    file.hold();
    return descriptor;
  }

  close(descriptor: number): void {
    const file = this.#open.get(descriptor);
    this.#open.delete(descriptor);
    file?.release();
  }

  /** Closes all. */
  clear(): void {
    for (const descriptor of [...this.#open.keys()]) this.close(descriptor);
  }
}
