import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm, stat, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeAtomically } from './atomic-writer.ts';
import type { Payload } from './payload.ts';

const payloadOf = (files: Record<string, string>, mode = 0o644): Payload =>
  new Map(Object.entries(files).map(([path, text]) => [path, { bytes: Buffer.from(text), mode }]));

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-volume-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('files are seen through ..data, with their modes', () =>
  withFolder(async (folder) => {
    assert.equal(
      await writeAtomically(folder, payloadOf({ a: '1', 'deep/b': '2' }, 0o400), { nowMs: 0 }),
      true,
    );
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), '1');
    assert.equal(await readFile(join(folder, 'deep/b'), 'utf8'), '2');
    assert.equal(await readlink(join(folder, 'a')), '..data/a');
    assert.equal((await stat(join(folder, 'a'))).mode & 0o777, 0o400);
  }));

test('a link has the owner of its file, as upstream', () =>
  withFolder(async (folder) => {
    const file = { bytes: Buffer.from('1'), mode: 0o600 };
    const payload: Payload = new Map();
    payload.set('token', { ...file, uid: 1000 }).set('a', file);
    await writeAtomically(folder, payload, { nowMs: 0 });
    const owners = ['token', 'a'].map((name) => lstatSync(join(folder, name)).uid);
    assert.deepEqual(owners, [1000, 0]);
  }));

test('the same content again changes nothing', () =>
  withFolder(async (folder) => {
    await writeAtomically(folder, payloadOf({ a: '1' }), { nowMs: 0 });
    const before = await readlink(join(folder, '..data'));
    assert.equal(await writeAtomically(folder, payloadOf({ a: '1' }), { nowMs: 0 }), false);
    assert.equal(await readlink(join(folder, '..data')), before);
  }));

test('a change swaps the folder, and takes away what is gone', () =>
  withFolder(async (folder) => {
    await writeAtomically(folder, payloadOf({ a: '1', b: '2' }), { nowMs: 0 });
    await writeAtomically(folder, payloadOf({ a: '3', c: '4' }), { nowMs: 0 });
    const names = (await readdir(folder)).filter((name) => !name.startsWith('..')).sort();
    assert.deepEqual(names, ['a', 'c']);
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), '3');
    const hidden = (await readdir(folder)).filter((name) => name.startsWith('..')).length;
    assert.equal(hidden, 2, 'only ..data and the folder it points to remain');
  }));

test('names that a killed kubelet had not linked any more are linked by the next one', () =>
  withFolder(async (folder) => {
    await writeAtomically(folder, payloadOf({ a: '1', b: '2' }), { nowMs: 0 });
    await unlink(join(folder, 'a'));
    await symlink('..data/old', join(folder, 'old'));
    assert.equal(await writeAtomically(folder, payloadOf({ a: '1', b: '2' }), { nowMs: 0 }), false);
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), '1');
    assert.deepEqual((await readdir(folder)).filter((name) => !name.startsWith('..')).sort(), ['a', 'b']);
  }));

test('places for what is mounted below are there from the beginning, and stay when files change', () =>
  withFolder(async (folder) => {
    const nested = ['data', 'deep/down'];
    await writeAtomically(folder, payloadOf({ a: '1' }), { nowMs: 0, nested });
    await writeAtomically(folder, payloadOf({ b: '1' }), { nowMs: 0, nested });
    assert.deepEqual((await readdir(folder)).filter((name) => !name.startsWith('..')).sort(), [
      ...['b', 'data', 'deep'],
    ]);
    assert.equal((await stat(join(folder, 'deep/down'))).mode & 0o777, 0o755);
    await writeAtomically(folder, payloadOf({ b: '1', 'keys/c': '1' }), {
      nowMs: 0,
      nested: ['keys/d', 'b'],
    });
    assert.ok((await stat(join(folder, 'keys/d'))).isDirectory());
    assert.equal(await readFile(join(folder, 'b'), 'utf8'), '1', 'a file may be mounted over');
  }));

test('paths that mean the same are the same file', () =>
  withFolder(async (folder) => {
    const payload = payloadOf({ 'deep//a': '1', 'deep/a': '2', './b/': '3' });
    await writeAtomically(folder, payload, { nowMs: 0 });
    assert.equal(await readFile(join(folder, 'deep/a'), 'utf8'), '2');
    assert.equal(await readFile(join(folder, 'b'), 'utf8'), '3');
    assert.equal(await writeAtomically(folder, payload, { nowMs: 0 }), false);
  }));

test('thousands of files leave others their turns, when they are written and when they are looked at', () =>
  withFolder(async (folder) => {
    const payload = payloadOf(
      Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`key-${at}`, 'x'])),
    );
    for (const wanted of [true, false]) {
      let turns = 0;
      const count = () => {
        turns += 1;
        pending = setImmediate(count);
      };
      let pending = setImmediate(count);
      assert.equal(await writeAtomically(folder, payload, { nowMs: 0 }), wanted);
      clearImmediate(pending);
      assert.ok(turns > 20, `${turns} turns while 3,000 files were in hand`);
    }
  }));

test('a path that is longer than a path may be is refused, before folders are made of it', () =>
  withFolder(async (folder) => {
    const long = [`${'a/'.repeat(3_000)}b`, 'x'.repeat(256)];
    for (const path of long)
      await assert.rejects(
        writeAtomically(folder, payloadOf({ [path]: '1' }), { nowMs: 0 }),
        /must be less than or equal to/,
      );
    assert.deepEqual(await readdir(folder), []);
  }));

test('a path out of the folder is refused', () =>
  withFolder(async (folder) => {
    await assert.rejects(writeAtomically(folder, payloadOf({ '../x': '1' }), { nowMs: 0 }), /invalid path/);
    await assert.rejects(writeAtomically(folder, payloadOf({ '/x': '1' }), { nowMs: 0 }), /invalid path/);
    await assert.rejects(writeAtomically(folder, payloadOf({ 'a/../x': '1' }), { nowMs: 0 }), /invalid path/);
    await assert.rejects(writeAtomically(folder, payloadOf({ './..x': '1' }), { nowMs: 0 }), /invalid path/);
  }));

test('a group is given every folder of the volume, and new files in them are its own too', () =>
  withFolder(async (folder) => {
    await writeAtomically(folder, payloadOf({ 'deep/er/a': '1' }), { nowMs: 0, gid: 4242 });
    for (const [path, mode] of [
      ['.', 0o2770],
      ['..data', 0o2755],
      ['..data/deep/er', 0o2755],
    ] as const) {
      const stats = await stat(join(folder, path));
      assert.deepEqual([stats.gid, stats.mode & 0o7777], [4242, mode], path);
    }
  }));
