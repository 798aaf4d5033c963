/** Kyverno on a real node by its own manifest, judged by its own suites, as they stand: chainsaw plays them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { TestNode } from '../../e2e/node.ts';
import { buildTool } from '../tools/build.ts';
import { buildProgram, folderOf } from './build.ts';
import { bringProgram, rolledOut } from './delivered.ts';
import { moreRights } from './kyverno/rights.ts';

const namespace = 'kyverno';
const controllers = ['background-controller', 'cleanup-controller', 'reports-controller'] as const;
const programs = ['kyverno', 'kyvernopre', ...controllers] as const;
const suiteMs = 600_000;

/**
 * Some folders of its suites, and how many of each pass: one that began to leave some out would show nothing. Many others need
 * images of registries that are not reached from here.
 */
const suites = {
  'webhook-configurations': 6,
  webhooks: 23,
  'generate-validating-admission-policy': 47,
  'generate/clusterpolicy/standard/data/sync': 14,
  rbac: 4,
};

let folder: string;
let node: TestNode;
let chainsaw: string;
let suite: string;

/** Its manifest with what its own builds turn on for the suites: exceptions to policies, and an event of whatever it does. */
const asTried = (manifest: string) =>
  manifest
    .replaceAll(
      /( +- --)enablePolicyException=false/g,
      '$1enablePolicyException=true\n$1exceptionNamespace=*',
    )
    .replaceAll(/( +- --omitEvents=)\S+/g, '$1');

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-kyverno-'));
  chainsaw = await buildTool('chainsaw');
  const module = await folderOf('github.com/kyverno/kyverno', 'kyverno');
  suite = join(module, 'test/conformance/chainsaw');
  const built = new Map<string, string>();
  for (const name of programs) built.set(name, await buildProgram(name, module));
  node = await TestNode.start('policies');
  for (const [name, program] of built)
    await bringProgram(node, `reg.kyverno.io/kyverno/${name}:latest`, program, name, '65534:65534');
  const file = join(folder, 'kyverno.yaml');
  writeFileSync(file, asTried(readFileSync(join(module, 'config/install-latest-testing.yaml'), 'utf8')));
  await node.kubectlOk(['create', '-f', file], { timeoutMs: 120_000 });
  await node.create(...moreRights);
  for (const name of ['admission-controller', ...controllers])
    await rolledOut(node, namespace, `kyverno-${name}`);
});
after(async () => {
  await node?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Its configuration of a suite, as far as this chainsaw knows it, without ending at the first that fails, and with patience. */
function configurationOf(name: string): string {
  const [part] = name.split('/');
  const text = readFileSync(join(suite, part!, '.chainsaw.yaml'), 'utf8');
  const file = join(folder, `${part}.yaml`);
  const known = text.replace(/^ +namespace:\n +fastDelete:.*$/m, '');
  writeFileSync(file, known.replace('failFast: true', 'failFast: false').replace('apply: 10s', 'apply: 60s'));
  return file;
}

for (const [name, passed] of Object.entries(suites))
  test(`its suite of ${name}`, { timeout: suiteMs }, async () => {
    const words = [
      'test',
      join(suite, name),
      '--no-color',
      '--config',
      configurationOf(name),
      '--parallel',
      '4',
    ];
    const env = { KUBECONFIG: node.kubeconfig, HOME: folder };
    const { stdout, stderr } = await run(chainsaw, words, { env, timeoutMs: suiteMs });
    const failed = stdout.match(/^ +--- FAIL: \S+/gm) ?? [];
    if (failed.length > 0) console.log(stdout.slice(-20_000), stderr);
    assert.deepEqual(failed, []);
    assert.equal(Number(/^- Passed {2}tests (\d+)$/m.exec(stdout)?.[1]), passed);
  });
