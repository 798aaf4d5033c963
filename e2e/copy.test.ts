/** Copying where it goes wrong or is odd: names, links, hostile archives, a tar that fails. */
import assert from 'node:assert/strict';
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
import { pack } from 'tar-stream';
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

test('119: a tar that fails behind its end marker fails the copy', async () => {
  await withTar(await archiveOf({ 'tmp/some/file': 'content' }), 2, async () => {
    const { code, stderr } = await copy('target:/tmp/some', join(folder, 'some'));
    assert.notEqual(code, 0);
    assert.match(stderr, /exit code 2/);
  });
});

test('99: an archive that is cut inside a file is an error', async () => {
  const archive = await archiveOf({ 'tmp/cut/file': 'x'.repeat(10_000) });
  await withTar(archive.subarray(0, 5_000), 0, async () => {
    const { code, stderr } = await copy('target:/tmp/cut', join(folder, 'cut'));
    assert.notEqual(code, 0);
    assert.notEqual(stderr, '');
  });
});
