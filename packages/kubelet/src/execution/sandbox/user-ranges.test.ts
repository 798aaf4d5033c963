import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { NodePaths } from '../../ground/node-paths.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { subordinateIds } from './subordinate-ids.ts';
import { UserRanges } from './user-ranges.ts';

const rootDir = mkdtempSync(join(tmpdir(), 'wherry-ranges-'));
after(() => rmSync(rootDir, { recursive: true }));
const paths = new NodePaths({ rootDir, podLogsDir: join(rootDir, 'logs') });
const ids = { firstId: 65_536, count: 131_072, idsPerPod: 65_536 };

function podOf(uid: string, hostUsers?: boolean): AssignedPod {
  mkdirSync(paths.podDir(uid), { recursive: true });
  const metadata = { uid, name: uid, namespace: 'default' };
  return { metadata, spec: { containers: [], hostUsers } } as unknown as AssignedPod;
}
const firstOf = (ranges: UserRanges, pod: AssignedPod) => ranges.usersOf(pod).uids?.[0]?.hostId;

describe('ranges of ids for pods', () => {
  it('no two pods share one, a restarted kubelet keeps them, and one that is released can be had again', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((uid) => podOf(uid, false)) as [
      AssignedPod,
      AssignedPod,
      AssignedPod,
    ];
    const ranges = new UserRanges({ paths, ids });
    assert.deepEqual(ranges.usersOf(podOf('plain')), { mode: 2 });
    assert.deepEqual(
      [a, b, a].map((pod) => firstOf(ranges, pod)),
      [65_536, 131_072, 65_536],
    );
    assert.throws(() => ranges.usersOf(c), /could not find an empty slot/);
    const again = new UserRanges({ paths, ids });
    again.release('a');
    assert.ok(!existsSync(join(paths.podDir('a'), 'userns')));
    assert.deepEqual(
      [b, c].map((pod) => firstOf(again, pod)),
      [131_072, 65_536],
    );
    assert.deepEqual(JSON.parse(readFileSync(join(paths.podDir('b'), 'userns'), 'utf8')).gidMappings, [
      { hostId: 131_072, containerId: 0, length: 65_536 },
    ]);
  });

  it('are those subordinate to the user kubelet, or begin at the second', () => {
    const asked = { idsPerPod: 0, maxPods: 110 };
    assert.deepEqual(
      subordinateIds(asked, () => undefined),
      { firstId: 65_536, count: 4_294_836_224, idsPerPod: 65_536 },
    );
    assert.equal(subordinateIds(asked, () => '0: kubelet 65536 7208960\n').count, 7_208_960);
    assert.throws(() => subordinateIds(asked, () => '0: kubelet 65536 65536\n'), /not enough for 110 pods/);
    assert.throws(() => subordinateIds(asked, () => '0: kubelet 100000 7208960\n'), /begin at 100000/);
    for (const past of ['4294967296 7208960', '65536 4294967296', '-1 7208960', '65536'])
      assert.throws(() => subordinateIds(asked, () => `0: kubelet ${past}\n`), /want one range/);
    assert.throws(
      () => subordinateIds(asked, (kind) => `0: kubelet ${kind} 1\n`),
      /mismatched subuids and subgids/,
    );
    assert.throws(
      () => subordinateIds({ idsPerPod: 1000, maxPods: 1 }, () => undefined),
      /not a multiple of 65536/,
    );
  });
});
