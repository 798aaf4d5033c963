import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needProgram, needRoot } from '../../test/needs.ts';

needRoot();
needProgram('/usr/sbin/nft', 'nftables');

/** Run in a network namespace of its own. */
const lines = `
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { addElements, chainsOf, elementsOf, keyPart, pinNamespaces, removeElements, runNft } from '@wherry/linux';
import { unpinNamespace, withNetworkNamespace } from '@wherry/linux';
const table = { family: 'ip', name: 'mine' };
await runNft('table ip mine { set s { type ipv4_addr; }; chain c { accept; }; }' + String.fromCharCode(10));
// Those of processes: the kernel's own is port 0.
const netfilterSockets = () => readFileSync('/proc/thread-self/net/netlink', 'utf8').match(/^[0-9a-f]+ 12 +[1-9-]/gm)?.length;
const element = { set: 's', key: keyPart.address('10.0.0.1') };
for (let turn = 0; turn < 20; turn += 1) {
  addElements(table, [element]);
  removeElements(table, [element]);
}
const refused = (() => { try { removeElements(table, [element]); } catch ({ code }) { return code; } })();
addElements(table, [element]);
const told = [netfilterSockets(), refused, elementsOf(table, 's').length];
const directory = mkdtempSync('/tmp/wherry-netfilter-');
try {
  const { net } = pinNamespaces({ types: ['net'], directory });
  const there = withNetworkNamespace(net, () => [chainsOf(table) ?? 'none', netfilterSockets()]);
  unpinNamespace(net);
  console.log(JSON.stringify([...told, there, chainsOf(table), netfilterSockets()]));
} finally {
  rmSync(directory, { recursive: true });
}
`;

test('changes of tables go through one socket, and reach the tables of the namespace that the thread is in', () => {
  const words = ['--net', process.execPath, '--input-type=module', '--eval', lines];
  const output = execFileSync('unshare', words, { encoding: 'utf8', cwd: import.meta.dirname });
  assert.deepEqual(JSON.parse(output), [1, 'ENOENT', 1, ['none', 1], ['c'], 1]);
});
