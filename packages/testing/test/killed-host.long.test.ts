import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { leftIn, startProgram, tracesOfHost, untilNothingIsLeft } from './machine.ts';

it('clears what is left when the process behind the tests is killed as well', async () => {
  const program = join(import.meta.dirname, 'waiting-program.ts');
  const { child, ended, said } = await startProgram<{ folder: string }>(program, ['node']);
  const during = await tracesOfHost(said.folder);
  const owner = JSON.parse(readFileSync(join(said.folder, 'owner.json'), 'utf8')) as { pid: number };
  process.kill(owner.pid, 'SIGKILL');
  child.kill('SIGKILL');
  await ended;
  assert.notDeepEqual(leftIn(await tracesOfHost(said.folder)), []);
  const next = await startProgram<object>(program, ['api']);
  try {
    assert.deepEqual(leftIn(await untilNothingIsLeft(said.folder, during.interfaces, 30_000)), []);
  } finally {
    next.child.kill('SIGKILL');
    await next.ended;
  }
});
