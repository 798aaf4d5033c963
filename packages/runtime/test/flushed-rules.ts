/** Flushes all rules of this network namespace under a bridge with pods, and prints what becomes of them. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Protocol } from '@wherry/cri';
import { OwnBridge, reaches } from './own-bridge.ts';

const nft = (...words: string[]) => execFileSync('nft', words, { encoding: 'utf8' });
const port = { protocol: Protocol.TCP, containerPort: 80, hostIp: '' };
const patienceMs = 12_000;
/** The elements of a set come in no order. */
const rules = () =>
  nft('list', 'ruleset')
    .split(/[\n,{}]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .sort();
async function untilRules(count: number): Promise<void> {
  const end = Date.now() + patienceMs;
  while (rules().length < count && Date.now() < end) await sleep(100);
}

execFileSync('ip', ['link', 'set', 'lo', 'up']);
const bridge = await OwnBridge.open();
try {
  const one = await bridge.runPod('one', [{ ...port, hostPort: 8080 }]);
  const before = rules();
  const leaving = await bridge.runPod('leaving', [{ ...port, hostPort: 8081 }]);
  nft('flush', 'ruleset');
  await leaving.release();
  const refused = await bridge.runPod('early').then(
    () => 'started',
    () => 'refused',
  );
  await untilRules(before.length);
  // The cable of who left is let go of a little later.
  await sleep(3_000);
  const after = rules();
  const late = await bridge.runPod('late', [{ ...port, hostPort: 8081 }]);
  const reached = reaches(late, one);
  nft('delete', 'table', 'bridge', 'wherry-pods');
  await untilRules(before.length);
  const pinned = nft('list', 'set', 'bridge', 'wherry-pods', 'cables');
  const cables = pinned.match(/"wv\w+"/g)?.length;
  console.log(JSON.stringify({ before, after, refused, reached, cables }));
} finally {
  await bridge.close();
}
