/** Copying where it goes wrong or is odd: names, links, hostile archives, a tar that fails. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { copyFromPod, createKubeClient } from '@wherry/client';
import { type Pack, pack } from 'tar-stream';
import { type Fault, startFaultProxy } from './faults/fault-proxy.ts';
import { podOf, TestNode, wherry } from './node.ts';

let node: TestNode;
let folder: string;

before(async () => {
  node = await TestNode.start('copy');
  await node.apply(podOf('target'));
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
after(() => node?.remove());

const copy = (...words: string[]) =>
  wherry(['cp', ...words], { env: { KUBECONFIG: node.kubeconfig }, timeoutMs: 30_000 });
const inPod = (script: string, stdin?: string) =>
  node.kubectlOk(['exec', '-i', 'target', '--', 'sh', '-c', script], stdin === undefined ? {} : { stdin });

function folderWithOddNames(): string {
  const source = join(folder, 'source');
  mkdirSync(join(source, 'empty'), { recursive: true });
  mkdirSync(join(source, 'deep', 'er'), { recursive: true });
  writeFileSync(join(source, `it's "odd" $HOME`), 'odd');
  writeFileSync(join(source, 'deep', 'er', 'file'), 'deep');
  return source;
}

for (const [who, run] of [
  ['wherry', copy],
  ['kubectl', (...words: string[]) => node.kubectl(['cp', ...words])],
] as const) {
  test(`99: ${who} copies empty folders and names with quotes both ways`, async () => {
    const { code, stderr } = await run(folderWithOddNames(), `target:/tmp/odd-${who}`);
    assert.equal(code, 0, stderr);
    const back = await run(`target:/tmp/odd-${who}`, join(folder, 'back'));
    assert.equal(back.code, 0, back.stderr);
    assert.equal(readFileSync(join(folder, 'back', `it's "odd" $HOME`), 'utf8'), 'odd');
    assert.equal(readFileSync(join(folder, 'back', 'deep', 'er', 'file'), 'utf8'), 'deep');
    assert.deepEqual(readdirSync(join(folder, 'back', 'empty')), []);
  });
}

test('99: a symbolic link in the pod is left out with a warning', async () => {
  await inPod('mkdir -p /tmp/links; echo content > /tmp/links/file; ln -sf /etc/passwd /tmp/links/link');
  const { code, stderr, stdout } = await copy('target:/tmp/links', join(folder, 'links'));
  assert.equal(code, 0, stderr);
  assert.match(stderr + stdout, /skipping symlink/);
  assert.deepEqual(readdirSync(join(folder, 'links')), ['file']);
});

test('a local symbolic link does not lead a copy elsewhere', async () => {
  await inPod('mkdir -p /tmp/plain; echo new > /tmp/plain/file');
  mkdirSync(join(folder, 'plain'));
  writeFileSync(join(folder, 'precious'), 'old');
  symlinkSync(join(folder, 'precious'), join(folder, 'plain', 'file'));
  await copy('target:/tmp/plain/file', join(folder, 'plain', 'file'));
  assert.equal(readFileSync(join(folder, 'precious'), 'utf8'), 'old');
});

/** Puts a script in the place of the pod's tar that prints `archive` and ends with `exitCode`. */
async function withTar(archive: Buffer, exitCode: number, use: () => Promise<void>): Promise<void> {
  await inPod('base64 -d > /tmp/archive', archive.toString('base64'));
  const script = `#!/bin/sh\\ncat /tmp/archive\\nexit ${exitCode}\\n`;
  await inPod(`rm /bin/tar; printf '${script}' > /bin/tar; chmod +x /bin/tar`);
  try {
    await use();
  } finally {
    await inPod('rm /bin/tar; ln -s busybox /bin/tar');
  }
}

async function archiveOf(entries: Record<string, string>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(entries)) archive.entry({ name }, content);
  return packed(archive);
}

