import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyOf, giveMemory, type MemoryBlock, type MemoryTable } from './memory-table.ts';
import { isSameMemory } from './same-memory.ts';

const cell = { total: 100, systemReserved: 10, allocatable: 90, reserved: 0, free: 90 };
const machine = (): MemoryTable =>
  copyOf(
    new Map(
      [0, 1, 2].map((id) => [id, { assignments: 0, memory: new Map([['memory', cell]]), group: [id] }]),
    ),
  );
const block = (nodes: number[], sizeBytes: number): MemoryBlock => ({ nodes, type: 'memory', sizeBytes });

test('memory that a container took over from an init container on several nodes counts in sum', () => {
  const record = machine();
  giveMemory(record, block([1, 0], 30), 30);
  giveMemory(record, block([1], 20), 20);
  const expected = machine();
  const blocks = [block([1], 20), block([0, 1], 30)];
  for (const each of blocks) giveMemory(expected, each, each.sizeBytes);
  assert.equal(record.get(0)?.memory.get('memory')?.free, 90);
  assert.equal(expected.get(0)?.memory.get('memory')?.free, 60);
  assert.ok(isSameMemory(record, expected, blocks));
});

test('other memory, or memory that is given otherwise, is not the same', () => {
  const blocks = [block([0], 30)];
  const given = (of: MemoryBlock) => {
    const table = machine();
    giveMemory(table, of, of.sizeBytes);
    return table;
  };
  assert.ok(isSameMemory(given(block([0], 30)), given(block([0], 30)), blocks));
  assert.ok(!isSameMemory(given(block([2], 30)), given(block([0], 30)), blocks));
  assert.ok(!isSameMemory(given(block([0], 29)), given(block([0], 30)), blocks));
  const larger = machine();
  larger.get(2)!.memory.get('memory')!.total = 200;
  assert.ok(!isSameMemory(machine(), larger, []));
});
