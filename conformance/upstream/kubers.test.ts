/** kube-rs at Kubernetes' own API server: the same answers as at ours, step by step, but for those that are named here. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { buildKubers } from '../kubers/build.ts';
import { TwoServers } from './two-servers.ts';

let two: TwoServers;
let program: string;

before(async () => {
  program = await buildKubers();
  two = await TwoServers.start({ port: 16_879, etcdPort: 24_290 });
});
after(() => two?.close());

/** Steps that come out otherwise at ours; docs/LIMITS.md says how. */
const otherwise: ReadonlySet<string> = new Set([
  ...['JSON patch whose test fails', 'apply of an unknown field, strictly', 'watch from no version'],
  ...['a version on creation', 'another kind', 'another version'],
  ...['apply of a scale', 'an unknown field applied, strictly'],
]);

for (const group of [
  ...['resources', 'discovery', 'verbs', 'errors', 'subresources', 'access', 'custom'],
  ...['runtime', 'operator', 'webhooks'],
])
  test(`${group}: the same at both`, async () => {
    const [ours, theirs] = await Promise.all(
      two.urls.map(async (url, index) => {
        const words = [group, two.kubeconfigOf(url, String(index))];
        const { code, stdout, stderr } = await run(program, words, { timeoutMs: 180_000 });
        assert.equal(code, 0, stderr);
        const lines = stdout.split('\n').filter((line) => !line.startsWith('metrics.k8s.io/'));
        return lines.map((line) => line.split('\t')).map(([name = '', ...told]) => ({ name, told }));
      }),
    );
    const odd = (lines: typeof ours, others: typeof theirs) =>
      lines?.filter((line, at) => line.told.join() !== others?.[at]?.told.join()).map(({ name }) => name);
    assert.deepEqual(
      ours?.filter(({ name }) => !otherwise.has(name)),
      theirs?.filter(({ name }) => !otherwise.has(name)),
    );
    const expected = ours?.map(({ name }) => name).filter((name) => otherwise.has(name));
    assert.deepEqual(odd(ours, theirs), expected, 'it is the same by now: take it off the list');
  });
