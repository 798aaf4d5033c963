/** Python's clients at Kubernetes' own API server: the same answers as at ours, step by step, but for those named here. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { pythonEnvironment } from '../pythonclients/build.ts';
import { TwoServers } from './two-servers.ts';

let two: TwoServers;
let programs: string;

before(async () => {
  programs = pythonEnvironment('python-clients', 'requirements.txt');
  two = await TwoServers.start({ port: 16_883, etcdPort: 24_294 });
});
after(() => two?.close());

/** Steps that come out otherwise at ours; docs/LIMITS.md says how. */
const otherwise: ReadonlySet<string> = new Set(['json patch that does not fit']);

for (const program of ['kr8s', 'lightkube', 'asyncio'])
  test(`${program}: the same at both`, async () => {
    const judge = join(import.meta.dirname, '../pythonclients', `${program}_judge.py`);
    const [ours, theirs] = await Promise.all(
      two.urls.map(async (url, index) => {
        const words = ['-B', '-W', 'ignore', judge, 'objects', two.kubeconfigOf(url, String(index)), 'none'];
        const { code, stdout, stderr } = await run(join(programs, 'python'), words, { timeoutMs: 180_000 });
        assert.equal(code, 0, stderr);
        return stdout.split('\n').filter((line) => !otherwise.has(line.split('\t')[0] ?? ''));
      }),
    );
    assert.deepEqual(ours, theirs);
  });
