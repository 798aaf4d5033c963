/** What a file tree in memory is made of. */
export type FileNode = Folder | File | Link | Waitable;

let lastInode = 0;

/** What every node has; `ino` numbers are never used twice. */
class Inode {
  readonly ino = ++lastInode;
  mode: number;
  uid = 0;
  gid = 0;
  changedMs: number;
  /** What is mounted on it, the last on top. */
  readonly mounts: Mount[] = [];

  constructor(mode: number, nowMs: number) {
    this.mode = mode;
    this.changedMs = nowMs;
  }
}

/** A folder, or the root of what is mounted. */
export class Folder extends Inode {
  readonly entries = new Map<string, FileNode>();
  /** Undefined for a root. */
  parent: Folder | undefined;
  name = '';
  /** What the file system does when a folder is made in this one: control groups fill it with files. */
  readonly whenMade: ((made: Folder) => void) | undefined;

  constructor(mode: number, nowMs: number, whenMade?: (made: Folder) => void) {
    super(mode, nowMs);
    this.whenMade = whenMade;
  }
}

/** What a file of the kernel does instead of keeping bytes. */
export interface KernelFile {
  read(): string;
  write?(text: string): void;
}

/** A regular file, or one that the kernel answers for. */
export class File extends Inode {
  bytes: Buffer = Buffer.alloc(0);
  readonly kernel: KernelFile | undefined;

  constructor(mode: number, nowMs: number, kernel?: KernelFile) {
    super(mode, nowMs);
    this.kernel = kernel;
  }

  content(): Buffer {
    return this.kernel ? Buffer.from(this.kernel.read()) : this.bytes;
  }
}

/** A symbolic link. */
export class Link extends Inode {
  readonly target: string;

  constructor(target: string, nowMs: number) {
    super(0o777, nowMs);
    this.target = target;
  }
}

/** What poll(2) tells of a descriptor. */
export const ready = { readable: 0x1, writable: 0x4, hangUp: 0x10 } as const;

/** An open file, as far as what is open cares. */
export interface Opened {
  readonly canRead: boolean;
  readonly canWrite: boolean;
}

/** A node that can be waited for: a pipe, a process's handle, a counter. */
export abstract class Waitable extends Inode {
  readonly #watchers = new Set<() => void>();

  /** What is there for who has opened it, as bits of {@link ready}. */
  abstract readiness(open: Opened): number;

  opened(_open: Opened): void {}

  closed(_open: Opened): void {}

  /** Calls `onChange` whenever its readiness may have changed. Gives back how to stop that. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  protected changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

/** One mount: what is seen in place of the node that it covers. */
export interface Mount {
  readonly id: number;
  /** Absolute path at which it was mounted. */
  readonly path: string;
  readonly covers: FileNode;
  readonly root: FileNode;
  readonly type: string;
  readonly source: string;
}
