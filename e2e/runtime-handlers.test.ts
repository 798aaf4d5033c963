/** A node whose pods run under two OCI runtimes, as a RuntimeClass says. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { podOf, TestNode, wherry } from './node.ts';

let node: TestNode;
const folder = mkdtempSync(join(tmpdir(), 'wherry-handlers-'));
/** Writes down what it is asked for, and has runc do it. */
const program = join(folder, 'other-runtime');
const calls = join(folder, 'calls');
const isAsked = (verb: string) => existsSync(calls) && readFileSync(calls, 'utf8').includes(` ${verb} `);
const up = (...words: string[]) => wherry(['up', '--detach', '--data-dir', node.dataDir, ...words]);

before(async () => {
  writeFileSync(program, `#!/bin/sh\necho "" "$@" >>${calls}\nexec runc "$@"\n`, { mode: 0o755 });
  node = await TestNode.start();
});
after(async () => {
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a handler that cannot be run is refused, and the node stays as it is', async () => {
  for (const [handler, problem] of [
    [`other=${join(folder, 'none')}`, /runtime handler "other" by .*none/],
    [`Upper=${program}`, /want a DNS label/],
    [`wherry=${program}`, /that of the default/],
  ] as const) {
    const { code, stderr } = await up('--runtime-handler', handler);
    assert.notEqual(code, 0);
    assert.match(stderr, problem);
  }
});

test('pods of a RuntimeClass run under the handler that a node is told of while it runs, and others do not', async () => {
  await node.apply(podOf('plain'));
  const { code, stderr } = await up('--runtime-handler', `other=${program}`);
  assert.equal(code, 0, stderr);
  const runtimeClass = {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'other' },
    handler: 'other',
  };
  const env = { KUBECONFIG: node.kubeconfig };
  await node.apply(runtimeClass);
  rmSync(calls, { force: true });
  await node.apply(podOf('plain-too'));
  assert.ok(!isAsked('run') && !isAsked('create'));
  await node.apply(podOf('classed', {}, { runtimeClassName: 'other' }));
  assert.ok(isAsked('run') || isAsked('create'), 'its program was asked');
  const { stdout } = await wherry(['exec', 'classed', '--', 'echo', 'in'], { env });
  assert.equal(stdout, 'in\n');
  assert.ok(isAsked('exec'));
});
