import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { needRoot } from '../../test/needs.ts';
import { parseMountInfo } from '../filesystem/mountinfo.ts';
import { readFigures } from './figures.ts';
import { createGroup, killGroup, processesOf, removeGroup, writeGroupFile } from './group.ts';
import { detectCgroups, foldersAt, foldersOfProcess, parseProcessCgroups } from './layout.ts';
import { readPressure } from './pressure.ts';
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
    'memory.swap.max': '100\n',
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
    swapLimitBytes: 100,
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

test('a full reading of v2 tells quota, kinds of memory, block devices and the bound of tasks', () => {
  const unified = files('v2-figures', {
    'cgroup.procs': '1\n',
    'cpu.stat':
      'usage_usec 30\nuser_usec 20\nsystem_usec 10\nnr_periods 5\nnr_throttled 2\nthrottled_usec 7\n',
    'cpu.max': '50000 100000\n',
    'cpu.weight': '1\n',
    'memory.stat': 'anon 300\nfile 700\nfile_mapped 12\nkernel 40\nactive_file 450\ninactive_file 250\n',
    'memory.peak': '2000\n',
    'memory.swap.max': 'max\n',
    'memory.events': 'max 3\noom_kill 1\n',
    'io.stat': '8:0 rbytes=100 wbytes=200 rios=3 wios=4 dbytes=0 dios=0\n253:0\n',
    'pids.max': 'max\n',
    'io.pressure':
      'some avg10=1.50 avg60=0.20 avg300=0.00 total=42\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n',
  });
  const { stats: _, ...figures } = readFigures({ controllers: new Map(), unified }) ?? assert.fail('gone');
  assert.deepEqual(figures, {
    cpu: {
      ...{ userNs: 20_000, systemNs: 10_000, periods: 5, throttledPeriods: 2, throttledNs: 7_000 },
      ...{ quotaUs: 50_000, periodUs: 100_000, shares: 2 },
    },
    memory: {
      ...{ cacheBytes: 700, mappedBytes: 12, kernelBytes: 40, mostBytes: 2000, activeFileBytes: 450 },
      ...{ inactiveFileBytes: 250, limitHits: 3, swapLimitBytes: Infinity, reservationBytes: 0 },
      outOfMemoryKills: 1,
    },
    blocks: [{ device: '8:0', readBytes: 100, writtenBytes: 200, reads: 3, writes: 4 }],
    tasksMax: Number.POSITIVE_INFINITY,
  });
  assert.deepEqual(readPressure(unified, 'io')?.some, { totalNs: 42_000, avg10: 1.5, avg60: 0.2, avg300: 0 });
  assert.equal(readPressure(unified, 'cpu'), undefined);
});

test('a full reading of v1 tells the same from files in every controller’s tree', () => {
  const folder = files('v1-figures', {
    'cgroup.procs': '1\n',
    'memory.stat': 'total_cache 700\ntotal_mapped_file 12\ntotal_inactive_file 250\ntotal_active_file 450\n',
    'memory.max_usage_in_bytes': '2000\n',
    'memory.failcnt': '3\n',
    'cpuacct.stat': 'user 2\nsystem 1\n',
    'cpu.stat': 'nr_periods 5\nnr_throttled 2\nthrottled_time 7000\n',
    'cpu.cfs_quota_us': '-1\n',
    'cpu.cfs_period_us': '100000\n',
    'cpu.shares': '1024\n',
    'blkio.throttle.io_service_bytes_recursive':
      '8:0 Read 100\n8:0 Write 200\n8:0 Sync 300\n8:0 Total 300\nTotal 300\n',
    'blkio.throttle.io_serviced_recursive': '8:0 Read 3\n8:0 Write 4\nTotal 7\n',
    'pids.max': '100\n',
  });
  const trees = ['memory', 'cpu', 'cpuacct', 'blkio', 'pids'];
  const folders = { controllers: new Map(trees.map((name) => [name, folder])), unified: null };
  const { cpu, memory, blocks, tasksMax } = readFigures(folders) ?? assert.fail('gone');
  assert.deepEqual(cpu, {
    ...{ userNs: 20_000_000, systemNs: 10_000_000, periods: 5, throttledPeriods: 2, throttledNs: 7_000 },
    ...{ quotaUs: undefined, periodUs: 100_000, shares: 1_024 },
  });
  assert.deepEqual(
    [memory.cacheBytes, memory.mappedBytes, memory.mostBytes, memory.limitHits],
    [700, 12, 2000, 3],
  );
  assert.deepEqual(blocks, [{ device: '8:0', readBytes: 100, writtenBytes: 200, reads: 3, writes: 4 }]);
  assert.equal(tasksMax, 100);
  assert.equal(readFigures({ controllers: new Map([['memory', '/nonexistent']]), unified: null }), null);
});
