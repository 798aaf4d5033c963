/** troubleshoot's support bundles and preflights, which software is delivered with, before a real node. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { TestNode } from '../../e2e/node.ts';
import { buildTool } from './build.ts';
import { tokenKubeconfig } from './token-kubeconfig.ts';
import { bundle, objects, preflight, redactor } from './troubleshoot/specs.ts';

const stepMs = 150_000;

let node: TestNode;
let folder: string;
let supportBundle: string;
let preflights: string;
let whole: Bundle;

before(async () => {
  supportBundle = await buildTool('support-bundle');
  preflights = await buildTool('preflight');
  folder = mkdtempSync(join(tmpdir(), 'wherry-troubleshoot-'));
  node = await TestNode.start('troubled');
  await node.create(...objects);
  await node.kubectlOk(['rollout', 'status', 'deployment/shop', '--timeout=60s']);
  const falling = '--for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff';
  await node.kubectlOk(['wait', falling, 'pod/falls', '--timeout=60s']);
  whole = await collect('whole', node.kubeconfig);
});
after(async () => {
  await node?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Runs one of both in the folder of the test, where it leaves files. */
const ask = (kubeconfig: string, program: string, ...words: string[]) =>
  run('env', ['-C', folder, program, '--interactive=false', ...words], {
    env: { KUBECONFIG: kubeconfig, HOME: folder },
    timeoutMs: stepMs,
  });

function specFile(name: string, ...specs: object[]): string {
  const file = join(folder, name);
  writeFileSync(file, specs.map((spec) => JSON.stringify(spec)).join('\n---\n'));
  return file;
}

interface Insight {
  insight: { primary: string; detail: string; severity: string };
}