async function packed(archive: Pack): Promise<Buffer> {
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('99: an entry that climbs out of the folder is refused', async () => {
  // Its hash is compared with the pod's.
  await inPod('mkdir -p /tmp/trap; printf good > /tmp/trap/file');
  const archive = await archiveOf({ 'tmp/trap/file': 'good', 'tmp/trap/../../../escaped': 'bad' });
  await withTar(archive, 0, async () => {
    const { stderr, stdout } = await copy('target:/tmp/trap', join(folder, 'inner', 'trap'));
    assert.match(stderr + stdout, /outside target destination|corrupted/);
    assert.ok(!existsSync(join(folder, 'escaped')) && !existsSync(join(folder, 'inner', 'escaped')));
  });
});

test('99: links of an archive lead no entry out of the folder, nor does one through another', async () => {
  await inPod('mkdir -p /tmp/linked; printf good > /tmp/linked/file');
  const archive = pack();
  const link = (name: string, linkname: string) => archive.entry({ name, type: 'symlink', linkname });
  link('tmp/linked/up', '..');
  link('tmp/linked/out', 'up/..');
  link('tmp/linked/straight', folder);
  for (const way of ['up', 'out', 'straight']) archive.entry({ name: `tmp/linked/${way}/escaped` }, 'bad');
  await withTar(await packed(archive), 0, async () => {
    await copy('target:/tmp/linked', join(folder, 'inner', 'linked'));
    for (const place of ['.', 'inner']) assert.ok(!existsSync(join(folder, place, 'escaped')), place);
  });
});

test('119: a tar that fails behind its end marker fails the copy', async () => {
  await withTar(await archiveOf({ 'tmp/some/file': 'content' }), 2, async () => {
    const { code, stderr } = await copy('target:/tmp/some', join(folder, 'some'));
    assert.notEqual(code, 0);
    assert.match(stderr, /exit code 2/);
  });
});

test('119: a tar that fails behind a cut fails the copy too', async () => {
  const content = randomBytes(6 * 1024 ** 2)
    .toString('latin1')
    .replace(/[^ -~]/g, 'x');
  await withTar(await archiveOf({ 'tmp/some/file': content }), 2, async () => {
    const fault = { kind: 'tear', direction: 'downstream', afterBytes: 2 * 1024 ** 2, times: 1 } as const;
    const { code, stderr, fired } = await throughProxy(fault, ['target:/tmp/some', join(folder, 'some')]);
    assert.equal(fired, 1);
    assert.notEqual(code, 0);
    assert.match(stderr, /exit code 2/);
  });
});

test('a file whose content differs is told of, also where another one’s path ends like its own', async () => {
  await inPod(
    'mkdir -p /tmp/same/tmp/same; printf other > /tmp/same/file; printf good > /tmp/same/tmp/same/file',
  );
  const archive = await archiveOf({ 'tmp/same/file': 'bad', 'tmp/same/tmp/same/file': 'good' });
  await withTar(archive, 0, async () => {
    const { code, stderr } = await copy('target:/tmp/same', join(folder, 'same'));
    assert.notEqual(code, 0);
    assert.match(stderr, /arrived with other content: \/tmp\/same\/file$/m);
  });
});

for (const path of ['near/file', './near/file', '../beside/file', 'near', '.']) {
  test(`99: ${path} is found below the container's working folder, and checked there`, async () => {
    await node.apply(podOf('elsewhere', { workingDir: '/srv' }));
    const prepare = 'mkdir -p near ../beside; printf content > near/file; printf content > ../beside/file';
    await node.kubectlOk(['exec', 'elsewhere', '--', 'sh', '-c', prepare]);
    const { code, stderr } = await copy(`elsewhere:${path}`, join(folder, 'new'));
    assert.equal(code, 0, stderr);
    const name = { near: 'file', '.': 'near/file' }[path] ?? '';
    assert.equal(readFileSync(join(folder, 'new', name), 'utf8'), 'content');
  });
}

test('99: an archive that is cut inside a file is an error, and leaves no half file', async () => {
  const archive = await archiveOf({ 'tmp/cut/file': 'x'.repeat(10_000) });
  await withTar(archive.subarray(0, 5_000), 0, async () => {
    const { code, stderr } = await copy('target:/tmp/cut', join(folder, 'cut'));
    assert.notEqual(code, 0);
    assert.notEqual(stderr, '');
    assert.deepEqual(readdirSync(join(folder, 'cut')), []);
  });
});

test('names that are not UTF-8 are left out with a warning, both ways', async () => {
  const source = join(folder, 'source');
  mkdirSync(source);
  const odd = Buffer.concat([Buffer.from(`${source}/b`), Buffer.from([0xff])]);
  for (const name of [join(source, 'file'), odd]) writeFileSync(name, 'content');
  const there = await copy(source, 'target:/tmp/bytes');
  assert.equal(there.code, 0, there.stderr);
  assert.match(there.stderr + there.stdout, /skipping ".*source\/b\uFFFD", whose name is not UTF-8/);
  assert.equal(await inPod("cd /tmp/bytes && ls && touch $(printf 'b\\377') $(printf 'b\\376')"), 'file\n');
  const back = await copy('target:/tmp/bytes', join(folder, 'back'));
  assert.equal(back.code, 0, back.stderr);
  assert.match(back.stderr + back.stdout, /skipping "tmp\/bytes\/b\uFFFD", whose name is not UTF-8/);
  assert.deepEqual(readdirSync(join(folder, 'back')), ['file']);
});

test('a copy whose place here can’t be written says why, and the process goes on', async () => {
  await inPod('mkdir -p /tmp/refused; dd if=/dev/zero of=/tmp/refused/file bs=1M count=4');
  writeFileSync(join(folder, 'file'), 'no folder');
  const client = createKubeClient({ kubeconfig: node.kubeconfig });
  try {
    const remote = { pod: 'target', signal: AbortSignal.timeout(30_000) };
    const below = { ...remote, remotePath: '/tmp/refused', localPath: join(folder, 'file', 'below') };
    await assert.rejects(copyFromPod(client, below), { code: 'ENOTDIR' });
    const full = { ...remote, remotePath: '/tmp/refused/file', localPath: '/dev/full' };
    await assert.rejects(copyFromPod(client, full), { code: 'ENOSPC' });
  } finally {
    client.close();
  }
});

const cuts = 4;
const largeBytes = 64 * 1024 ** 2;
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Copies through a proxy that tears as many connections in the middle; the bytes that passed it. */
async function copyThroughCuts(
  words: readonly string[],
  direction: 'upstream' | 'downstream',
  afterBytes = 12 * 1024 ** 2,
): Promise<number> {
  const fault = { kind: 'tear', direction, afterBytes, times: cuts } as const;
  const { code, stderr, fired, passedBytes } = await throughProxy(fault, words);
  assert.equal(code, 0, stderr);
  assert.equal(fired, cuts);
  return passedBytes;
}

/** Copies through a faulty proxy, and tells what that did. */
async function throughProxy(fault: Fault, words: readonly string[]) {
  const original = readFileSync(node.kubeconfig, 'utf8');
  const apiPort = Number(/server: https:.*:(\d+)/.exec(original)?.[1]);
  const proxy = await startFaultProxy({ host: '127.0.0.1', port: apiPort }, fault);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, original.replace(/server: (https:.*):\d+/, `server: $1:${proxy.port}`));
  try {
    const options = { env: { KUBECONFIG: kubeconfig }, timeoutMs: 60_000 };
    const finished = await wherry(['cp', ...words], options);
    return { ...finished, fired: proxy.fired, passedBytes: proxy.passedBytes };
  } finally {
    await proxy.close();
  }
}

