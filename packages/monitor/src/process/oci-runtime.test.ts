import assert from 'node:assert/strict';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { Poller } from '@wherry/linux';
import { temporaryFolder } from '../../test/bundle.ts';
import { OciRuntime } from './oci-runtime.ts';

const { path: folder, remove } = temporaryFolder('oci');
const poller = new Poller();
after(() => {
  poller.close();
  remove();
});

/** A program that logs where it is told to (`--root R --log L …`) and ends with `code`. */
function program(code: number): string {
  const path = join(folder, `ends-with-${code}`);
  writeFileSync(path, `#!/bin/sh\necho '{"level":"error","msg":"so it is"}' > "$4"\nexit ${code}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('once a call has ended its log is gone, so that its folder can be removed whole', async () => {
  for (const code of [0, 1]) {
    const runtime = new OciRuntime({
      program: program(code),
      root: folder,
      onCallEnded: () => {},
      tools: { poller, clock: systemClock },
    });
    const call = runtime.call({ arguments: ['delete', 'c'], logPath: join(folder, 'oci-delete.log') });
    if (code === 0) await call;
    else await assert.rejects(call, /so it is/);
    assert.ok(!readdirSync(folder).includes('oci-delete.log'));
  }
});
