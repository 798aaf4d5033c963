import { closeSync, writeSync } from 'node:fs';
import { sealFile } from '../descriptor/descriptor.ts';
import { hasCode } from '../errors.ts';
import { check, declare } from '../native.ts';

const memfdCreate = declare('int memfd_create(const char *name, uint flags)');

const closeOnExec = 0x1;
const allowSealing = 0x2;
/** MFD_EXEC, which kernels before 6.3 do not know, nor need. */
const executable = 0x10;

/**
 * A file in memory alone that nobody can change any more (memfd_create(2), with all seals), close-on-exec. It can be run
 * by its `pathForChildren`. Throws `SyscallError`, EACCES where the machine wants no such programs (`vm.memfd_noexec`).
 */
export function sealedCopy(name: string, content: Uint8Array): number {
  const descriptor = newMemoryFile(name);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(descriptor, content, at);
    sealFile(descriptor);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function newMemoryFile(name: string): number {
  const create = (flags: number) => check('memfd_create', memfdCreate(name, flags), `"${name}"`);
  try {
    return create(closeOnExec | allowSealing | executable);
  } catch (error) {
    if (!hasCode(error, 'EINVAL')) throw error;
    return create(closeOnExec | allowSealing);
  }
}
