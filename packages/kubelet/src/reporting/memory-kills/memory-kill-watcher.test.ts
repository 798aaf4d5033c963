import assert from 'node:assert/strict';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { kernelLogMs } from '../../limits.ts';
import { KernelLog } from './kernel-log.ts';
import { KillFinder } from './kill-finder.ts';
import { MemoryKillWatcher } from './memory-kill-watcher.ts';

const group = '/kubepods/burstable/pod1/c1';
/** As Linux 6 writes them, one for a control group and one for the machine. */
const ofGroup = [
  '4,100,5,-;node invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999\n',
  `6,101,5,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=c1,mems_allowed=0,oom_memcg=${group},task_memcg=${group},task=dd,pid=41,uid=0\n`,
  '3,102,5,-;Memory cgroup out of memory: Killed process 41 (dd) total-vm:41000kB, anon-rss:15000kB, oom_score_adj:999\n',
];
const ofMachine = [
  '6,103,6,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=c1,mems_allowed=0,global_oom,task_memcg=/user.slice,task=a (b),pid=42,uid=0\n',
  '3,104,6,c;Out of memory: Killed process 42 (a (b)) total-vm:900kB\n SUBSYSTEM=x\n',
];
const forged = [
  '12,105,7,-;oom-kill:constraint=CONSTRAINT_NONE,global_oom,task=x,pid=1,uid=0\n',
  '11,106,7,-;Out of memory: Killed process 1 (init)\n',
  'nonsense',
  '6,107,7,-;Killed process without a number\n',
];

test('what the kernel ends for want of memory is found in its log, forged lines are not', () => {
  const finder = new KillFinder();
  const found = [...ofGroup, ...ofMachine, ...forged].flatMap((record) => finder.read(record) ?? []);
  assert.deepEqual(found, [
    { pid: 41, process: 'dd', isOfSystem: false },
    { pid: 42, process: 'a (b)', isOfSystem: true },
  ]);
});

test('a machine without memory is told of by an event on the node', async () => {
  const clock = new FakeClock();
  const records: string[] = [...ofGroup];
  const told: string[] = [];
  let isOpen = true;
  const watcher = new MemoryKillWatcher({
    open: () => ({
      next: () => records.shift(),
      [Symbol.dispose]: () => {
        isOpen = false;
      },
    }),
    clock,
    logger: silentLogger,
    recorder: {
      record: ({ object, type, reason, message }) =>
        void told.push(`${object.kind} ${object.name} ${type} ${reason}: ${message}`),
    },
    nodeName: 'node-1',
  });
  watcher.start();
  await clock.advanceAsync(kernelLogMs);
  records.push(...ofMachine);
  await clock.advanceAsync(kernelLogMs);
  assert.deepEqual(told, [
    'Node node-1 Warning SystemOOM: System OOM encountered, victim process: a (b), pid: 42',
  ]);
  watcher.close();
  await clock.advanceAsync(kernelLogMs);
  assert.equal(isOpen, false);
});

const isThere = (() => {
  try {
    accessSync('/dev/kmsg', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
})();

test("the kernel's log is read from now on", { skip: !isThere && 'there is no /dev/kmsg here' }, () => {
  const mark = `wherry test ${process.pid} ${Date.now()}`;
  writeFileSync('/dev/kmsg', `${mark} before\n`);
  using log = new KernelLog();
  writeFileSync('/dev/kmsg', `${mark} after\n`);
  const found: string[] = [];
  for (let record = log.next(); record !== undefined; record = log.next())
    if (record.includes(mark)) found.push(record);
  assert.equal(found.length, 1);
  assert.match(found[0] ?? '', /^12,\d+,\d+,[^;]*;.* after\n$/);
});
