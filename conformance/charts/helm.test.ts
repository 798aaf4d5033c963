/** Helm on a real node: charts of eight kinds are installed, upgraded, taken back, tested and removed. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Finished, run } from '../../e2e/command.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { buildHelm } from './build.ts';
import { buildChartImage } from './image.ts';

let program: string;
let node: TestNode;
let home: string;

before(async () => {
  program = await buildHelm();
  home = mkdtempSync(join(tmpdir(), 'wherry-helm-'));
  node = await TestNode.start('charts');
  await buildChartImage(node.dataDir);
});
after(async () => {
  if (home) rmSync(home, { recursive: true, force: true });
  await node?.remove();
});

const patience = ['--wait', '--timeout', '90s'];

/** One release of the chart of that name, in a namespace of that name. */
class Release {
  readonly name: string;
  readonly chart: string;
  constructor(name: string) {
    this.name = name;
    this.chart = join(import.meta.dirname, name);
  }

  try(...words: string[]): Promise<Finished> {
    const env = { KUBECONFIG: node.kubeconfig, HOME: home };
    return run(program, ['-n', this.name, ...words], { env, timeoutMs: 120_000 });
  }

  async helm(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(...words);
    assert.equal(code, 0, `helm ${words.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  }

  kubectl(...words: string[]): Promise<string> {
    return node.kubectlOk(['-n', this.name, ...words]);
  }

  field(what: string, path: string): Promise<string> {
    return this.kubectl('get', ...what.split(' '), '-o', `jsonpath={${path}}`);
  }

  install(...words: string[]): Promise<string> {
    return this.helm('install', this.name, this.chart, '--create-namespace', ...patience, ...words);
  }

  upgrade(...words: string[]): Promise<string> {
    return this.helm('upgrade', this.name, this.chart, '--reuse-values', ...patience, ...words);
  }

  rollback(revision: number): Promise<string> {
    return this.helm('rollback', this.name, String(revision), ...patience);
  }

  async statuses(): Promise<string[]> {
    const revisions = JSON.parse(await this.helm('history', this.name, '-o', 'json'));
    return revisions.map(({ status }: { status: string }) => status);
  }

  async logsOfTests(): Promise<string> {
    const said = await this.helm('test', this.name, '--logs', '--timeout', '60s');
    assert.match(said, /Phase: +Succeeded/);
    return said;
  }

  /** Uninstalls it; nothing that its manifest names is left, and nothing runs. */
  async remove(): Promise<void> {
    const manifest = await this.helm('get', 'manifest', this.name);
    await this.helm('uninstall', this.name, ...patience);
    const words = ['-n', this.name, 'get', '--ignore-not-found', '-o', 'name', '-f', '-'];
    // Of a kind whose definition stays, or went with it, nothing is there either way.
    const left = await node.kubectlOk(words, { stdin: manifest });
    assert.equal(left, '');
    assert.equal(await this.helm('list', '--all', '-q'), '');
    await node.kubectlOk(['delete', 'namespace', this.name, '--timeout=60s']);
  }
}

test('a web application with ingress and autoscaler', async () => {
  const web = new Release('web');
  const dry = await web.helm('install', 'web', web.chart, '--dry-run=server', '-n', 'default');
  assert.match(dry, /kind: Ingress/);
  assert.equal(await node.kubectlOk(['get', 'deployments', '-n', 'default', '-o', 'name']), '');

  assert.match(
    await web.install(),
    /STATUS: deployed[\s\S]*answers at http:\/\/web\.example\.com\/ \(revision 1\)/,
  );
  assert.match(await web.logsOfTests(), /it says hello/);
  assert.equal(await web.field('ingress web-web', '.spec.rules[0].host'), 'web.example.com');
  assert.equal(await web.field('hpa web-web', '.spec.scaleTargetRef.name'), 'web-web');

  await web.upgrade('--set', 'greeting=goodbye');
  assert.match(await web.logsOfTests(), /it says goodbye/);
  const bad = await web.try('upgrade', 'web', web.chart, '--set', 'greeting=');
  assert.match(bad.stderr, /greeting.*minLength/s);

  const broken = ['--atomic', '--timeout', '8s', '--set', 'image=docker.io/library/nowhere:1'];
  const refused = await web.try('upgrade', 'web', web.chart, ...broken);
  assert.match(refused.stderr, /release web failed, and has been rolled back due to atomic being set/);
  assert.deepEqual(await web.statuses(), ['superseded', 'superseded', 'failed', 'deployed']);
  assert.match(await web.logsOfTests(), /it says goodbye/);

  await web.rollback(1);
  assert.match(await web.logsOfTests(), /it says hello/);
  assert.match(await web.helm('status', 'web', '--show-resources'), /REVISION: 5[\s\S]*web-web +2\/2/);
  assert.match(await web.helm('get', 'values', 'web', '--all'), /greeting: hello/);
  assert.match(await web.helm('get', 'all', 'web'), /HOOKS:[\s\S]*kind: Pod/);
  await web.remove();
});

test('a database in a stateful set keeps its data over upgrades, and its password', async () => {
  const database = new Release('database');
  await database.install();
  const password = await database.field('secret database-password', '.data.password');
  await database.logsOfTests();
  await database.upgrade('--set', 'setting=two', '--set', 'replicas=3');
  assert.equal(await database.field('secret database-password', '.data.password'), password);
  assert.equal(await database.kubectl('exec', 'database-0', '--', 'cat', '/data/starts'), 'one\ntwo\n');
  await database.logsOfTests();
  const renamed = await database.try('upgrade', 'database', database.chart, '--set', 'size=1Gi');
  assert.match(renamed.stderr, /spec: Forbidden: updates may change nothing but replicas, template/);
  await database.rollback(2);
  await database.rollback(1);
  await eventually(
    'the third member to go',
    async () =>
      (await database.kubectl('get', 'pods', '-l', 'app=database', '-o', 'name')).trim().split('\n')
        .length === 2,
  );
  assert.equal(await database.field('statefulset database', '.status.readyReplicas'), '2');
  assert.equal((await database.kubectl('get', 'pvc', '-o', 'name')).trim().split('\n').length, 3);
  assert.equal(await database.kubectl('exec', 'database-0', '--', 'tail', '-n1', '/data/starts'), 'one\n');
  await database.remove();
});

test('cron jobs, one of which is run by hand', async () => {
  const schedules = new Release('schedules');
  await schedules.install();
  const table = await schedules.kubectl('get', 'cronjobs');
  assert.match(table, /schedules-nightly +0 3 \* \* \* +Europe\/Berlin +False/);
  assert.match(table, /schedules-paused +\*\/5 \* \* \* \* +Etc\/UTC +True/);
  await schedules.kubectl('create', 'job', 'tonight', '--from=cronjob/schedules-nightly');
  await schedules.kubectl('wait', '--for=condition=Complete', 'job/tonight', '--timeout=60s');
  assert.equal(await schedules.kubectl('logs', 'job/tonight'), 'backed up\n');
  await schedules.upgrade('--set', 'jobs.weekly=null', '--set-string', 'jobs.nightly.schedule=30 4 * * *');
  assert.doesNotMatch(await schedules.kubectl('get', 'cronjobs', '-o', 'name'), /weekly/);
  await schedules.rollback(1);
  assert.equal(await schedules.field('cronjob schedules-weekly', '.spec.schedule'), '@weekly');
  await schedules.helm('test', 'schedules');
  await schedules.remove();
});

test('hooks run in the order of their weights, once their time has come', async () => {
  const hooks = new Release('hooks');
  await hooks.install();
  const time = async (job: string, which: 'startTime' | 'completionTime') => {
    const text = await hooks.field(`job hooks-${job}`, `.status.${which}`);
    assert.notEqual(text, '', `${job} has no ${which}`);
    return Date.parse(text);
  };
  assert.ok((await time('schema', 'completionTime')) <= (await time('data', 'startTime')));
  assert.ok((await time('data', 'completionTime')) <= (await time('announce', 'startTime')));
  assert.equal(await hooks.kubectl('logs', 'job/hooks-schema'), 'schema one\n');
  assert.match(await hooks.logsOfTests(), /first one[\s\S]*second one/);

  await hooks.upgrade('--set', 'version=two');
  assert.ok((await time('before', 'completionTime')) <= (await time('after', 'startTime')));
  const failed = await hooks.try(
    'upgrade',
    'hooks',
    hooks.chart,
    '--set',
    'fail=before',
    '--set',
    'version=three',
  );
  assert.match(failed.stderr, /pre-upgrade hooks failed: .*job hooks-before failed: BackoffLimitExceeded/s);
  assert.equal(await hooks.field('configmap hooks-settings', '.data.version'), 'two');
  await hooks.rollback(1);
  assert.equal(await hooks.kubectl('logs', 'job/hooks-around'), 'around one\n');
  assert.equal(await hooks.field('configmap hooks-settings', '.data.version'), 'one');

  await hooks.upgrade('--set', 'fail=second');
  const tested = await hooks.try('test', 'hooks', '--timeout', '60s');
  assert.notEqual(tested.code, 0);
  assert.match(tested.stdout, /hooks-first[\s\S]*Succeeded[\s\S]*hooks-second[\s\S]*Failed/);
  await hooks.remove();
});

test('parts of an application come and go by their conditions and tags', async () => {
  const shop = new Release('shop');
  const parts = async () =>
    (await shop.kubectl('get', 'deployments,replicasets', '-o', 'name')).match(/[^/\s]+$/gm);
  await shop.install();
  assert.deepEqual(await parts(), ['shop-cache']);
  assert.equal(await shop.field('replicaset shop-cache', '.status.readyReplicas'), '3');
  await shop.upgrade('--set', 'tags.background=true,queue.enabled=false,cache.size=1');
  const withMail = await parts();
  assert.ok(withMail?.includes('shop-mail') && !withMail.includes('shop-queue'), String(withMail));
  assert.equal(
    await shop.field('deployment shop-mail', '.spec.template.spec.containers[0].env[0].value'),
    'letters',
  );
  assert.equal(await shop.field('configmap shop-parts', '.data.parts'), 'cache,mail');
  await shop.upgrade('--set', 'cache.enabled=false');
  assert.ok(!(await parts())?.includes('shop-cache'));
  await shop.rollback(1);
  await eventually('the parts of the first revision', async () => String(await parts()) === 'shop-cache');
  await shop.helm('test', 'shop');
  await shop.remove();
});

test('an operator finds the objects of its own kind, with the rights that it is given', async () => {
  const operator = new Release('operator');
  const made = async () =>
    (await operator.kubectl('get', 'configmaps', '-o', 'name')).match(/plan-\w+/g) ?? [];
  await operator.install();
  await eventually('the plan', async () => (await made()).join() === 'plan-daily');
  assert.match(await operator.kubectl('get', 'bk'), /^NAME +TARGET +COPIES\ndaily +shop +3\n/);
  await operator.upgrade('--set', 'backups.hourly.target=cache');
  await eventually('the second plan', async () => (await made()).join() === 'plan-daily,plan-hourly');
  assert.equal(await operator.field('backup hourly', '.spec.copies'), '1');
  const bad = await operator.try(
    'upgrade',
    'operator',
    operator.chart,
    '--reuse-values',
    '--set',
    'backups.daily.copies=10',
  );
  assert.match(bad.stderr, /spec\.copies in body should be less than or equal to 9/);
  await operator.rollback(1);
  assert.equal(await operator.kubectl('get', 'backups', '-o', 'name'), 'backup.charts.wherry.dev/daily\n');
  const asOperator = ['--as=system:serviceaccount:operator:operator'];
  assert.equal(await operator.kubectl('auth', 'can-i', 'create', 'configmaps', ...asOperator), 'yes\n');
  const denied = await node.kubectl(['-n', 'operator', 'auth', 'can-i', 'delete', 'backups', ...asOperator]);
  assert.equal(denied.stdout, 'no\n');
  await operator.helm('test', 'operator');
  await operator.remove();
  await node.kubectlOk(['delete', 'crd', 'backups.charts.wherry.dev', '--timeout=60s']);
});

test('an agent on every node is rolled to its new configuration, and only its friends reach it', async () => {
  const agent = new Release('agent');
  await agent.install();
  assert.match(await agent.logsOfTests(), /^info$/m);
  const inside = ['exec', 'daemonset/agent', '--', 'sh', '-c'];
  const look = 'cat /settings/files.txt /settings/labels; echo $AGENT_LEVEL $NODE';
  assert.match(await agent.kubectl(...inside, look), /\/var\/log[\s\S]*app="agent"[\s\S]*info charts/);
  await agent.upgrade('--set', 'level=debug');
  assert.match(await agent.logsOfTests(), /^debug$/m);
  assert.equal(await agent.field('daemonset agent', '.status.updatedNumberScheduled'), '1');
  await agent.rollback(1);
  assert.match(await agent.logsOfTests(), /^info$/m);
  await agent.remove();
});

/** What a cloud's controller writes: Helm waits for the address of a load balancer. */
async function balance(release: Release): Promise<void> {
  const name = `${release.name}-loadbalancer`;
  const words = ['patch', 'service', name, '--subresource=status', '--type=merge', '-p'];
  const status = JSON.stringify({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.80' }] } } });
  const patch = () => node.kubectl(['-n', release.name, ...words, status]);
  await eventually('the load balancer', async () => (await patch()).code === 0);
}

test('what a team is given holds its programs to a quota, and every type of service leads to them', async () => {
  const platform = new Release('platform');
  await Promise.all([platform.install(), balance(platform)]);
  await platform.logsOfTests();
  assert.equal(
    await platform.field('deployment platform', '.spec.template.spec.priorityClassName'),
    'platform-1000',
  );
  const pod = '.items[0].spec';
  assert.equal(await platform.field('pods -l app=platform', `${pod}.priority`), '1000');
  assert.equal(
    await platform.field('pods -l app=platform', `${pod}.containers[0].resources.limits.memory`),
    '32Mi',
  );
  await eventually(
    'the budget',
    async () => (await platform.field('pdb platform', '.status.disruptionsAllowed')) === '1',
  );
  const over = ['upgrade', 'platform', platform.chart, '--reuse-values', '--wait', '--timeout', '8s'];
  const refused = await platform.try(...over, '--set', 'replicas=20');
  assert.match(refused.stderr, /context deadline exceeded/);
  assert.match(await platform.kubectl('describe', 'rs'), /exceeded quota: platform, requested: pods=1/);
  await platform.upgrade('--set', 'replicas=1', '--set', 'priority=2000');
  assert.equal(await platform.field('deployment platform', '.status.replicas'), '1');
  await platform.rollback(1);
  await platform.logsOfTests();
  await platform.remove();
});
