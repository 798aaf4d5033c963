import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { createImageClient } from '@wherry/images';
import { archiveOf, imageOf } from '../../images/test/image-delivery.ts';
import { type RawEntry, rawTar } from '../../images/test/raw-tar.ts';
import { startTestNode, type TestNode } from './node.ts';

suite('folders of images and containers', () => {
  let node: TestNode;
  let pod: string;
  let base: Buffer;

  before(async () => {
    node = await startTestNode(31);
    pod = await node.runPod();
    base = execFileSync('tar', ['-C', join(node.folder, 'tree'), '-c', '.'], { maxBuffer: 2 ** 26 });
  });
  after(() => node.close());

  /** An image of busybox and `entries` that declares `volumes`. */
  async function load(name: string, volumes: string[], entries: RawEntry[]): Promise<void> {
    const config = { Volumes: Object.fromEntries(volumes.map((path) => [path, {}])) };
    const image = imageOf([{ plain: base }, { plain: rawTar(entries) }], { config });
    const client = createImageClient(join(node.folder, 'runtime', 'images.sock'));
    await client.load(Readable.from([archiveOf(image, `${name}:latest`)]));
  }

  const readOnly = { linux: { securityContext: { readonlyRootfs: true } } };

  test('a volume that an image declares is writable under a read-only root, with its content, owner and mode', async () => {
    await load(
      'example.test/volumes',
      ['/data', 'made/anew/', '/data/../data'],
      [
        { path: 'data/', flag: '5', mode: 0o1777, uid: 12, gid: 34 },
        { path: 'data/file', content: 'of the image', uid: 5, mode: 0o640 },
        { path: 'data/link', flag: '2', link: '/etc/passwd' },
        { path: 'data/alias', flag: '1', link: 'data/file' },
      ],
    );
    const image = { image: { image: 'example.test/volumes' } };
    const id = await node.runScript(pod, 'sleep 1000', { ...readOnly, ...image });
    const run = (script: string) => node.output(id, 'sh', '-c', script);
    assert.equal(
      await run('echo x 2>&1 > /anywhere; true'),
      "sh: can't create /anywhere: Read-only file system\n",
    );
    assert.equal(
      await run('cat /data/file; echo written > /data/new && cat /data/new'),
      'of the imagewritten\n',
    );
    assert.equal(
      await run('stat -c "%a %u %g" /data; stat -c "%a %u %h" /data/file'),
      '1777 12 34\n640 5 2\n',
    );
    assert.equal(
      await run('readlink /data/link; echo y > /made/anew/z && cat /made/anew/z'),
      '/etc/passwd\ny\n',
    );
    const other = await node.runScript(pod, 'sleep 1000', { ...readOnly, ...image });
    assert.equal(await node.output(other, 'ls', '/data'), 'alias\nfile\nlink\n');
    await node.cri.runtime.removeContainer({ containerId: id });
    assert.ok(!existsSync(join(node.folder, 'runtime/containers', id)));
  });

  test('a mount of the request goes before a volume that the image declares', async () => {
    await load('example.test/covered', ['/data'], [{ path: 'data/file', content: 'of the image' }]);
    const hostPath = join(node.folder, 'own');
    mkdirSync(hostPath);
    writeFileSync(join(hostPath, 'mine'), '');
    const mounts = [{ containerPath: '/data/', hostPath }];
    const id = await node.runScript(pod, 'sleep 1000', { image: { image: 'example.test/covered' }, mounts });
    assert.equal(await node.output(id, 'ls', '/data'), 'mine\n');
  });

  test('a declared volume whose path is a link, or climbs, shows nothing of the machine (CVE-2022-23648)', async () => {
    const outside = join(node.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'of the machine');
    await load(
      'example.test/climbs',
      ['/link', `/../../../../../../..${outside}`, '/in/link'],
      [
        { path: 'link', flag: '2', link: outside },
        { path: 'in/', flag: '5', mode: 0o755 },
        { path: 'in/link', flag: '2', link: `../../../../../..${outside}` },
      ],
    );
    const id = await node.runScript(pod, 'sleep 1000', { image: { image: 'example.test/climbs' } });
    const found = await node.output(
      id,
      'sh',
      '-c',
      `find / -xdev -name secret; find ${outside} /link/ /in/link/`,
    );
    assert.ok(!found.includes('secret'), found);
  });

  test('an image that declares its root, or more volumes than can be mounted, is refused', async () => {
    await load('example.test/root', ['/.'], []);
    await load(
      'example.test/many',
      Array.from({ length: 257 }, (_, at) => `/v${at}`),
      [],
    );
    for (const [image, words] of [
      ['example.test/root', /declares its root/],
      ['example.test/many', /declares 257 volumes/],
    ] as const)
      await assert.rejects(node.runScript(pod, 'true', { image: { image } }), words);
  });

  test('a volume of an image that could not be mounted is mounted when it is asked for again', async () => {
    await load('example.test/content', [], [{ path: 'content/file', content: 'of the image' }]);
    const layers = join(node.folder, 'runtime/images/layers');
    const mounts = [{ containerPath: '/image', image: { image: 'example.test/content' }, readonly: true }];
    const aside = readdirSync(layers).map((key) => join(layers, key, 'd'));
    const other = await node.runPod();
    const last = aside.find((path) => existsSync(join(path, 'content'))) ?? '';
    execFileSync('mv', [last, `${last}.aside`]);
    await assert.rejects(node.runScript(other, 'true', { mounts }));
    execFileSync('mv', [`${last}.aside`, last]);
    const id = await node.runScript(other, 'sleep 1000', { mounts });
    assert.equal(await node.output(id, 'cat', '/image/content/file'), 'of the image');
  });

  test("a user of the machine reaches no file of an image, whatever the image's modes (CVE-2021-41103, CVE-2024-25621)", async () => {
    await load(
      'example.test/setuid',
      ['/shared'],
      [
        { path: 'shared/', flag: '5', mode: 0o777 },
        { path: 'shared/su', content: 'x', mode: 0o6755 },
      ],
    );
    const id = await node.runScript(pod, 'sleep 1000', { image: { image: 'example.test/setuid' } });
    chmodSync(node.folder, 0o755);
    const found = execFileSync('find', [node.folder, '-perm', '/6000'], { encoding: 'utf8' })
      .trim()
      .split('\n');
    assert.ok(found.length >= 3, 'in its layer, its root and its volume');
    for (const path of found) {
      const asUser = ['--reuid', '65534', '--regid', '65534', '--clear-groups', 'stat', path];
      assert.throws(() => execFileSync('setpriv', asUser, { stdio: 'pipe' }), /Permission denied/, path);
    }
    await node.cri.runtime.removeContainer({ containerId: id });
  });

  test('folders that an earlier version left open are closed when the runtime starts', async () => {
    const runtime = join(node.folder, 'runtime');
    const names = ['', 'containers', 'sandboxes', 'images', 'images/layers'];
    await node.restart(() => {
      for (const name of names) chmodSync(join(runtime, name), 0o711);
    });
    for (const name of names) assert.equal(statSync(join(runtime, name)).mode & 0o777, 0o700, name);
  });

  test('a container whose root is deeper than a path can say is removed', async () => {
    const id = await node.runScript(
      pod,
      'cd /tmp; i=0; while [ $i -lt 1500 ]; do mkdir 123456789 && cd 123456789; i=$((i+1)); done; echo done',
    );
    assert.equal((await node.ended(id)).exitCode, 0);
    await node.cri.runtime.removeContainer({ containerId: id });
    assert.ok(!existsSync(join(node.folder, 'runtime/containers', id)));
  });

  test('/etc/passwd of an image as a link, a device or a FIFO is read inside the image or refused', async () => {
    const passwd = join(node.folder, 'passwd');
    writeFileSync(passwd, 'inside:x:77:78::/:/bin/sh\n');
    await load('example.test/linked', [], [{ path: 'etc/passwd', flag: '2', link: passwd }]);
    await load('example.test/device', [], [{ path: 'etc/passwd', flag: '3', device: [1, 5], mode: 0o666 }]);
    await load('example.test/fifo', [], [{ path: 'etc/passwd', flag: '6', mode: 0o666 }]);
    const asUser = (image: string) =>
      node.runScript(pod, 'true', {
        image: { image },
        linux: { securityContext: { runAsUsername: 'inside' } },
      });
    await assert.rejects(asUser('example.test/linked'), /user "inside" is not in the image/);
    for (const image of ['example.test/device', 'example.test/fifo'])
      await assert.rejects(asUser(image), /no regular file/);
  });
});
