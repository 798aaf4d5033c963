import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { NamespaceMode } from '@wherry/cri';
import { RuntimeError } from '../src/errors.ts';
import { settingsOf } from '../src/runtime-options.ts';
import { startTestNode, type TestNode } from './node.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-runtime-handlers-'));
after(() => rmSync(folder, { recursive: true }));

/** An OCI runtime that writes down what it is asked for, and has runc do it. */
const program = join(folder, 'other-runtime');
const calls = join(folder, 'calls');
writeFileSync(program, `#!/bin/sh\necho "$@" >>${calls}\nexec runc "$@"\n`, { mode: 0o755 });
const verbs = () => {
  const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  writeFileSync(calls, '');
  const known = ['features', 'create', 'run', 'start', 'exec', 'update', 'delete'];
  return new Set(
    lines.flatMap((line) =>
      line
        .split(' ')
        .filter((word) => known.includes(word))
        .slice(0, 1),
    ),
  );
};

suite('pods of a runtime handler', () => {
  let node: TestNode;
  before(async () => {
    node = await startTestNode(78, { runtimeHandlers: { other: program } }, { apart: true });
  });
  after(() => node.close());
  const runPod = async (runtimeHandler: string, more = {}) => {
    const metadata = {
      name: `pod-${runtimeHandler}`,
      namespace: 'default',
      uid: `uid-${runtimeHandler}`,
      attempt: 0,
    };
    return node.cri.runtime.runPodSandbox({ config: { metadata, ...more }, runtimeHandler });
  };

  test('are told of with what each handler can do', async () => {
    const { runtimeHandlers } = await node.cri.runtime.status({});
    assert.deepEqual(
      runtimeHandlers.map(({ name }) => name),
      ['', 'wherry', 'other'],
    );
    assert.deepEqual(runtimeHandlers[2]?.features, runtimeHandlers[0]?.features);
    assert.deepEqual([...verbs()], ['features']);
  });

  test('are run, entered and removed by its program, and by no other, over restarts as well', async () => {
    const linux = { securityContext: { namespaceOptions: { pid: NamespaceMode.POD } } };
    const { podSandboxId } = await runPod('other', { linux });
    assert.deepEqual([...verbs()], ['run'], 'the holder of the shared processes');
    const container = await node.runScript(podSandboxId, 'sleep 1000');
    assert.equal(await node.output(container, 'echo', 'inside'), 'inside\n');
    assert.deepEqual([...verbs()].sort(), ['exec', 'run']);
    const { status } = await node.cri.runtime.podSandboxStatus({ podSandboxId });
    assert.equal(status?.runtimeHandler, 'other');
    await node.restart();
    await node.monitor?.kill();
    await node.startMonitor();
    await node.cri.runtime.updateContainerResources({ containerId: container, linux: { cpuShares: 100 } });
    assert.equal(await node.output(container, 'echo', 'again'), 'again\n');
    assert.deepEqual([...verbs()].sort(), ['exec', 'features', 'update']);
    await node.cri.runtime.removePodSandbox({ podSandboxId });
    assert.deepEqual([...verbs()], ['delete']);
  });

  test('leave the default to its own program', async () => {
    for (const handler of ['', 'wherry']) {
      const { podSandboxId } = await runPod(handler);
      await node.output(await node.runScript(podSandboxId, 'sleep 1000'), 'true');
      await node.cri.runtime.removePodSandbox({ podSandboxId });
    }
    assert.deepEqual([...verbs()], []);
  });

  test('of a handler that nobody has configured are refused with those that are', async () => {
    await assert.rejects(runPod('none'), {
      code: 'INVALID_ARGUMENT',
      message: 'runtime handler "none" is not configured; there are the default and "other"',
    });
    const image = { image: 'box', runtimeHandler: 'none' };
    await assert.rejects(node.cri.images.pullImage({ image }), {
      code: 'INVALID_ARGUMENT',
      message: /runtimeHandler/,
    });
  });

  test('outlive their handler: what runs goes on, and nothing new begins', async () => {
    const { podSandboxId } = await runPod('other');
    const container = await node.runScript(podSandboxId, 'sleep 1000');
    const { runtimeHandlers } = node.runtimeOptions;
    Object.assign(node.runtimeOptions, { runtimeHandlers: undefined });
    await node.restart();
    assert.equal(await node.output(container, 'echo', 'on'), 'on\n');
    await assert.rejects(node.runScript(podSandboxId, 'true'), /runtime handler "other" is not configured/);
    await node.cri.runtime.removePodSandbox({ podSandboxId });
    Object.assign(node.runtimeOptions, { runtimeHandlers });
    await node.restart();
  });
});

test('pods that ask for no handler are run by the OCI runtime that the runtime was told of, whatever its monitor runs', async () => {
  const node = await startTestNode(113, { ociRuntime: program });
  try {
    verbs();
    const metadata = { name: 'plain', namespace: 'default', uid: 'uid-plain', attempt: 0 };
    const { podSandboxId } = await node.cri.runtime.runPodSandbox({
      config: { metadata },
      runtimeHandler: '',
    });
    const container = await node.runScript(podSandboxId, 'sleep 1000');
    assert.equal(await node.output(container, 'echo', 'in'), 'in\n');
    assert.deepEqual([...verbs()].filter((verb) => verb !== 'start').sort(), ['exec', 'run'].sort());
    await node.cri.runtime.removePodSandbox({ podSandboxId });
    assert.ok(verbs().has('delete'));
  } finally {
    await node.close();
  }
  const started = () =>
    settingsOf({ dataDir: folder, monitorSocketPath: join(folder, 'm'), ociRuntime: join(folder, 'none') });
  assert.throws(started, /OCI runtime: .*none/);
});

test('a handler whose name is none, or the default’s, or whose program is missing keeps the runtime from starting', () => {
  const start = (runtimeHandlers: Record<string, string>) => () =>
    settingsOf({ dataDir: folder, monitorSocketPath: join(folder, 'm'), runtimeHandlers });
  for (const name of ['', 'Upper', 'wherry', 'a/b', '__proto__'])
    assert.throws(
      start(Object.fromEntries([[name, program]])),
      (error) => error instanceof RuntimeError && /want a DNS label/.test(error.message),
    );
  assert.throws(start({ other: join(folder, 'none') }), /runtime handler "other": .*none/);
  appendFileSync(calls, '');
});
