import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a group of steps tells stands in a file beside the programs; `WRITE=1` writes it anew. */
export function compareTold(group: string, told: string, complaint: string): void {
  const file = join(import.meta.dirname, 'expected', `${group}.txt`);
  if (process.env['WRITE'] === '1') writeFileSync(file, told);
  assert.deepEqual(told.split('\n'), readFileSync(file, 'utf8').split('\n'), complaint);
}
