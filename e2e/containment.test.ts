/** What holds a container of `wherry up` that asks for nothing: filter, read-only kernel files, the services' range. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { scriptPod, TestNode } from './node.ts';
import { stretched } from './slowness.ts';

describe('a container that asks for nothing', { timeout: stretched(300_000) }, () => {
  let node: TestNode;
  before(async () => {
    node = await TestNode.start('containment');
    await node.apply(scriptPod('plain', 'exec sleep 1000'));
  });
  after(() => node.remove());

  const inside = async (script: string) => {
    const { stdout, stderr } = await node.kubectl(['exec', 'plain', '--', 'sh', '-c', script]);
    return stdout + stderr;
  };

  it('runs under the default seccomp filter, and so does what is executed in it', async () => {
    assert.match(await inside('cat /proc/1/status'), /^Seccomp:\t2$/m);
    assert.match(await inside('cat /proc/self/status'), /^Seccomp:\t2$/m);
    assert.match(await inside('unshare -U true'), /Operation not permitted/);
  });

  it("cannot write the kernel's files, and does not see those that tell of the machine", async () => {
    for (const file of ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/sys/kernel/uevent_helper'])
      assert.match(await inside(`echo x > ${file}`), /Read-only file system|nonexistent directory/, file);
    assert.match(
      await inside('mkdir /sys/fs/cgroup/memory/mine /sys/fs/cgroup/mine'),
      /Read-only file system/,
    );
    assert.equal(await inside('cat /proc/kcore /proc/keys /proc/timer_list 2>/dev/null | wc -c'), '0\n');
  });

  it("is refused at once at a service's address, which nothing answers for", async () => {
    const startedMs = performance.now();
    const answer = await inside('nc -w 60 10.96.200.200 80');
    assert.equal(answer.match(/Connection refused|Network is unreachable/g)?.length, 1, answer);
    assert.ok(performance.now() - startedMs < stretched(50_000), 'it waited');
  });
});
