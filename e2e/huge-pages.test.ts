/** Huge pages that a pod asks for, in real containers: counted, mounted and held to what it may have. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { podOf, TestNode } from './node.ts';

const folder = '/sys/kernel/mm/hugepages/hugepages-2048kB';
const pagesFile = `${folder}/nr_hugepages`;
const numberIn = (file: string) => Number(readFileSync(`${folder}/${file}`, 'utf8'));
const pages = 16;
const why = !existsSync(folder) && 'the kernel has no huge pages of 2 MiB';

describe('a node with huge pages', { skip: why }, () => {
  let node: TestNode;
  let atFirst: number;

  before(async () => {
    atFirst = numberIn('nr_hugepages');
    writeFileSync(pagesFile, String(atFirst + pages));
    assert.equal(numberIn('nr_hugepages'), atFirst + pages, 'the machine has no room for huge pages');
    node = await TestNode.start('huge-pages');
  });
  after(async () => {
    await node?.remove();
    if (atFirst !== undefined) writeFileSync(pagesFile, String(atFirst));
  });

  const amounts = { 'hugepages-2Mi': '8Mi', memory: '64Mi' };
  const pod = (name: string, resources: object) =>
    podOf(
      name,
      { resources, volumeMounts: [{ name: 'huge', mountPath: '/huge' }] },
      { volumes: [{ name: 'huge', emptyDir: { medium: 'HugePages' } }] },
    );
  const run = (name: string, script: string) => node.kubectl(['exec', name, '--', 'sh', '-c', script]);

  test('tells how many it has, and a pod has a folder of those that it asks for', async () => {
    const amount = await node.kubectlOk([
      ...['get', 'node', node.name, '-o'],
      'jsonpath={.status.capacity.hugepages-2Mi} {.status.allocatable.hugepages-2Mi}',
    ]);
    const all = `${2 * (atFirst + pages)}Mi`;
    assert.equal(amount, `${all} ${all}`);
    await node.apply(pod('large', { limits: amounts }));
    const mounted = await run('large', 'grep " /huge " /proc/mounts');
    assert.match(mounted.stdout, /^nodev \/huge hugetlbfs .*pagesize=2M/);
    const free = numberIn('free_hugepages');
    assert.equal((await run('large', 'fallocate -l 8388608 /huge/file')).code, 0);
    assert.equal(numberIn('free_hugepages'), free - 4);
  });

  test('a pod gets no more of them than its limit', {
    skip:
      !existsSync('/sys/fs/cgroup/cgroup.controllers') && 'this machine has no control group of huge pages',
  }, async () => {
    assert.equal((await run('large', 'cat /sys/fs/cgroup/hugetlb.2MB.max')).stdout.trim(), '8388608');
    assert.notEqual((await run('large', 'fallocate -l 12582912 /huge/more')).code, 0);
  });

  test('a pod that asks for more than there are is refused by name', async () => {
    const more = { ...amounts, 'hugepages-2Mi': `${2 * (atFirst + pages) + 2}Mi` };
    const manifest = pod('too-large', { limits: more });
    await node.create({ ...manifest, spec: { ...manifest.spec, nodeName: node.name } });
    await node.kubectlOk([
      'wait',
      '--for=jsonpath={.status.reason}=OutOfhugepages-2Mi',
      'pod/too-large',
      '--timeout=20s',
    ]);
  });
});