/** A bundle, unpacked. */
class Bundle {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(path: string): boolean {
    return existsSync(join(this.#folder, path));
  }

  text(path: string): string {
    return readFileSync(join(this.#folder, path), 'utf8');
  }

  json(path: string) {
    return JSON.parse(this.text(path));
  }

  /** The text at such a path of each of the shop's two pods that has it. */
  ofShop(before: string, behind: string): string[] {
    const pods = readdirSync(join(this.#folder, before)).filter((name) => name.startsWith('shop-'));
    return pods.map((pod) => this.text(join(before, pod, behind)));
  }
}

async function collect(name: string, kubeconfig: string): Promise<Bundle> {
  const spec = specFile(`${name}.yaml`, bundle, redactor);
  const packed = join(folder, `${name}.tar.gz`);
  const { code, stderr } = await ask(kubeconfig, supportBundle, `--output=${packed}`, spec);
  assert.equal(code, 0, stderr);
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked, { recursive: true });
  await run('tar', ['-C', unpacked, '-xzf', packed]);
  return new Bundle(join(unpacked, name));
}

test('it lists what is there, of every kind', () => {
  assert.match(whole.json('cluster-info/cluster_version.json').string, /^v1\.36\./);
  const pods = whole.json('cluster-resources/pods/default.json').items;
  assert.equal(
    pods.filter(({ metadata }: { metadata: { name: string } }) => /^shop-/.test(metadata.name)).length,
    2,
  );
  const [one] = whole.json('cluster-resources/nodes.json').items;
  assert.equal(one.metadata.name, 'troubled');
  const rules = whole.json('cluster-resources/auth-cani-list/default.json');
  assert.ok(rules.some(({ verbs }: { verbs: string[] }) => verbs.includes('*')));
  assert.ok(whole.json('cluster-resources/resources.json').length > 20);
});

test('logs come whole, or as many lines as it asks for, without what nobody is to read', () => {
  for (const text of whole.ofShop('tail', 'main.log')) {
    const lines = text.trimEnd().split('\n');
    const wanted = Array.from({ length: 500 }, (_, index) => `line ${index + 1501} password=***HIDDEN***`);
    assert.deepEqual(lines, wanted);
  }
  const logs = 'cluster-resources/pods/logs/default';
  assert.deepEqual(whole.ofShop(logs, 'prepare.log'), ['prepared\n', 'prepared\n']);
  assert.equal(whole.text(`${logs}/falls/main-previous.log`), 'falling\n');
  assert.match(
    whole.text(`${logs}/imageless/main-logs-errors.log`),
    /waiting to start: trying and failing to pull image/,
  );
});

test('commands bring both outputs, fail with their codes, and end when their time is over', () => {
  const [said] = whole.ofShop('said/default', 'said-stdout.txt');
  assert.deepEqual(
    said?.trimEnd().split('\n').map(Number),
    Array.from({ length: 20_000 }, (_, index) => index + 1),
  );
  assert.deepEqual(whole.ofShop('said/default', 'said-stderr.txt'), ['oops\n']);
  assert.deepEqual(whole.ofShop('failing/default', 'failing-stdout.txt'), ['part\n']);
  const [errors] = whole.ofShop('failing/default', 'failing-errors.json');
  assert.deepEqual(JSON.parse(errors!), ['command terminated with exit code 7']);
  assert.equal(whole.json('collector-errors/exec/slow-error.json').error, 'timeout');
});

test('files come out of pods, and off the machine', () => {
  assert.deepEqual(whole.ofShop('copied/default', 'main/data/sub/b'), ['two\n', 'two\n']);
  assert.equal(whole.text('machine/troubled/hostname').trim(), hostname());
  assert.match(whole.text('sysctl/troubled'), /^\/proc\/sys\/net\/ipv4\/ip_forward = 1$/m);
});

test('pods that it makes say what they find, and are gone afterwards', async () => {
  assert.equal(whole.text('asks/asks.log'), 'hi\none\n');
  assert.equal(whole.text('gives-up/gives-up.log'), 'no\n');
  assert.equal(whole.json('gives-up/gives-up.json').status.containerStatuses[0].state.terminated.exitCode, 4);
  assert.match(
    whole.json('collector-errors/run-pod/nowhere-error.json').error,
    /pod status '(ErrImagePull|ImagePullBackOff)'/,
  );
  assert.equal(whole.text('everywhere/troubled.log'), 'on it\n');
  const left = await node.kubectlOk(['get', 'pods,daemonsets', '-o', 'name']);
  assert.match(left, /^pod\/falls\npod\/imageless\npod\/shop-\S+\npod\/shop-\S+\n$/);
});

test('what is set is there, secrets without their values, and figures of the node', () => {
  assert.deepEqual(whole.json('configmaps/default/settings.json').data, { level: 'high' });
  assert.equal(whole.json('secrets/default/login/word.json').value, '***HIDDEN***');
  assert.equal(whole.json('secrets/default/absent.json').secretExists, false);
  const { node: figures, pods } = whole.json('node-metrics/troubled.json');
  assert.ok(figures.memory.workingSetBytes > 0);
  assert.ok(pods.some(({ podRef }: { podRef: { name: string } }) => podRef.name.startsWith('shop-')));
});

test('it finds what is wrong, and nothing else', () => {
  const found = whole
    .json('analysis.json')
    .map(({ insight }: Insight) => `${insight.detail} (${insight.severity})`);
  assert.deepEqual(found.sort(), [
    'falls CrashLoopBackOff (error)',
    'falls comes and goes (error)',
    'imageless ImagePullBackOff (error)',
    'no (error)',
    ...Array(5).fill('yes (debug)'),
  ]);
});

test('who may look alone gets a bundle, with what was forbidden', { timeout: stepMs }, async () => {
  await node.kubectlOk(['create', 'serviceaccount', 'looks']);
  const words = ['--clusterrole=view', '--serviceaccount=default:looks'];
  await node.kubectlOk(['create', 'rolebinding', 'looks', ...words]);
  const seen = await collect('seen', await tokenKubeconfig(node, 'looks', folder));
  assert.equal(seen.ofShop('tail', 'main.log').length, 2);
  const [refused] = seen.json('cluster-resources/nodes-errors.json');
  assert.match(refused, /User "system:serviceaccount:default:looks" cannot list resource "nodes"/);
  const skipped = seen.json('skipped-collectors.json').map((entry: { collector: string }) => entry.collector);
  assert.ok(skipped.includes('exec/said'), String(skipped));
  for (const absent of ['said', 'asks', 'secrets']) assert.ok(!seen.has(absent), absent);
});

for (const [memory, code] of [
  ['1Gi', 0],
  ['1Pi', 3],
] as const)
  test(`a preflight that asks for ${memory} ends with ${code}`, { timeout: stepMs }, async () => {
    const output = join(folder, `${memory}.json`);
    const words = ['--format', 'json', '--output', output, specFile(`${memory}.yaml`, preflight(memory))];
    const asked = await ask(node.kubeconfig, preflights, ...words);
    assert.equal(asked.code, code, asked.stderr);
    const { pass = [], fail = [] } = JSON.parse(readFileSync(output, 'utf8'));
    const titles = (results: { title: string }[]) => results.map(({ title }) => title);
    assert.deepEqual(titles(fail), code === 0 ? [] : ['memory']);
    assert.deepEqual(titles(pass), code === 0 ? ['memory', 'web'] : ['web']);
  });
