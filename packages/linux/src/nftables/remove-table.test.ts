import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needProgram, needRoot } from '../../test/needs.ts';

needRoot();
needProgram('/usr/sbin/nft', 'nftables');

const lines = `
import { chainsOf, removeTable, runNft } from '@wherry/linux';
const table = { family: 'ip', name: 'mine' };
await runNft([
  'add table ip mine',
  'add map ip mine m { type ipv4_addr : verdict; elements = { 10.0.0.1 : accept }; }',
  'add chain ip mine c',
  'add rule ip mine c ip saddr vmap @m',
].join(String.fromCharCode(10)));
await runNft('table ip others { chain c { accept; }; }');
const before = chainsOf(table);
removeTable(table);
removeTable(table);
console.log(JSON.stringify([before, chainsOf(table) ?? 'none', chainsOf({ family: 'ip', name: 'others' })]));
`;

test('a table goes with its maps and chains, twice is fine, and other tables stay', () => {
  const words = ['--net', process.execPath, '--input-type=module', '--eval', lines];
  const output = execFileSync('unshare', words, { encoding: 'utf8', cwd: import.meta.dirname });
  assert.deepEqual(JSON.parse(output), [['c'], 'none', ['c']]);
});
