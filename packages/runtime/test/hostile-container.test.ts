import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { NamespaceMode, ProfileType } from '@wherry/cri';
import { chooseOciRuntime } from '@wherry/monitor';
import { startTestNode, type TestNode } from './node.ts';

const mebibyte = 1024 * 1024;

suite('a container that means harm', () => {
  let node: TestNode;
  let pod: string;
  let folder: string;
  let program: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-hostile-'));
    // A copy, for what an overwritten runtime would cost.
    program = join(folder, 'oci-runtime');
    copyFileSync(pathOf(chooseOciRuntime()), program);
    node = await startTestNode(10, {}, { ociRuntime: () => program });
    pod = await node.runPod();
  });
  after(async () => {
    await node.close();
    rmSync(folder, { recursive: true });
  });

  const seccomp = { profileType: ProfileType.RuntimeDefault, localhostRef: '' };
  const confined = { linux: { securityContext: { seccomp } } };

  test('gets no descriptor but its three streams, nor does an exec (CVE-2024-21626)', async () => {
    const container = await node.runScript(pod, 'exec sleep 1000');
    assert.deepEqual((await node.output(container, 'ls', '/proc/1/fd')).trim().split('\n'), ['0', '1', '2']);
    const own = await node.output(container, 'sh', '-c', 'for fd in /proc/$$/fd/*; do readlink $fd; done; :');
    const strange = own.split('\n').filter((link) => link !== '' && !/^(pipe:|\/dev\/null$)/.test(link));
    assert.deepEqual(strange, []);
  });

  test("cannot start in a folder of the node's by a working directory among descriptors (CVE-2024-21626)", async () => {
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'of the node');
    const up = '../'.repeat(12);
    for (let descriptor = 0; descriptor < 16; descriptor++) {
      const started = node.runScript(pod, `cat ${up}${secret.slice(1)}; ls ${up}`, {
        workingDir: `/proc/self/fd/${descriptor}`,
        logPath: `descriptor${descriptor}.log`,
      });
      const id = await started.catch(() => undefined);
      if (id === undefined) continue;
      await node.ended(id);
      assert.doesNotMatch(
        node.log(`descriptor${descriptor}.log`),
        /of the node|\bboot\b/,
        `descriptor ${descriptor}`,
      );
    }
  });

  test('has no inheritable or ambient capability, nor has an exec (CVE-2022-24769, CVE-2022-29162)', async () => {
    const container = await node.runScript(pod, 'exec sleep 1000');
    for (const process of ['1', 'self']) {
      const status = await node.output(container, 'cat', `/proc/${process}/status`);
      assert.match(status, /^CapInh:\t0000000000000000$/m);
      assert.match(status, /^CapAmb:\t0000000000000000$/m);
      assert.match(status, /^CapEff:\t00000000a80425fb$/m);
    }
  });

  test('cannot overwrite the OCI runtime that enters it (CVE-2019-5736)', async () => {
    await node.buildImage('evil', (root) => {
      writeFileSync(join(root, 'bin/evil'), '#!/proc/self/exe\n', { mode: 0o755 });
      for (const library of librariesOf(program)) {
        mkdirSync(join(root, dirname(library)), { recursive: true });
        copyFileSync(library, join(root, library));
      }
    });
    const before = digestOf(program);
    // Whatever is not busybox in here is the runtime itself, on its way in.
    const catchIt = `while :; do
      for process in /proc/[0-9]*; do
        case "$(readlink $process/exe)" in
          ''|*busybox*|/bin/*) ;;
          *) ( exec 9<$process/exe && touch /tmp/caught && for try in $(seq 100); do
               echo overwritten > /proc/self/fd/9 && touch /tmp/written
             done ) 2>/dev/null ;;
        esac
      done
    done`;
    const container = await node.runScript(pod, catchIt, { image: { image: 'evil' } });
    const exists = async (path: string) => (await node.output(container, 'ls', path)).trim() === path;
    for (let tries = 0; tries < 100 && !(await exists('/tmp/caught')); tries++)
      await node.output(container, '/bin/evil', 'features').catch(() => undefined);
    assert.ok(await exists('/tmp/caught'), 'it never caught the runtime, so this shows nothing');
    for (let tries = 0; tries < 10; tries++)
      await node.output(container, '/bin/evil', 'features').catch(() => undefined);
    await node.cri.runtime.stopContainer({ containerId: container, timeout: 0 });
    assert.equal(digestOf(program), before);
  });

  test("has its mounts inside, wherever its image's links point (CVE-2021-30465)", async () => {
    const outside = join(folder, 'outside');
    const volume = join(folder, 'volume');
    for (const path of [outside, volume]) mkdirSync(path);
    writeFileSync(join(volume, 'file'), 'of the volume');
    const links = ['absolute', 'relative'] as const;
    await node.buildImage('links', (root) => {
      symlinkSync(outside, join(root, 'absolute'));
      symlinkSync(`../../../../../../../..${outside}`, join(root, 'relative'));
    });
    for (const link of links) {
      const id = await node.runScript(pod, `cat /${link}/inner/file`, {
        image: { image: 'links' },
        mounts: [{ containerPath: `/${link}/inner`, hostPath: volume }],
        logPath: `${link}.log`,
      });
      assert.equal((await node.ended(id)).exitCode, 0);
      assert.match(node.log(`${link}.log`), /of the volume/);
      assert.deepEqual(readdirSync(outside), []);
    }
  });

  test("on the node's network finds no socket of ours that it can talk to (CVE-2020-15257)", async () => {
    const namespaceOptions = { network: NamespaceMode.NODE, pid: NamespaceMode.CONTAINER };
    const hostPod = await node.runPod({ linux: { securityContext: { namespaceOptions } } });
    const container = await node.runScript(hostPod, 'exec sleep 1000', {
      linux: { securityContext: { namespaceOptions } },
    });
    const ours = socketsOfThisProcess();
    const seen = (await node.output(container, 'cat', '/proc/net/unix')).trim().split('\n').slice(1);
    const named = seen
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , , , , inode = '']) => ours.has(inode));
    assert.ok(named.length > 0, 'none of our sockets was seen at all');
    assert.deepEqual(
      named.filter(([, , , , , , , path = '']) => path.startsWith('@')),
      [],
    );
    const paths = [...new Set(named.flatMap(([, , , , , , , path]) => path ?? []))];
    assert.ok(paths.length >= 2, 'the sockets of runtime and monitor');
    for (const path of paths) assert.equal(statSync(path).mode & 0o077, 0, `${path} is open to others`);
  });

  test('that prints without end costs the node no more than the bound (CVE-2022-31030)', async () => {
    const container = await node.runScript(pod, 'exec sleep 1000');
    const cmd = ['head', '-c', String(64 * mebibyte), '/dev/zero'];
    const { stdout, exitCode } = await node.cri.runtime.execSync({ containerId: container, cmd });
    assert.equal(exitCode, 0);
    assert.ok(stdout.length <= 16 * mebibyte, `${stdout.length} bytes`);
  });

  test('cannot use a device of the node by making its node', async () => {
    const container = await node.runScript(pod, 'exec sleep 1000');
    const script =
      'mknod /tmp/memory c 1 1 && mknod /tmp/disk b 8 0 && head -c 1 /tmp/memory; head -c 1 /tmp/disk';
    const answer = await node.output(container, 'sh', '-c', script);
    assert.match(answer, /memory: Operation not permitted/);
    assert.match(answer, /disk: Operation not permitted/);
  });

  test('makes no namespaces and mounts under the default filter, nor does an exec', async () => {
    const container = await node.runScript(pod, 'exec sleep 1000', confined);
    for (const process of ['1', 'self'])
      assert.match(await node.output(container, 'cat', `/proc/${process}/status`), /^Seccomp:\t2$/m);
    for (const way of [['-U'], ['-m'], ['-n'], ['-p']])
      assert.match(await node.output(container, 'unshare', ...way, 'true'), /Operation not permitted/);
    const mounted = await node.output(container, 'mount', '-t', 'tmpfs', 'none', '/tmp');
    assert.match(mounted, /permission denied|not permitted/i);
  });
});

const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** What a program is loaded with; nothing for a static one, of which ldd(1) says so by failing. */
function librariesOf(path: string): string[] {
  const { stdout } = spawnSync('ldd', [path], { encoding: 'utf8' });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, library]) => library ?? []);
}

/** Where a program of the PATH lies. */
function pathOf(name: string): string {
  const folders = ['', ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders
    .map((folder) => join(folder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  assert.ok(found, `${name} is not on the PATH`);
  return found;
}

/** Inodes of this process's sockets: runtime and monitor run in it. */
function socketsOfThisProcess(): Set<string> {
  const links = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}