for (const transport of ['websocket', 'spdy']) {
  test(`a large file that is cut ${cuts} times on its way to the pod goes on where it stopped, over ${transport}`, async () => {
    const source = join(folder, 'large');
    writeFileSync(source, randomBytes(largeBytes), { mode: 0o640 });
    const words = ['--transport', transport, source, `target:/tmp/cut-${transport}`];
    const passedBytes = await copyThroughCuts(words, 'upstream');
    const remote = await inPod(`sha256sum /tmp/cut-${transport}; stat -c %a /tmp/cut-${transport}`);
    assert.deepEqual(remote.match(/[0-9a-f]{64}|^640$/gm), [sha256(source), '640']);
    assert.ok(passedBytes < 1.4 * largeBytes, `${passedBytes} bytes were sent`);
  });

  test(`a large file that is cut ${cuts} times on its way from the pod goes on where it stopped, over ${transport}`, async () => {
    const made = await inPod(`head -c ${largeBytes} /dev/urandom > /tmp/large; sha256sum /tmp/large`);
    const words = ['--transport', transport, 'target:/tmp/large', join(folder, 'large')];
    const passedBytes = await copyThroughCuts(words, 'downstream');
    assert.equal(sha256(join(folder, 'large')), made.split(' ')[0]);
    assert.ok(passedBytes < 1.4 * largeBytes, `${passedBytes} bytes came`);
  });
}

test('a folder that is cut several times arrives whole, in an image without dd and tail too', async () => {
  const source = join(folder, 'tree');
  mkdirSync(source);
  for (let file = 0; file < 10; file++) writeFileSync(join(source, `f${file}`), randomBytes(2 * 1024 ** 2));
  await inPod('mv /bin/dd /bin/tail /tmp');
  try {
    await copyThroughCuts([source, 'target:/tmp/tree'], 'upstream', 4 * 1024 ** 2);
    await copyThroughCuts(['target:/tmp/tree', join(folder, 'back')], 'downstream', 4 * 1024 ** 2);
  } finally {
    await inPod('mv /tmp/dd /tmp/tail /bin');
  }
  for (const name of readdirSync(source)) {
    assert.equal(sha256(join(folder, 'back', name)), sha256(join(source, name)));
  }
});

test('119: a cut while the copy looks for its folder is not taken for the lack of one', async () => {
  await inPod('mkdir -p /tmp/there');
  writeFileSync(join(folder, 'file'), 'content');
  // The first connection asks for the pod, the second one for the folder.
  const fault = { kind: 'tear', direction: 'downstream', afterBytes: 100, times: 1, spared: 1 } as const;
  const { code, stderr } = await throughProxy(fault, [join(folder, 'file'), 'target:/tmp/there']);
  assert.equal(code, 0, stderr);
  assert.equal(await inPod('cat /tmp/there/file'), 'content');
});
