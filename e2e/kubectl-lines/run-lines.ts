import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../command.ts';
import { buildTestImage } from '../image.ts';
import { TestNode } from '../node.ts';
import { changes } from './changes.ts';
import { generators } from './generators.ts';
import { images } from './lines.ts';
import { looking } from './looking.ts';
import { podsAndNodes } from './pods-and-nodes.ts';
import { rollouts } from './rollouts.ts';

const topics = { generators, rollouts, changes, looking, 'pods and nodes': podsAndNodes };

/** Tests every line that a kubectl of this minor version has; `program` gives its path. Default: the one on PATH. */
export function testLines(minor: number, program?: () => string | Promise<string>): void {
  let node: TestNode;
  let folder: string;
  let path = process.env['PATH'] ?? '';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-lines-'));
    if (program) path = `${dirname(await program())}:${path}`;
    node = await TestNode.start();
    for (const name of images) await buildTestImage(node.dataDir, name);
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await node?.remove();
  });

  for (const [topic, all] of Object.entries(topics)) {
    for (const { line, says, code = 0, since = 0 } of all) {
      const skip = since > minor && `came with 1.${since}`;
      test(`${topic}: ${line}`, { skip }, async () => {
        const env = { KUBECONFIG: node.kubeconfig, HOME: folder, PATH: path };
        const finished = await run('sh', ['-c', `cd ${folder}; ${line}`], { env, timeoutMs: 120_000 });
        const said = finished.stdout + finished.stderr;
        assert.match(said, says);
        assert.equal(finished.code, code, said);
      });
    }
  }
}
