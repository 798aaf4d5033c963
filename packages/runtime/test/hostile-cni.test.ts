/** CNI plug-ins and configurations that are broken or mean harm, against a runtime: no pod, the runtime answers, nothing is left. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../src/limits.ts';
import { startTestNode, type TestNode } from './node.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-cni-'));
const confDir = join(folder, 'net.d');
const good = { cniVersion: '1.1.0', name: 'pods', plugins: [{ type: 'hostile' }] };
const given = { cniVersion: '1.1.0', ips: [{ address: '10.85.42.9/24' }] };
let node: TestNode;

/** Does what the file that is named like its command says, else what is right. */
const hostile = `#!/bin/sh
input=$(cat)
echo "$CNI_COMMAND" >> ${folder}/calls
if [ -f ${folder}/orders/$CNI_COMMAND ]; then . ${folder}/orders/$CNI_COMMAND; exit; fi
case $CNI_COMMAND in
VERSION) echo '{"cniVersion":"1.1.0","supportedVersions":["0.4.0","1.0.0","1.1.0"]}' ;;
ADD) echo '${JSON.stringify(given)}' ;;
esac
`;

/** Has the plug-in do so until the test is over. */
function order(command: string, script: string): Disposable {
  const path = join(folder, 'orders', command);
  writeFileSync(path, script);
  return { [Symbol.dispose]: () => rmSync(path) };
}

/** Has it print that, to the byte. */
function print(command: string, text: string, exitCode = 0): Disposable {
  const path = join(folder, 'said');
  writeFileSync(path, text);
  return order(command, `cat ${path}; exit ${exitCode}`);
}

const podIs = async (): Promise<string> => {
  const podSandboxId = await node.runPod();
  const { status } = await node.cri.runtime.podSandboxStatus({ podSandboxId });
  await node.cri.runtime.removePodSandbox({ podSandboxId });
  return status?.network?.ip ?? '';
};

async function nothingIsLeft(): Promise<void> {
  assert.deepEqual((await node.cri.runtime.listPodSandbox()).items, []);
  assert.deepEqual(readdirSync(join(node.folder, 'runtime/cni/results')), []);
}

async function networkIs(words: RegExp): Promise<string> {
  for (let tries = 0; ; tries++) {
    const { status, info } = await node.cri.runtime.status({ verbose: true });
    const { message = '' } = status?.conditions.find(({ type }) => type === 'NetworkReady') ?? {};
    const said = `${message || 'ready'} ${info['lastCNILoadStatus']}`;
    if (words.test(said)) return message;
    assert.ok(tries < 400, `the network does not say ${words}: ${said.slice(0, 500)}`);
    await delay(20);
  }
}

