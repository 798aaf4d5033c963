import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { closeDescriptor, pathForChildren } from '../descriptor/descriptor.ts';
import { sealedCopy } from './sealed-copy.ts';
import { tinyProgram } from './tiny-program.ts';
import { runsX32 } from './x32.ts';

/** `exit(-getpid())` with x32's number of getpid: 38, which is ENOSYS, where the kernel does not know it. */
const callOfX32 = Buffer.from('b8270000400f05f7d889c7b83c0000000f05', 'hex');

test("programs of x32 run where the kernel answers x32's calls", { skip: process.arch !== 'x64' }, () => {
  const program = tinyProgram({ x64: callOfX32, arm64: Buffer.alloc(0) });
  assert.ok(program);
  const descriptor = sealedCopy('call-of-x32', program);
  try {
    const { status } = spawnSync(pathForChildren(descriptor));
    assert.equal(runsX32(), status !== 38);
  } finally {
    closeDescriptor(descriptor);
  }
});
