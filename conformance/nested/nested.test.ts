/**
 * The recipe of deploy/Containerfile, with the words of docs/running.md: podman builds the image on a Debian that debootstrap made, and
 * runs it; the node in the container runs pods, ends with it, and is there again when it starts anew.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { detectCgroups } from '@wherry/linux';
import { type Finished, type RunOptions, run } from '../../e2e/command.ts';
import { fillTree, testImage } from '../../e2e/image.ts';
import { eventually, podOf } from '../../e2e/node.ts';
import { needProgram, needRoot } from '../../packages/linux/test/needs.ts';
import { freshRoot } from '../../tools/first-minutes/fresh-root.ts';

const repository = join(import.meta.dirname, '../..');
const buildTimeoutMs = 900_000;
const stepTimeoutMs = 120_000;
/** Authorities that this machine trusts beside the usual ones, as behind a proxy that looks inside. */
const authorities = '/etc/ssl/certs/ca-certificates.crt';
/** Seconds that nobody else on this machine sleeps. */
const seconds = `${100_000 + process.pid}`;
/** The bridge of podman's own network, which it leaves behind. */
const bridge = '/sys/class/net/cni-podman0';
let folder: string;
let storage: string[];
let hadBridge: boolean;

before(() => {
  needRoot();
  needProgram('/usr/bin/podman', 'podman');
  needProgram('/usr/sbin/debootstrap', 'debootstrap');
  hadBridge = existsSync(bridge);
  folder = mkdtempSync(join(tmpdir(), 'wherry-nested-'));
  // Of its own, so that images and containers of this machine are left alone.
  storage = [
    '--root',
    join(folder, 'storage'),
    '--runroot',
    join(folder, 'run'),
    '--cgroup-manager=cgroupfs',
    // crun, podman's first choice, refuses machines that mount both versions of control groups.
    ...(detectCgroups().version === 'hybrid' ? ['--runtime=runc'] : []),
  ];
});
after(async () => {
  if (!folder) return;
  await podman(['rm', '--force', '--volumes', 'node']);
  await podman(['system', 'reset', '--force']);
  // Where layers are, podman may leave a mount of the folder on itself.
  await run('umount', [join(folder, 'storage/overlay')]);
  rmSync(folder, { recursive: true, force: true });
  if (!hadBridge && existsSync(bridge)) execFileSync('ip', ['link', 'delete', basename(bridge)]);
});

const podman = (words: readonly string[], options: RunOptions = {}): Promise<Finished> =>
  run('podman', [...storage, ...words], { timeoutMs: stepTimeoutMs, ...options });

