import type { Clock } from '@wherry/clock';
import { failure } from './failure.ts';
import { File, type FileNode, Folder, Link, type Mount } from './nodes.ts';

const linksMax = 40;

/** How links are taken on the way; see `LinkRule` of @wherry/linux. `plain`: as without openat2(2). */
export type WalkRule = 'plain' | 'inside' | 'beneath' | 'refused';

/** Where a walk begins. */
export interface Start {
  node: FileNode;
  path: string;
}

/** How a path is walked. */
export interface WalkOptions {
  call: string;
  start?: Start | undefined;
  rule?: WalkRule;
  followsLast?: boolean;
  sameMount?: boolean;
}

/** Where a walk ended: the folder that holds the name, and what has it, if anything. */
export interface Place {
  parent: Folder;
  name: string;
  path: string;
  node: FileNode | undefined;
}

/** All files of a machine: nodes, links and mounts, without what a process adds to them. */
export class FileTree {
  readonly #root: Folder;
  readonly #clock: Clock;
  readonly mounts: Mount[] = [];
  #nextMountId = 2;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#root = new Folder(0o755, clock.nowMs());
  }

  get root(): Start {
    return { node: this.#root, path: '' };
  }

  /** Walks a path; the last name need not exist. Throws as open(2). */
  walk(path: string, options: WalkOptions): Place {
    const found = this.#walkStraight(path, options);
    if (found === undefined) return this.#walkRound(path, options);
    if (typeof found === 'string') throw failure(found, options.call, path);
    return found;
  }

  /** Where nothing leads elsewhere, which is nearly everywhere; else undefined. Gives what is wrong by its code. */
  #walkStraight(
    path: string,
    { start = this.root, followsLast = true, sameMount }: Omit<WalkOptions, 'call'>,
  ): Place | string | undefined {
    let [here, real, name] = [start.node, start.path, ''];
    let parent: Folder | undefined;
    for (let at = afterSlashes(path, 0); at < path.length; ) {
      const slash = path.indexOf('/', at);
      const end = slash < 0 ? path.length : slash;
      const part = path.slice(at, end);
      at = afterSlashes(path, end);
      if (part === '.' || part === '..') return undefined;
      if (!(here instanceof Folder)) return 'ENOTDIR';
      const found = here.entries.get(part);
      const isLast = at >= path.length;
      if (!found && !isLast) return path.includes('/.', at - 1) ? undefined : 'ENOENT';
      if (found instanceof Link && (!isLast || followsLast)) return undefined;
      parent = here;
      name = part;
      real += `/${part}`;
      if (!found) return { parent, name, path: real, node: undefined };
      here = topOf(found);
      if (here !== found && sameMount) return 'EXDEV';
    }
    return parent
      ? { parent, name, path: real, node: here }
      : { parent: here as Folder, name: '', path: real, node: here };
  }

  #walkRound(
    path: string,
    { call, start, rule = 'plain', followsLast = true, sameMount }: WalkOptions,
  ): Place {
    const fail = (code: string) => failure(code, call, path);
    const base = start ?? this.root;
    let trail: Start[] = [base];
    let parent: Folder | undefined;
    let name = '';
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    for (let links = 0; parts.length > 0; ) {
      const part = parts.shift() as string;
      const here = trail.at(-1) as Start;
      if (!(here.node instanceof Folder)) throw fail('ENOTDIR');
      if (part === '..') {
        if (trail.length > 1) trail.pop();
        else if (rule === 'beneath' || rule === 'refused') throw fail('EXDEV');
        continue;
      }
      const found = here.node.entries.get(part);
      const isLast = parts.length === 0;
      if (!found && !isLast) throw fail('ENOENT');
      if (found instanceof Link && (!isLast || followsLast)) {
        if (rule === 'refused' || ++links > linksMax) throw fail('ELOOP');
        if (found.target.startsWith('/')) {
          if (rule === 'beneath') throw fail('EXDEV');
          trail = [rule === 'inside' ? base : this.root];
        }
        parts.unshift(...found.target.split('/').filter((step) => step !== '' && step !== '.'));
        continue;
      }
      parent = here.node;
      name = part;
      const seen = found && topOf(found);
      if (seen !== found && sameMount) throw fail('EXDEV');
      if (!found || !seen) return { parent, name, path: `${here.path}/${part}`, node: undefined };
      trail.push({ node: seen, path: `${here.path}/${part}` });
    }
    const end = trail.at(-1) as Start;
    if (trail.length === 1) return { parent: end.node as Folder, name: '', path: end.path, node: end.node };
    return { parent: parent as Folder, name, path: end.path, node: end.node };
  }

  /** What is at an absolute path, links followed; undefined when nothing is. */
  at(path: string): FileNode | undefined {
    const found = this.#walkStraight(path, {});
    if (typeof found === 'string') return undefined;
    if (found) return found.node;
    try {
      return this.walk(path, { call: 'look' }).node;
    } catch {
      return undefined;
    }
  }

  /** Makes a folder and those above it. */
  makeFolders(path: string): Folder {
    let folder = this.#root;
    for (const part of path.split('/').filter((step) => step !== '')) {
      const found = folder.entries.get(part);
      const next = found ? topOf(found) : this.newFolder(folder, part, 0o755);
      if (!(next instanceof Folder)) throw failure('ENOTDIR', 'mkdir', path);
      folder = next;
    }
    return folder;
  }

  newFolder(parent: Folder, name: string, mode: number): Folder {
    const made = new Folder(mode, this.#clock.nowMs(), parent.whenMade);
    parent.entries.set(name, made);
    parent.whenMade?.(made);
    return made;
  }

  /** Puts a file at an absolute path, outside of any process. */
  write(path: string, text: string): void {
    const { parent, name, node } = this.walk(path, { call: 'write' });
    const file = node instanceof File ? node : new File(0o644, this.#clock.nowMs());
    file.bytes = Buffer.from(text);
    if (!node) parent.entries.set(name, file);
  }

  /** Covers what is at `path`. Throws ENOENT. */
  mount({ path, root, type, source }: { path: string; root: FileNode; type: string; source: string }): void {
    const { parent, name, node, path: real } = this.walk(path, { call: 'mount' });
    if (!node) throw failure('ENOENT', 'mount', path);
    const covers = name === '' ? node : (parent.entries.get(name) as FileNode);
    const mount = { id: this.#nextMountId++, path: real, covers, root, type, source };
    covers.mounts.push(mount);
    this.mounts.push(mount);
  }

  /** Uncovers a place, with what is mounted below it. False when nothing is mounted there. */
  unmount({ parent, name, path }: Place): boolean {
    const mount = parent.entries.get(name)?.mounts.at(-1);
    if (!mount) return false;
    const gone = this.mounts.filter((other) => other === mount || other.path.startsWith(`${path}/`));
    for (const other of gone) {
      other.covers.mounts.splice(other.covers.mounts.indexOf(other), 1);
      this.mounts.splice(this.mounts.indexOf(other), 1);
    }
    return true;
  }

  /** Absolute paths of all that is not a folder, and of empty folders; below what is mounted too. */
  paths(below: string): string[] {
    const node = this.at(below);
    if (!(node instanceof Folder)) return node ? [below] : [];
    const names = [...node.entries.keys()].sort();
    return names.length === 0 ? [below] : names.flatMap((name) => this.paths(`${below}/${name}`));
  }
}

function afterSlashes(path: string, from: number): number {
  let at = from;
  while (path[at] === '/') at += 1;
  return at;
}

/** What is seen of a node: itself, or what is mounted on it last. */
export function topOf(node: FileNode): FileNode {
  let seen = node;
  for (let mount = seen.mounts.at(-1); mount; mount = seen.mounts.at(-1)) seen = mount.root;
  return seen;
}
