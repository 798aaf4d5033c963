import { closeSync, openSync } from 'node:fs';
import { check, declare } from '../native.ts';

const openTree = declare('long syscall(long number, int folder, const char *path, uint flags)');
const setAttributes = declare(
  'long syscall(long number, int mount, const char *path, uint flags, const void *attributes, ulong size)',
);
const moveMount = declare(
  'long syscall(long number, int from, const char *fromPath, int to, const char *toPath, uint flags)',
);

/** Numbers of these calls are the same on x86-64 and arm64. */
const openTreeNumber = 428;
const moveMountNumber = 429;
const mountSetattrNumber = 442;

const currentFolder = -100;
const cloneCloseOnExec = 0x1 | 0o2000000;
const recursive = 0x8000;
const emptyPath = 0x1000;
const fromEmptyPath = 0x4;
const idMapAttribute = 0x100000n;
const propagations = { private: 1n << 18n, slave: 1n << 19n };

/** A view of a file or folder in which ids are others. */
export interface IdMappedMount {
  /** A path of the machine, links resolved. */
  source: string;
  /** Where it is shown: a file for a file, a folder for a folder. */
  target: string;
  /** The user namespace (`/proc/PID/ns/user`, or a pin) whose mapping counts: what belongs to its id 0 outside, belongs there to id 0 inside. */
  userNamespacePath: string;
  /** Mounts below the source come along, with their ids as they are. Default false. */
  recursive?: boolean;
  /** "slave": what is mounted below the source later is seen at the target too. Default "private". */
  propagation?: 'private' | 'slave';
}

/** mount_setattr(2) with a `struct mount_attr`: attr_set, attr_clr, propagation, userns_fd. */
function change(descriptor: number, { set = 0n, propagation = 0n, namespace = 0n }, flags: number): void {
  const attributes = Buffer.alloc(32);
  for (const [at, value] of [set, 0n, propagation, namespace].entries())
    attributes.writeBigUInt64LE(value, at * 8);
  const result = setAttributes(mountSetattrNumber, descriptor, '', flags, attributes, attributes.length);
  check('mount_setattr', result);
}

/**
 * Shows a tree with its owners mapped through a user namespace (mount_setattr(2), kernel 5.12): what the disk says is id 0
 * is for everybody who looks at the target what the namespace maps 0 to, and what its processes write gets their inner
 * ids on disk. Throws EINVAL for file systems that can't.
 */
export function mountIdMapped(request: IdMappedMount): void {
  const { source, target, userNamespacePath } = request;
  const flags = cloneCloseOnExec | (request.recursive ? recursive : 0);
  const copy = check('open_tree', openTree(openTreeNumber, currentFolder, source, flags), `"${source}"`);
  try {
    const namespace = openSync(userNamespacePath, 'r');
    try {
      change(copy, { propagation: propagations[request.propagation ?? 'private'] }, emptyPath | recursive);
      change(copy, { set: idMapAttribute, namespace: BigInt(namespace) }, emptyPath);
    } finally {
      closeSync(namespace);
    }
    const moved = moveMount(moveMountNumber, copy, '', currentFolder, target, fromEmptyPath);
    check('move_mount', moved, `"${source}" on "${target}"`);
  } finally {
    closeSync(copy);
  }
}