/** Puts a file in front of the good one, at once. */
function put(name: string, make: (path: string) => void): Disposable {
  const path = join(confDir, name);
  make(join(folder, name));
  renameSync(join(folder, name), path);
  return { [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

before(async () => {
  for (const name of ['net.d', 'bin', 'orders']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'bin/hostile'), hostile, { mode: 0o755 });
  writeFileSync(join(confDir, '50-good.conflist'), JSON.stringify(good));
  const cni = { confDir, binDirs: [join(folder, 'bin')], pluginTimeoutMs: 1_500 };
  node = await startTestNode(42, { cni });
  await networkIs(/^ready OK/);
});
after(async () => {
  await node.close();
  rmSync(folder, { recursive: true });
});

describe('a CNI plug-in', () => {
  test('that leaves a child behind which holds its output is not waited for', async () => {
    using _ = order('ADD', `sleep 20 & echo '${JSON.stringify(given)}'`);
    assert.equal(await podIs(), '10.85.42.9');
    await nothingIsLeft();
  });

  test('that never ends, or prints without end, is ended and named', async () => {
    {
      using _ = order('ADD', 'sleep 1000');
      await assert.rejects(podIs(), /hostile" did not end within 1500 ms and was killed/);
    }
    {
      using _ = order('ADD', 'while :; do printf "%065536d" 0; done');
      await assert.rejects(podIs(), /hostile" printed more than 1048576 bytes and was killed/);
    }
    await nothingIsLeft();
  });

  test('that never ends what it does for one pod, or for none, holds up no other', async () => {
    const podSandboxId = await node.runPod();
    using _ = order('CHECK', 'sleep 1000');
    using __ = order('GC', 'sleep 1000');
    {
      using ___ = order('DEL', `[ $CNI_CONTAINERID != ${podSandboxId} ] || sleep 1000`);
      await node.restart();
      await networkIs(/^ready OK/);
      const removal = node.cri.runtime.removePodSandbox({ podSandboxId });
      const [failed] = await Promise.allSettled([removal, podIs(), podIs()]);
      assert.equal(failed.status, 'rejected');
    }
    await node.cri.runtime.removePodSandbox({ podSandboxId });
    await nothingIsLeft();
  });

  const ips = (...addresses: unknown[]) =>
    JSON.stringify({ ...given, ips: addresses.map((address) => ({ address })) });
  const many = Array.from({ length: 300 }, (_, at) => `10.86.${at >> 8}.${at & 255}/16`);
  const results: [string, string, RegExp][] = [
    ['no JSON', '{', /invalid result: it is no JSON object/],
    ['a list', '[]', /invalid result: it is no JSON object/],
    ['a version of nobody', '{"cniVersion":{"toString":1}}', /cniVersion \{"toString":1\} is not one/],
    [
      'a hundred thousand levels',
      `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /more than 100 levels/,
    ],
    ['an error, and that all is well', '{"code":11,"msg":"no"}', /gave no address for eth0/],
    ['an address without its network', ips('10.85.42.9'), /"10\.85\.42\.9" is no address/],
    ['an address with a zone', ips('fe80::1%../../x/64'), /"fe80::1%\.\.\/\.\.\/x\/64" is no address/],
    ['an address that is none', ips('10.85.42.9/24\nnameserver 6.6.6.6'), /is no address/],
    ['an address of too long a network', ips('10.85.42.9/64'), /"10\.85\.42\.9\/64" is no address/],
    ['an address that is a list', ips(['10.85.42.9/24']), /"" is no address/],
    ['hundreds of addresses', ips(...many), /300 addresses of eth0; want at most 256/],
  ];
  for (const [what, text, words] of results)
    test(`that gives ${what} gets no pod, and is named`, async () => {
      using _ = print('ADD', text);
      await assert.rejects(podIs(), words);
      await nothingIsLeft();
    });

  test('is told of by a bounded part of what it says, by a pod’s error and by the node’s condition', async () => {
    const said = JSON.stringify({ cniVersion: '1.1.0', code: 50, msg: 'no'.repeat(450_000) });
    {
      using _ = print('ADD', said, 1);
      await assert.rejects(podIs(), ({ message }: Error) => {
        assert.match(message, /plugin type="hostile" failed \(add\): nono/);
        return message.length < limits.plugInWordsMax + 300;
      });
    }
    {
      using _ = print('STATUS', said, 1);
      // The kernel tells of this file, and the plug-in is asked.
      using __ = put('99-unread.txt', (path) => writeFileSync(path, ''));
      const message = await networkIs(/failed \(status\): nono/);
      assert.ok(message.length < limits.plugInWordsMax + 300);
    }
    using _ = put('99-unread.txt', (path) => writeFileSync(path, ''));
    await networkIs(/^ready OK/);
    await nothingIsLeft();
  });

  test('that writes to the folder of configurations whenever it is asked is not asked without rest', async () => {
    const asked = () => readFileSync(join(folder, 'calls'), 'utf8').split('STATUS').length;
    using _ = order('STATUS', `date > ${confDir}/99-log.txt`);
    using __ = put('99-log.txt', (path) => writeFileSync(path, ''));
    const before = asked();
    await delay(limits.cniLookPauseMs * 8);
    assert.ok(asked() - before <= 11, `asked ${asked() - before} times`);
  });
});

describe('a CNI configuration', () => {
  const list = (change: object) => (path: string) =>
    writeFileSync(path, JSON.stringify({ ...good, ...change }));
  const nested = `{"cniVersion":"1.1.0","name":"x","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const files: [string, (path: string) => void, RegExp][] = [
    ['is a pipe', (path) => execFileSync('mkfifo', [path]), /00-bad\.conflist: it is no regular file/],
    ['leads to a device without end', (path) => symlinkSync('/dev/zero', path), /it is no regular file/],
    ['leads to itself', (path) => symlinkSync('00-bad.conflist', path), /00-bad\.conflist: ELOOP/],
    ['leads to a folder', (path) => symlinkSync('/', path), /it is no regular file/],
    ['is too large', (path) => writeFileSync(path, ' '.repeat(2 ** 20 + 1)), /larger than 1048576 bytes/],
    ['has a hundred thousand levels', (path) => writeFileSync(path, nested), /more than 100 levels/],
    ['is of a version of nobody', list({ cniVersion: { toString: 1 } }), /want one of 0\.3\.1/],
    [
      'has thousands of plug-ins',
      list({ plugins: Array(2_000).fill({ type: 'hostile' }) }),
      /2000 plugins; want 1 to 64/,
    ],
  ];
  for (const [what, make, words] of files)
    test(`that ${what} is refused by name`, async () => {
      using _ = put('00-bad.conflist', make);
      await networkIs(words);
      await assert.rejects(podIs(), { code: 'UNAVAILABLE' });
    });

  test('that is whole is taken when those before it are gone', async () => {
    await networkIs(/^ready OK/);
    assert.equal(await podIs(), '10.85.42.9');
    await nothingIsLeft();
  });
});