async function said(words: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await podman(words, options);
  assert.equal(code, 0, `podman ${words.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

/** The words of the document's command that begins so, without `podman`, and with it the lines that it goes on in. */
function documented(beginning: string): string[] {
  const line = readFileSync(join(repository, 'docs/running.md'), 'utf8')
    .replace(/\\\n */g, '')
    .split('\n')
    .find((text) => text.startsWith(`podman ${beginning} `));
  assert.ok(line, `docs/running.md has no "podman ${beginning}"`);
  return line.split(' ').slice(1);
}

async function kubectl(words: readonly string[], stdin?: string): Promise<string> {
  const env = { KUBECONFIG: join(folder, 'kubeconfig'), HOME: folder };
  const { code, stdout, stderr } = await run('kubectl', words, {
    env,
    ...(stdin !== undefined && { stdin }),
  });
  assert.equal(code, 0, `kubectl ${words.join(' ')}: ${stderr}`);
  return stdout;
}

/** Where this machine may not raise limits of resources, as podman does by itself, a container has lower ones. */
function limits(): string[] {
  const [, effective = '0'] = /^CapEff:\s+(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const mayRaise = (BigInt(`0x${effective}`) & (1n << 24n)) !== 0n;
  return mayRaise ? [] : ['--ulimit=nofile=16384:16384', '--ulimit=nproc=32768:32768'];
}

async function untilReady(): Promise<void> {
  await eventually(
    'the kubeconfig',
    async () => {
      const { code, stdout } = await podman(documented('exec'));
      if (code === 0) writeFileSync(join(folder, 'kubeconfig'), stdout, { mode: 0o600 });
      return code === 0;
    },
    stepTimeoutMs,
  );
  await eventually(
    'the node',
    async () => {
      const words = ['wait', '--for=condition=Ready', 'node', '--all', '--timeout=5s'];
      return await kubectl(words).then(
        () => true,
        () => false,
      );
    },
    stepTimeoutMs,
  );
}

test('podman builds an image of the recipe', { timeout: buildTimeoutMs }, async () => {
  const root = freshRoot('bookworm');
  execFileSync('tar', ['-C', root, '-cf', join(folder, 'debian.tar'), '.']);
  await said(['import', join(folder, 'debian.tar'), 'docker.io/library/debian:12-slim']);
  const checkout = join(folder, 'checkout');
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${repository}`, checkout]);
  const trusted = process.env['NODE_EXTRA_CA_CERTS'] && existsSync(authorities);
  const behindProxy = trusted
    ? [
        '--volume',
        `${authorities}:/run/authorities.crt:ro`,
        '--env',
        'NODE_EXTRA_CA_CERTS=/run/authorities.crt',
      ]
    : [];
  const [build = '', ...words] = documented('build');
  const how = ['--pull=never', '--network=host', '--isolation=chroot', ...behindProxy];
  const line = [
    'sh',
    '-c',
    'cd "$1"; shift; exec podman "$@"',
    'sh',
    checkout,
    ...storage,
    build,
    ...how,
    ...words,
  ];
  const { code, stderr, stdout } = await run(line[0]!, line.slice(1), { timeoutMs: buildTimeoutMs });
  assert.equal(code, 0, `${stdout.slice(-4000)}${stderr.slice(-4000)}`);
  assert.match(await said(['image', 'list', '--format', '{{.Repository}}']), /^localhost\/wherry$/m);
});

async function untilPodRuns(): Promise<void> {
  await untilReady();
  const tree = mkdtempSync(join(folder, 'tree-'));
  fillTree(tree);
  await said(['cp', tree, 'node:/tree']);
  await said(['exec', 'node', 'wherry', 'image', 'build', testImage, '--from', '/tree', '--cmd', '["sh"]']);
  await kubectl(['apply', '-f', '-'], JSON.stringify(podOf('nested', { command: ['sleep', seconds] })));
  await kubectl(['wait', '--for=condition=Ready', 'pod/nested', '--timeout=60s']);
  assert.equal(await kubectl(['exec', 'nested', '--', 'cat', '/etc/hostname']), 'nested\n');
}

test('a node runs in a container of it that is not privileged, and pods run in the node', async () => {
  const [verb = '', ...words] = documented('run --detach --name node --cap-add');
  await said([verb, ...limits(), ...words]);
  await untilPodRuns();
  await said(['rm', '--force', '--time', '60', '--volumes', 'node']);
  await said(['volume', 'rm', 'wherry']);
  assert.equal((await run('pgrep', ['-f', `^sleep ${seconds}`])).stdout, '');
});

test('a node runs in a privileged container of it, and pods run in the node', async () => {
  const [verb = '', ...words] = documented('run --detach --name node --privileged');
  await said([verb, ...limits(), ...words]);
  await untilPodRuns();
});

test('pods end with the container, and the node is there again when it starts anew', async () => {
  await said(['stop', '--time', '60', 'node']);
  assert.equal((await said(['inspect', '--format', '{{.State.ExitCode}}', 'node'])).trim(), '0');
  assert.equal((await run('pgrep', ['-f', `^sleep ${seconds}`])).stdout, '');
  await said(['start', 'node']);
  await untilReady();
  await kubectl(['wait', '--for=condition=Ready', 'pod/nested', '--timeout=60s']);
  assert.equal(await kubectl(['exec', 'nested', '--', 'cat', '/etc/hostname']), 'nested\n');
});
