import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SetElement } from './set-elements.ts';
import { WantedTable } from './wanted-table.ts';

const element = (key: string, data = 'x'): SetElement => ({
  set: 'endpoints',
  key: Buffer.from(key),
  data: Buffer.from(data),
});
const share = (...elements: SetElement[]) => ({ elements });
const shown = (elements: readonly SetElement[] = []) =>
  elements.map(({ key, data }) => `${key}=${data}`).join();

function changed(table: WantedTable) {
  const difference = table.change();
  difference?.done();
  return `-${shown(difference?.change.removedElements)} +${shown(difference?.change.addedElements)}`;
}

test('only what differs is changed, and nothing twice', () => {
  const table = new WantedTable();
  table.set('a', share(element('1'), element('2')));
  assert.equal(changed(table), '- +1=x,2=x');
  assert.equal(table.change(), undefined);
  table.set('a', share(element('1'), element('2', 'y'), element('3')));
  assert.equal(changed(table), '-2=x +2=y,3=x');
  table.set('a', undefined);
  assert.equal(changed(table), '-1=x,2=y,3=x +');
});

test('what two want stays until neither does; where they differ the first has it', () => {
  const table = new WantedTable();
  table.set('a', share(element('1', 'a')));
  table.set('b', share(element('1', 'b')));
  assert.equal(changed(table), '- +1=a');
  table.set('a', undefined);
  assert.equal(changed(table), '-1=a +1=b');
  table.set('b', undefined);
  assert.equal(changed(table), '-1=b +');
});

test('the first of two keeps what both want when it changes its mind, and all of it', () => {
  const table = new WantedTable();
  table.set('a', share(element('1', 'a')));
  table.set('b', share(element('1', 'b'), element('2', 'b')));
  assert.equal(changed(table), '- +1=a,2=b');
  table.set('a', share(element('1', 'c'), element('2', 'c')));
  assert.equal(changed(table), '-1=a,2=b +1=c,2=c');
  table.set('a', undefined);
  assert.equal(changed(table), '-1=c,2=c +1=b,2=b');
});

test('of what an earlier process left the difference alone is changed, chains too', () => {
  const table = new WantedTable();
  const chains = [{ name: 'choose-2', rules: [] }];
  table.set('a', { elements: [element('1'), element('2')], chains });
  table.assume({ elements: [element('2'), element('3')], chains: ['choose-7'] });
  const { change } = table.change() ?? {};
  assert.equal(`-${shown(change?.removedElements)} +${shown(change?.addedElements)}`, '-3=x +1=x');
  assert.deepEqual(change?.removedChains, ['choose-7']);
  assert.deepEqual(
    change?.addedChains?.map(({ name }) => name),
    ['choose-2'],
  );
});

test('a set goes with its last user, and what it holds is not taken out one by one', () => {
  const table = new WantedTable();
  const sets = [{ name: 'endpoints', key: ['address'] as const }];
  table.set('a', { sets });
  table.set('b', { sets, elements: [element('1')] });
  const first = table.change();
  assert.deepEqual(first?.change.addedSets, sets);
  first?.done();
  table.set('a', undefined);
  assert.equal(table.change(), undefined);
  table.set('b', undefined);
  const last = table.change();
  assert.deepEqual([last?.change.removedSets, last?.change.removedElements], [['endpoints'], []]);
  last?.done();
  table.set('c', { sets, elements: [element('1')] });
  assert.equal(shown(table.change()?.change.addedElements), '1=x');
});
