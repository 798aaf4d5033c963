import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { needRoot } from '../../test/needs.ts';
import { parseMountInfo } from '../filesystem/mountinfo.ts';
import { createGroup, killGroup, processesOf, removeGroup, writeGroupFile } from './group.ts';
import { detectCgroups, foldersAt, foldersOfProcess, parseProcessCgroups } from './layout.ts';
import { readOutOfMemoryKills, readStats } from './stats.ts';

const hybrid = `31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory
40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
`;
const pure = '41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n';

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-cgroup-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function files(name: string, contents: Record<string, string>): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(contents)) writeFileSync(join(path, file), text);
  return path;
}

test('the three ways to mount control groups are told apart', () => {
  const layout = detectCgroups(parseMountInfo(hybrid));
  assert.equal(layout.version, 'hybrid');
  assert.deepEqual([...layout.controllers.keys()], ['cpu', 'cpuacct', 'memory', 'name=systemd']);
  assert.equal(detectCgroups(parseMountInfo(pure)).version, 'v2');
  assert.equal(detectCgroups(parseMountInfo(hybrid.replace(/^41.*\n/m, ''))).version, 'v1');
  assert.throws(() => detectCgroups([]), /no cgroup file system/);
});

test('a process’s groups are found in each tree', () => {
  const layout = detectCgroups(parseMountInfo(hybrid));
  const folders = parseProcessCgroups(
    layout,
    '4:memory:/pod/a\n2:cpu,cpuacct:/pod/b\n1:name=systemd:/\n0::/pod/c\n',
  );
  assert.equal(folders.controllers.get('memory'), '/sys/fs/cgroup/memory/pod/a');
  assert.equal(folders.controllers.get('cpuacct'), '/sys/fs/cgroup/cpu,cpuacct/pod/b');
  assert.equal(folders.unified, '/sys/fs/cgroup/unified/pod/c');
});

test('v2 counters: working set is usage less inactive file pages, "max" is no limit', () => {
  const unified = files('v2', {
    'cgroup.procs': '',
    'cpu.stat': 'usage_usec 1234\nuser_usec 1\n',
    'memory.current': '1000\n',
    'memory.max': 'max\n',
    'memory.stat': 'anon 300\nfile 700\ninactive_file 250\npgfault 7\npgmajfault 2\n',
    'memory.swap.current': '9\n',
    'memory.events': 'low 0\noom 2\noom_kill 3\n',
    'pids.current': '4\n',
  });
  assert.deepEqual(readStats({ controllers: new Map(), unified }), {
    cpuUsageNs: 1_234_000,
    memoryUsageBytes: 1000,
    workingSetBytes: 750,
    residentBytes: 300,
    memoryLimitBytes: Number.POSITIVE_INFINITY,
    pageFaults: 7,
    majorPageFaults: 2,
    swapUsageBytes: 9,
    processCount: 4,
  });
  assert.equal(readOutOfMemoryKills({ controllers: new Map(), unified }), 3);
  assert.equal(readStats({ controllers: new Map(), unified: join(folder, 'gone') }), null);
});

test('v1 counters come from the totals of the hierarchy', () => {
  const memory = files('v1', {
    'cgroup.procs': '',
    'memory.usage_in_bytes': '1000\n',
    'memory.limit_in_bytes': '9223372036854771712\n',
    'memory.stat': 'rss 1\ntotal_rss 300\ntotal_inactive_file 400\ntotal_pgfault 5\ntotal_pgmajfault 6\n',
    'memory.oom_control': 'oom_kill_disable 0\nunder_oom 0\noom_kill 2\n',
    'cpuacct.usage': '777\n',
    'pids.current': '3\n',
  });
  const folders = {
    controllers: new Map(['memory', 'cpuacct', 'pids'].map((name) => [name, memory])),
    unified: null,
  };
  const stats = readStats(folders);
  assert.deepEqual(
    [stats?.cpuUsageNs, stats?.workingSetBytes, stats?.memoryLimitBytes, stats?.processCount],
    [777, 600, Number.POSITIVE_INFINITY, 3],
  );
  assert.equal(readOutOfMemoryKills(folders), 2);
});

test('a group of the machine is made, limited, measured and removed', () => {
  needRoot();
  const layout = detectCgroups();
  const folders = foldersAt(layout, `/wherry-test-group-${process.pid}/inner`);
  createGroup(folders);
  try {
    writeGroupFile(folders, 'pids.max', '50');
    assert.equal(readStats(folders)?.processCount, 0);
    assert.deepEqual(processesOf(folders), []);
    assert.equal(killGroup(folders), true);
  } finally {
    removeGroup(foldersAt(layout, `/wherry-test-group-${process.pid}`));
  }
  assert.equal(readStats(folders), null);
  removeGroup(folders);
});

test('a group with the host’s own processes is never killed', () => {
  assert.throws(() => killGroup(foldersOfProcess(detectCgroups(), process.pid)), /host's own processes/);
});
