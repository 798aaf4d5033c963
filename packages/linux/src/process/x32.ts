import { closeDescriptor, pathForChildren } from '../descriptor/descriptor.ts';
import { hasCode } from '../errors.ts';
import { reap } from './process.ts';
import { sealedCopy } from './sealed-copy.ts';
import { spawnProgram } from './spawn.ts';

/** `exit(0)` by x32's number of that call. */
const endsAtOnce = Buffer.from('b83c00004031ff0f05', 'hex');
const headerBytes = 52;
const programHeaderBytes = 32;
const base = 0x400000;

/** A program of x32: machine code of x86-64 in an ELF file of 32 bits (elf(5)). */
function x32Program(): Buffer {
  const start = headerBytes + programHeaderBytes;
  const header = Buffer.alloc(start);
  header.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(62, 18);
  header.writeUInt32LE(1, 20);
  header.writeUInt32LE(base + start, 24);
  header.writeUInt32LE(headerBytes, 28);
  header.writeUInt16LE(headerBytes, 40);
  header.writeUInt16LE(programHeaderBytes, 42);
  header.writeUInt16LE(1, 44);
  const size = start + endsAtOnce.length;
  const loadable = [1, 0, base, base, size, size, 5, 0x1000];
  for (const [index, value] of loadable.entries()) header.writeUInt32LE(value, headerBytes + index * 4);
  return Buffer.concat([header, endsAtOnce]);
}

let answer: boolean | undefined;

/**
 * Whether the kernel runs programs of x32, x86-64's ABI of 32-bit pointers, which most are built without: tried once, by
 * one. True too where it can't be tried.
 */
export function runsX32(): boolean {
  answer ??= process.arch === 'x64' && tryX32();
  return answer;
}

function tryX32(): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = sealedCopy('x32', x32Program());
    const program = pathForChildren(descriptor);
    const stdio = ['ignore', 'ignore', 'ignore'] as const;
    const pid = spawnProgram({ program, arguments: [], environment: {}, stdio });
    while (reap(pid).state === 'running');
    return true;
  } catch (error) {
    return !hasCode(error, 'ENOEXEC');
  } finally {
    if (descriptor !== undefined) closeDescriptor(descriptor);
  }
}
