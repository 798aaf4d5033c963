import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type KeptTable, TableKeeper } from './table-keeper.ts';

class FakeTable implements KeptTable {
  readonly done: string[] = [];
  isMissing = false;
  isKnown = true;
  refusal: string | undefined;

  isComplete(): boolean {
    return this.isKnown;
  }
  async settle(): Promise<void> {
    this.done.push('settle');
    this.isMissing = false;
  }
  apply(): void {
    if (this.refusal) throw new Error(this.refusal);
    this.done.push('apply');
  }
  lost(): void {
    this.done.push('lost');
  }
  failed(error: unknown): void {
    this.done.push(`failed: ${(error as Error).message}`);
  }
}

function keep(table: FakeTable) {
  const clock = new FakeClock();
  const keeper = new TableKeeper({ table, clock, retryMs: 1_000, checkMs: 5_000 });
  return { keeper, pass: (ms: number) => clock.advanceAsync(ms) };
}

test('a table that is there stays as it is until all is known; one that is missing is made at once', async () => {
  const table = new FakeTable();
  table.isKnown = false;
  const { keeper, pass } = keep(table);
  keeper.look();
  await pass(0);
  assert.deepEqual(table.done, []);
  table.isMissing = true;
  keeper.look();
  await pass(0);
  assert.deepEqual(table.done, ['settle']);
  table.isKnown = true;
  keeper.look();
  keeper.look();
  await pass(0);
  assert.deepEqual(table.done, ['settle', 'settle', 'apply']);
});

test('what the kernel refuses is told once and tried again on the table as it then is', async () => {
  const table = new FakeTable();
  table.refusal = 'no';
  const { keeper, pass } = keep(table);
  keeper.look();
  await pass(0);
  await pass(1_000);
  assert.deepEqual(table.done, ['settle', 'failed: no', 'settle']);
  table.refusal = undefined;
  await pass(1_000);
  assert.deepEqual(table.done.slice(3), ['settle', 'apply']);
});

test('a table that somebody else has flushed is made again, though nothing changes', async () => {
  const table = new FakeTable();
  const { keeper, pass } = keep(table);
  keeper.look();
  await pass(0);
  table.done.length = 0;
  await pass(5_000);
  assert.ok(!table.done.includes('settle'), 'a table that is there is let be');
  table.done.length = 0;
  table.isMissing = true;
  await pass(5_000);
  assert.deepEqual(table.done, ['lost', 'settle', 'apply']);
});

test('nothing is done after the end', async () => {
  const table = new FakeTable();
  const { keeper, pass } = keep(table);
  keeper.look();
  await keeper.close();
  await pass(10_000);
  assert.deepEqual(table.done, []);
});
