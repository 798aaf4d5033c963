/** `create KIND NAME`. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type {
  ConfigMap,
  CronJob,
  Deployment,
  Job,
  PodDisruptionBudget,
  PriorityClass,
  ResourceQuota,
  Secret,
} from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
});
after(() => served?.close());

const said = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const write = (name: string, content: string | Buffer): string => {
  const path = join(served.server.folder, name);
  writeFileSync(path, content);
  return path;
};

test('create makes objects of one kind by words, and says what is there already', async () => {
  for (const [line, name] of [
    ['create ns made', 'namespace/made'],
    ['create sa made', 'serviceaccount/made'],
    ['create deployment made --image=app', 'deployment.apps/made'],
    ['create job made --image=app', 'job.batch/made'],
    ['create cm made', 'configmap/made'],
    ['create cj made --image=app --schedule=@daily', 'cronjob.batch/made'],
    ['create quota made --hard=pods=2', 'resourcequota/made'],
    ['create pdb made --selector=app=x --min-available=1', 'poddisruptionbudget.policy/made'],
    ['create pc made --value=7', 'priorityclass.scheduling.k8s.io/made'],
    ['create secret generic made', 'secret/made'],
  ] as const) {
    for (const [where, words] of [
      ['client', 'dry run'],
      ['server', 'server dry run'],
    ])
      assert.deepEqual(await served.run(`${line} --dry-run=${where}`), said(`${name} created (${words})`));
    assert.deepEqual(await served.run(line), said(`${name} created`));
  }
  assert.deepEqual(
    await served.run('create ns made'),
    failed('Error from server (AlreadyExists): namespaces "made" already exists'),
  );
  assert.deepEqual(
    await served.run('create deployment made --image=app'),
    failed('error: failed to create deployment: deployments.apps "made" already exists'),
  );
  const budget = await served.run('create pdb made --selector=app=x --min-available=1');
  assert.match(budget.stderr, /^error: failed to create poddisruptionbudgets: .* already exists\n$/);
});

test('create deployment and job take images and a command', async () => {
  await served.run('create deployment web --image=reg/app:1 --image=side@sha256:0 -r 2 --port=80');
  const { spec } = await served.client.get<Deployment>('Deployment/web');
  const [first, second] = spec?.template.spec?.containers ?? [];
  assert.deepEqual([spec?.replicas, spec?.selector.matchLabels], [2, { app: 'web' }]);
  assert.deepEqual([first?.name, first?.image, first?.ports?.[0]?.containerPort], ['app', 'reg/app:1', 80]);
  assert.deepEqual([second?.name, second?.ports], ['side', undefined]);
  const { stdout } = await served.run('create job one --image=app --dry-run=client -o json -- sleep 1');
  const container = { name: 'one', image: 'app', command: ['sleep', '1'], resources: {} };
  assert.deepEqual((JSON.parse(stdout) as Job).spec?.template.spec?.containers, [container]);
});

test('create takes one name, and wants the flags that a kind needs', async () => {
  for (const [line, says] of [
    [
      'deployment a b --image=x',
      "error: exactly one NAME is required, got 2\nSee 'wherry create deployment -h'",
    ],
    ['cronjob a --image=x', 'error: required flag(s) "schedule" not set'],
    ['cronjob a', 'error: required flag(s) "image", "schedule" not set'],
    ['job a', 'error: either --image or --from must be specified'],
    ['job a --image=x --from=cj/made', 'error: either --image or --from must be specified'],
    ['job a --from=cj/made -- sleep 1', 'error: cannot specify --from and command'],
    ['job a --from=cj/nope', 'Error from server (NotFound): cronjobs.batch "nope" not found'],
    ['job a --from=ns/default', 'error: unknown object type *v1.Namespace'],
  ] as const) {
    const { code, stderr } = await served.run(`create ${line}`);
    assert.deepEqual([code, stderr.slice(0, says.length)], [1, says], line);
  }
});

test('create cronjob takes a schedule, and create job --from makes what it would', async () => {
  await served.run('create cronjob tick --image=app --restart=Never --schedule', '* * * * *');
  const tick = await served.client.get<CronJob>('CronJob/tick');
  assert.equal(tick.spec?.schedule, '* * * * *');
  const labels = { a: 'b' };
  const template = { metadata: { labels, annotations: { c: 'd' } } };
  await served.client.patch('CronJob/tick', { spec: { jobTemplate: template } });
  const made = { code: 0, stdout: 'job.batch/now created\n', stderr: '' };
  assert.deepEqual(await served.run('create job now --from=cronjob/tick'), made);
  const { metadata, spec } = await served.client.get<Job>('Job/now');
  assert.deepEqual(metadata.annotations, { 'cronjob.kubernetes.io/instantiate': 'manual', c: 'd' });
  assert.equal(metadata.labels?.['a'], 'b');
  assert.deepEqual(metadata.ownerReferences, [
    { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid: tick.metadata.uid, controller: true },
  ]);
  assert.equal(spec?.template.spec?.containers[0]?.image, 'app');
});

test('create quota, poddisruptionbudget and priorityclass say how much there may be', async () => {
  await served.run('create quota most --hard=cpu=1,memory=1000Mi --scopes=NotTerminating');
  const { spec: quota } = await served.client.get<ResourceQuota>('ResourceQuota/most');
  assert.deepEqual(quota, { hard: { cpu: '1', memory: '1000Mi' }, scopes: ['NotTerminating'] });
  await served.run('create pdb some --max-unavailable=50% --selector', 'app=x,tier in (a,b)');
  const { spec: budget } = await served.client.get<PodDisruptionBudget>('PodDisruptionBudget/some');
  const matchExpressions = [{ key: 'tier', operator: 'In', values: ['a', 'b'] }];
  assert.deepEqual(budget, {
    maxUnavailable: '50%',
    selector: { matchLabels: { app: 'x' }, matchExpressions },
  });
  await served.run('create priorityclass mine --value=-5 --global-default --preemption-policy=Never');
  const { value, globalDefault, preemptionPolicy } =
    await served.client.get<PriorityClass>('PriorityClass/mine');
  assert.deepEqual([value, globalDefault, preemptionPolicy], [-5, true, 'Never']);
  for (const [line, says] of [
    ['quota x --hard=cpu', 'error: Invalid argument syntax cpu, expected <resource>=<value>'],
    ['quota x --scopes=a,', 'error: invalid resource quota scope ""'],
    ['pdb x --min-available=1', 'error: a selector must be specified'],
    ['pdb x --selector=a=b', 'error: one of min-available or max-unavailable must be specified'],
    ['pdb x --selector=a=b --min-available=x', 'error: invalid format specified for min-available'],
  ] as const)
    assert.deepEqual(await served.run(`create ${line}`), failed(says), line);
});

test('create configmap and secret take literals, files, folders and lines of an environment', async () => {
  const folder = join(served.server.folder, 'settings');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), 'text');
  mkdirSync(join(folder, 'below'));
  const odd = join(served.server.folder, 'odd-settings');
  mkdirSync(odd);
  writeFileSync(join(odd, 'not a key'), '');
  const binary = write('binary', Buffer.from([0xff, 0xfe]));
  const env = write('x.env', '\ufeffA=1\n# none\n  B=2=3\n');
  const digits = write('digits.env', '1A=1\n');
  const mark = write('mark.env', 'A=1\n\ufeffB=1\n');
  const broken = write('broken.env', Buffer.from([0x41, 0x3d, 0xff]));
  const environmentRule =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
  await served.run(
    `create cm full --from-literal=k=v=w --from-literal=q="v" --from-file=${folder} --from-file=raw=${binary}`,
  );
  const { data, binaryData } = await served.client.get<ConfigMap>('ConfigMap/full');
  assert.deepEqual([data, binaryData], [{ 'a.txt': 'text', k: 'v=w', q: '"v"' }, { raw: '//4=' }]);
  await served.run(`create secret generic full --from-env-file=${env} --type=example.com/x`);
  const secret = await served.client.get<Secret>('Secret/full');
  assert.deepEqual([secret.data, secret.type], [{ A: 'MQ==', B: 'Mj0z' }, 'example.com/x']);
  for (const [words, says] of [
    ['--from-literal=a', 'error: invalid literal source a, expected key=value'],
    ['--from-file=/nope', 'error: error reading /nope: no such file or directory'],
    [
      '--from-literal=a=1 --from-literal=a=2',
      'error: cannot add key "a", another key by that name already exists in Data for ConfigMap "bad"',
    ],
    [`--from-file=a==b`, "error: key names or file paths cannot contain '='"],
    ['--from-file==b', 'error: key name for file path b missing'],
    ['--from-file=a=', 'error: file path for key name a missing'],
    [`--from-file=a=${folder}`, 'error: cannot give a key name for a directory path'],
    [
      `--from-file=${odd}`,
      `error: "not a key" is not a valid key name for a ConfigMap: a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
    ],
    [`--from-env-file=${folder}`, 'error: env config file cannot be a directory'],
    ['--from-env-file=/nope', 'error: error reading /nope: no such file or directory'],
    [`--from-env-file=${digits}`, `error: "1A" is not a valid key name: ${environmentRule}`],
    [`--from-env-file=${mark}`, `error: "\\ufeffB" is not a valid key name: ${environmentRule}`],
    [
      `--from-env-file=${broken}`,
      `error: env file ${broken} contains invalid utf8 bytes at line 1: [65 61 255]`,
    ],
    [
      `--from-literal=a=1 --from-env-file=${env}`,
      'error: from-env-file cannot be combined with from-file or from-literal',
    ],
  ] as const)
    assert.deepEqual(await served.run(`create cm bad ${words}`), failed(says), words);
});

test('--dry-run alone is one of the client, as are older spellings of it', async () => {
  const told = said('configmap/dry created (dry run)');
  for (const flag of ['--dry-run', '--dry-run=client'])
    assert.deepEqual(await served.run(`create cm ${flag} dry`), told);
  const old = '--dry-run=true is deprecated (boolean value) and can be replaced with --dry-run=client.';
  assert.deepEqual(await served.run('create cm dry --dry-run=true'), {
    ...told,
    stderr: `Warning: ${old}\n`,
  });
  await assert.rejects(served.client.get('ConfigMap/dry'), { reason: 'NotFound' });
});

test('create and replace --force take an object as a server shows it, with its version', async () => {
  await served.run('create cm shown --from-literal=a=b');
  const shown = await served.run('get cm shown -o json');
  const path = write('shown.json', shown.stdout);
  await served.run('delete cm shown');
  assert.deepEqual(await served.run(`create -f ${path}`), said('configmap/shown created'));
  const replaced = await served.run(`replace --force -f ${path}`);
  assert.deepEqual([replaced.code, replaced.stderr], [0, '']);
  assert.deepEqual((await served.client.get<ConfigMap>('ConfigMap/shown')).data, { a: 'b' });
});

test('version tells the kustomize whose ways -k has, in every form', async () => {
  const { stdout } = await served.run('version --client');
  assert.match(stdout, /^Client Version: v.*\nKustomize Version: v5\.\d+\.\d+\n$/);
  const whole = JSON.parse((await served.run('version -o json')).stdout);
  assert.deepEqual(Object.keys(whole), ['clientVersion', 'kustomizeVersion', 'serverVersion']);
  assert.equal(whole.kustomizeVersion, /v5\S+/.exec(stdout)?.[0]);
  const isServers = (field: string) => /^(emulation|minCompatibility)/.test(field);
  assert.deepEqual(
    Object.keys(whole.clientVersion),
    Object.keys(whole.serverVersion).filter((field) => !isServers(field)),
  );
});

test('create reads standard input to its end, however slow its writer is', async () => {
  const object = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'slow' } });
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const wherry = `'${process.execPath}' '${main}' --kubeconfig '${served.server.kubeconfig}'`;
  const slowly = `(printf '${object.slice(0, 9)}'; sleep 2; printf '${object.slice(9)}')`;
  for (const line of [
    'create -f - --dry-run=client',
    'create --raw /api/v1/namespaces/default/configmaps -f -',
  ])
    await promisify(execFile)('sh', ['-c', `${slowly} | ${wherry} ${line}`]);
  await served.client.get('ConfigMap/slow');
});

test('create asks a review of a file, which has no metadata', async () => {
  const spec = { user: 'ann', resourceAttributes: { verb: 'get', resource: 'pods' } };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const path = write('review.json', JSON.stringify(review));
  const { code, stdout } = await served.run(`create -f ${path} -o json`);
  assert.deepEqual([code, JSON.parse(stdout).kind], [0, 'SubjectAccessReview']);
  assert.ok(JSON.parse(stdout).status, stdout);
});
