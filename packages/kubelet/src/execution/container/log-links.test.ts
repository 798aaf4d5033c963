import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import { LogLinks } from './log-links.ts';

let folder: string;
let paths: NodePaths;
let links: LogLinks;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-links-'));
  paths = new NodePaths({ rootDir: join(folder, 'root'), podLogsDir: join(folder, 'pods') });
  links = new LogLinks({ paths, logger: silentLogger });
});
afterEach(() => rmSync(folder, { recursive: true }));

const of = pod({ containers: [container('a')] });
const names = () => readdirSync(paths.containerLogsDir);

test('the log of a started container is found where collectors look, once', () => {
  for (let times = 0; times < 2; times += 1) links.add(of, 'a', { id: 'abc', logPath: 'a/0.log' });
  assert.deepEqual(names(), ['p_default_a-abc.log']);
  const target = readlinkSync(join(paths.containerLogsDir, 'p_default_a-abc.log'));
  assert.equal(target, join(folder, 'pods', 'default_p_uid-1', 'a', '0.log'));
});

test('a name that is too long for a file is cut', () => {
  const long = pod({ containers: [container('a')] }, { name: 'n'.repeat(253) });
  links.add(long, 'a', { id: 'abc', logPath: 'a/0.log' });
  assert.deepEqual(
    names().map(({ length }) => length),
    [255],
  );
});

test('links that lead nowhere go, but for those of containers that run and those of others', () => {
  links.add(of, 'a', { id: 'gone', logPath: 'a/0.log' });
  links.add(of, 'a', { id: 'runs', logPath: 'a/1.log' });
  links.add(of, 'a', { id: 'there', logPath: 'a/2.log' });
  mkdirSync(join(paths.podLogDir(of), 'a'), { recursive: true });
  writeFileSync(join(paths.podLogDir(of), 'a/2.log'), '');
  symlinkSync('/nowhere/of/others', join(paths.containerLogsDir, 'x_y_z-gone.log'));
  writeFileSync(join(paths.containerLogsDir, 'file.log'), '');
  links.removeStale((id) => id === 'runs');
  assert.deepEqual(names().sort(), [
    'file.log',
    'p_default_a-runs.log',
    'p_default_a-there.log',
    'x_y_z-gone.log',
  ]);
});

test('nothing is made outside of the folder', () => {
  links.add(of, 'a', { id: '../../escaped', logPath: 'a/0.log' });
  assert.throws(names, { code: 'ENOENT' });
});
