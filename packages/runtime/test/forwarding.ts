/** Connects two pods by a bridge of this network namespace, whose chain FORWARD drops all, and prints what each reaches. */
import { execFileSync } from 'node:child_process';
import { acceptForwarded, withdrawForwarded } from '@wherry/linux';
import { OwnBridge, reaches } from './own-bridge.ts';

const families = ['ip', 'ip6'] as const;
const nft = (...words: string[]) => execFileSync('nft', words, { encoding: 'utf8' });
execFileSync('ip', ['link', 'set', 'lo', 'up']);
for (const family of families) {
  nft(`add table ${family} filter`);
  nft(`add chain ${family} filter FORWARD { type filter hook forward priority 0; policy drop; }`);
}
nft('add rule ip filter FORWARD tcp dport 7 drop');

const bridge = await OwnBridge.open();
try {
  const one = await bridge.runPod('one');
  const two = await bridge.runPod('two');
  const first = reaches(one, two);
  for (const family of families) await acceptForwarded(family, 'pods');
  const rules = families.map((family) => nft('list', 'chain', family, 'filter', 'FORWARD'));
  for (const family of families) await withdrawForwarded(family, 'pods');
  const without = reaches(one, two);
  const rest = families.map((family) => nft('list', 'chain', family, 'filter', 'FORWARD'));
  console.log(JSON.stringify({ first, without, rules, rest }));
} finally {
  await bridge.close();
}
