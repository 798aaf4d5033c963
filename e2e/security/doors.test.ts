/** What a running node listens on and leaves on the disk, and who may reach it. */
import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run } from '../command.ts';
import { podOf, TestNode } from '../node.ts';
import { stretched } from '../slowness.ts';
import { ask } from './ask.ts';

const nobody = 65534;

describe('the processes of wherry up', { timeout: stretched(240_000) }, () => {
  let node: TestNode;
  let pids: Map<string, number>;
  before(async () => {
    node = await TestNode.start('doors');
    await node.apply(podOf('inside'));
    const { processes } = await node.status();
    pids = new Map(processes.map(({ role, pid }) => [role, pid ?? 0]));
  });
  after(() => node?.remove());

  const doorsOf = (role: string) => listenersOf(pids.get(role) ?? 0);

  it('listen at the ports of API and kubelet, and for streams on the loopback', () => {
    assert.deepEqual(
      doorsOf('apiserver').map(({ host }) => host),
      ['0.0.0.0'],
    );
    assert.deepEqual(
      doorsOf('kubelet').map(({ host }) => host),
      ['0.0.0.0'],
    );
    assert.deepEqual(
      doorsOf('monitor').map(({ host }) => host),
      ['127.0.0.1'],
    );
    assert.deepEqual(doorsOf('runtime'), []);
  });

  it('CVE-2019-11248: tell nobody of their insides who has not said who they are', async () => {
    const paths = [
      '/debug/pprof/',
      '/debug/pprof/heap',
      '/debug/flags/v',
      '/json/list',
      '/metrics',
      '/configz',
    ];
    for (const [role, protocol] of [
      ['apiserver', 'https'],
      ['kubelet', 'https'],
      ['monitor', 'http'],
    ] as const) {
      for (const { port } of doorsOf(role)) {
        for (const path of paths) {
          const { statusCode, text } = await ask(`${protocol}://127.0.0.1:${port}`, path);
          assert.ok([401, 403, 404].includes(statusCode), `${role} ${path}: ${statusCode} ${text}`);
        }
      }
    }
  });

  it('CVE-2020-15257: have no abstract sockets, and their other ones are for root alone', () => {
    const paths = [...pids.values()].flatMap(unixListenersOf);
    assert.ok(paths.length >= 3, paths.join());
    for (const path of paths) {
      assert.ok(path.startsWith('/'), `abstract: ${path}`);
      const { mode, uid } = statSync(path);
      assert.equal(mode & 0o077, 0, path);
      assert.equal(uid, 0, path);
    }
  });

  it('CVE-2021-41103 CVE-2024-25621: keep their files where nobody but root can enter', async () => {
    assert.equal(statSync(node.dataDir).mode & 0o777, 0o700);
    const { code, stderr } = await run('setpriv', [
      ...[`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'],
      ...['ls', join(node.dataDir, 'runtime')],
    ]);
    assert.notEqual(code, 0);
    assert.match(stderr, /Permission denied/);
    // The runtime's own folders are as closed, for where it runs alone in a folder that others may enter.
    const runtime = join(node.dataDir, 'runtime');
    for (const folder of readdirSync(runtime).map((name) => join(runtime, name)))
      if (lstatSync(folder).isDirectory()) assert.equal(statSync(folder).mode & 0o077, 0, folder);
  });

  it('write keys, tokens and records that are for root alone', () => {
    const pki = join(node.dataDir, 'pki');
    const isSecret = (name: string) => /\.key$/.test(name);
    const secrets = readdirSync(pki).filter(isSecret);
    assert.ok(secrets.length >= 8, secrets.join());
    const files = [
      ...secrets.map((name) => join(pki, name)),
      node.kubeconfig,
      join(node.dataDir, 'node.json'),
      join(node.dataDir, 'controllers/controller-manager.kubeconfig'),
      join(node.dataDir, 'controllers/scheduler.kubeconfig'),
      ...readdirSync(join(node.dataDir, 'logs')).map((name) => join(node.dataDir, 'logs', name)),
    ];
    for (const file of files) assert.equal(lstatSync(file).mode & 0o077, 0, file);
  });
});

/** Inodes of the sockets that a process holds. */
function socketsOf(pid: number): Set<string> {
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

/** TCP addresses of either family that a process listens at. */
function listenersOf(pid: number): { host: string; port: number }[] {
  const sockets = socketsOf(pid);
  const listening = '0A';
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/net/${family}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === listening && sockets.has(inode))
      .map(([, local = '']) => {
        const [host = '', port = ''] = local.split(':');
        return { host: host.length === 8 ? dotted(host) : host, port: Number.parseInt(port, 16) };
      }),
  );
}

/** 0100007F is 127.0.0.1: the kernel prints the bytes as a number of this machine, which is little-endian here. */
const dotted = (hex: string) => [...Buffer.from(hex, 'hex')].reverse().join('.');

/** Paths of the unix sockets that a process listens at; those of abstract ones begin with @. */
function unixListenersOf(pid: number): string[] {
  const sockets = socketsOf(pid);
  const acceptsConnections = 0x10000;
  return readFileSync('/proc/net/unix', 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, , , flags = '', , , inode = '']) =>
        (Number.parseInt(flags, 16) & acceptsConnections) !== 0 && sockets.has(inode),
    )
    .map(([, , , , , , , path = '']) => path);
}
