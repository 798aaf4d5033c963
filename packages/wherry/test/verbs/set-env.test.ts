/** `set env`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { Container, Deployment, EnvVar } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

const secretKey = (name: string, key: string) => ({ secretKeyRef: { name, key } });
const mapKey = (name: string, key: string) => ({ configMapKeyRef: { name, key } });
const env: EnvVar[] = [
  { name: 'A', value: '1' },
  { name: 'B', value: 'two words' },
  { name: 'S', valueFrom: secretKey('keys', 'pass-word') },
];

function deployment(name: string, containers: Container[] = [{ name: 'app', image: 'app:1', env }]) {
  const labels = { app: name };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels, annotations: { note: 'x' } } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

before(async () => {
  served = await Served.start();
  const { client } = served;
  const data = { 'my-key': 'v1', OTHER: 'v2', 'z.z': 'v3' };
  await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' }, data });
  const stringData = { 'pass-word': 'pw', USER: 'ann' };
  await client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData });
  for (const name of ['web', 'other', 'many']) await client.create(deployment(name));
  const two = [
    { name: 'app', image: 'app:1' },
    { name: 'side', image: 'side:1' },
  ];
  await client.create(deployment('two', two));
});
after(() => served?.close());

const said = (stdout: string, stderr = '') => ({ code: 0, stdout, stderr });
const failed = (stderr: string, stdout = '') => ({ code: 1, stdout, stderr: `${stderr}\n` });
const setEnv = (line: string, ...more: string[]) => served.run(`set env ${line}`, ...more);
const updated = (...names: string[]) =>
  said(names.map((name) => `deployment.apps/${name} env updated\n`).join(''));

async function envOf(name: string, container = 0): Promise<EnvVar[] | undefined> {
  const { spec } = await served.client.get<Deployment>(`Deployment/${name}`);
  return spec?.template.spec?.containers[container]?.env;
}

test('set env sets variables and takes them away, in the order that they stand in', async () => {
  assert.deepEqual(await setEnv('deploy/web A=2 B- N=', 'F=a=b'), updated('web'));
  assert.deepEqual(await envOf('web'), [
    { name: 'A', value: '2' },
    { name: 'S', valueFrom: secretKey('keys', 'pass-word') },
    { name: 'N' },
    { name: 'F', value: 'a=b' },
  ]);
  assert.deepEqual(await setEnv('deploy/web A=2 N='), said(''));
  assert.deepEqual(await setEnv('deploy/web'), said(''));
  assert.deepEqual(await setEnv('deploy/web S=plain -e E=1 --env=N-'), updated('web'));
  assert.deepEqual(await envOf('web'), [
    { name: 'A', value: '2' },
    { name: 'S', value: 'plain' },
    { name: 'F', value: 'a=b' },
    { name: 'E', value: '1' },
  ]);
  assert.deepEqual(await setEnv('deploy/web A- S- F- E-'), updated('web'));
  assert.equal(await envOf('web'), undefined);
});

test('set env changes all of a type, those of a label selector, or those of a file', async () => {
  assert.deepEqual(await setEnv('deploy X=1 --all'), updated('many', 'other', 'two', 'web'));
  assert.deepEqual(await setEnv('deploy X=2 -l app=other'), updated('other'));
  assert.deepEqual(await setEnv('deploy X=2 -l app=nobody'), said(''));
  const file = served.file('two.json', deployment('other'), deployment('web'));
  assert.deepEqual(await setEnv(`-f ${file} X=3`), updated('other', 'web'));
});

test('set env changes containers whose names match', async () => {
  assert.deepEqual(await setEnv('deploy/two C=1 -c app'), updated('two'));
  assert.deepEqual(await setEnv('deploy/two D=1 -c s*d*'), updated('two'));
  assert.deepEqual(await setEnv('deploy/two D=2 -c=*pp'), updated('two'));
  assert.deepEqual(await envOf('two'), [
    { name: 'X', value: '1' },
    { name: 'C', value: '1' },
    { name: 'D', value: '2' },
  ]);
  assert.deepEqual(await envOf('two', 1), [
    { name: 'X', value: '1' },
    { name: 'D', value: '1' },
  ]);
  const none = 'Warning: Deployment/two does not have any containers matching "nope"\n';
  assert.deepEqual(await setEnv('deploy/two C=3 -c nope'), said('', none));
});

test('set env --from refers to the keys of config maps and secrets', async () => {
  const warned = (...keys: [string, string][]) =>
    keys.map(([key, name]) => `Warning: key ${key} transferred to ${name}\n`).join('');
  assert.deepEqual(await setEnv('deploy/many A- B- S- X-'), updated('many'));
  assert.deepEqual(await setEnv('deploy/many --from=configmap/conf'), {
    ...updated('many'),
    stderr: warned(['my-key', 'MY_KEY'], ['z.z', 'Z_Z']),
  });
  assert.deepEqual(await setEnv('deploy/many --from=secret/keys --keys=USER,pass-word --prefix=P_ Q=1'), {
    ...updated('many'),
    stderr: warned(['pass-word', 'PASS_WORD']),
  });
  assert.deepEqual(await envOf('many'), [
    { name: 'OTHER', valueFrom: mapKey('conf', 'OTHER') },
    { name: 'MY_KEY', valueFrom: mapKey('conf', 'my-key') },
    { name: 'Z_Z', valueFrom: mapKey('conf', 'z.z') },
    { name: 'P_Q', value: '1' },
    { name: 'P_USER', valueFrom: secretKey('keys', 'USER') },
    { name: 'P_PASS_WORD', valueFrom: secretKey('keys', 'pass-word') },
  ]);
  assert.deepEqual(await setEnv('deploy/many --from=configmap/conf --keys=nope'), said(''));
});

test('set env reads variables from standard input', async () => {
  const program = join(import.meta.dirname, '../../bin/wherry.cjs');
  const line = `--kubeconfig ${served.server.kubeconfig} set env deploy/web -`;
  const child = spawn(process.execPath, [program, ...line.split(' ')]);
  child.stdin.end('STDIN_1=one\n# NOT=this\nSTDIN_2=two # nor this\nnothing\n');
  assert.equal(await text(child.stdout), 'deployment.apps/web env updated\n');
  const [one, two] = (await envOf('web'))?.slice(-2) ?? [];
  assert.deepEqual(
    [one, two],
    [
      { name: 'STDIN_1', value: 'one' },
      { name: 'STDIN_2', value: 'two ' },
    ],
  );
});

test('set env --list prints variables as they are, or would be', async () => {
  await served.client.create({ ...deployment('listed'), metadata: { name: 'listed' } });
  const listed = (...lines: string[]) =>
    said(['# Deployment listed, container app', ...lines].map((line) => `${line}\n`).join(''));
  const fromSecret = '# S from secret keys, key pass-word';
  assert.deepEqual(await setEnv('deploy/listed --list'), listed('A=1', 'B=two words', fromSecret));
  assert.deepEqual(
    await setEnv('deploy/listed --list --resolve A- X=1'),
    listed('B=two words', 'S=pw', 'X=1'),
  );
  assert.equal((await envOf('listed'))?.length, 3);
  assert.deepEqual(await setEnv('cm/conf --list'), said(''));
  assert.deepEqual(await setEnv('deploy/listed --list A=2 --overwrite=false'), said(''));
});

test('set env --list --resolve follows references, and says why others lead nowhere', async () => {
  const from = (name: string, valueFrom: EnvVar['valueFrom']): EnvVar => ({ name, valueFrom });
  const field = (name: string, fieldPath: string) => from(name, { fieldRef: { fieldPath } });
  const amount = (name: string, resource: string, divisor?: string) =>
    from(name, { resourceFieldRef: { resource, ...(divisor ? { divisor } : {}) } });
  const refs: EnvVar[] = [
    from('MAP', mapKey('conf', 'my-key')),
    from('MAP_NO_KEY', mapKey('conf', 'nope')),
    from('MAP_GONE', mapKey('gone', 'x')),
    from('SECRET_NO_KEY', secretKey('keys', 'nope')),
    from('SECRET_GONE_1', secretKey('gone', 'x')),
    from('SECRET_GONE_2', secretKey('gone', 'y')),
    field('NAME', 'metadata.name'),
    field('NAMESPACE', 'metadata.namespace'),
    field('LABEL', "metadata.labels['app']"),
    field('NOTE', "metadata.annotations['note']"),
    field('NODE', 'spec.nodeName'),
    amount('CPU', 'limits.cpu'),
    amount('CPU_MILLI', 'limits.cpu', '1m'),
    amount('MEMORY', 'requests.memory', '1Gi'),
    amount('DISK', 'limits.ephemeral-storage'),
  ];
  const resources = { limits: { cpu: '1500m', memory: '64Mi' }, requests: { memory: '1Mi' } };
  await served.client.create(deployment('refs', [{ name: 'c', image: 'c', resources, env: refs }]));
  const { code, stdout, stderr } = await setEnv('deploy/refs --list --resolve');
  assert.equal(code, 0);
  assert.deepEqual(stdout.split('\n'), [
    '# Deployment refs, container c',
    'MAP=v1',
    '# MAP_NO_KEY from configmap conf, key nope',
    '# MAP_GONE from configmap gone, key x',
    '# SECRET_NO_KEY from secret keys, key nope',
    '# SECRET_GONE_1 from secret gone, key x',
    '# SECRET_GONE_2 from secret gone, key y',
    'NAME=refs',
    'NAMESPACE=default',
    'LABEL=refs',
    'NOTE=x',
    '# NODE from field path spec.nodeName',
    'CPU=2',
    'CPU_MILLI=1500',
    'MEMORY=1',
    'DISK=0',
    '',
  ]);
  assert.deepEqual(stderr.split('\n'), [
    'error retrieving reference for MAP_GONE: configmaps "gone" not found',
    'error retrieving reference for MAP_NO_KEY: key nope not found in config map conf',
    'error retrieving reference for NODE: unsupported fieldPath: spec.nodeName',
    'error retrieving reference for SECRET_GONE_1, SECRET_GONE_2: secrets "gone" not found',
    'error retrieving reference for SECRET_NO_KEY: key nope not found in secret keys',
    '',
  ]);
});

test('set env --local changes or lists what a file holds', async () => {
  const file = served.file('nowhere.json', deployment('nowhere'));
  const { stdout } = await setEnv(`-f ${file} A- --local -o json`);
  const { spec } = JSON.parse(stdout) as Deployment;
  const container = { name: 'app', image: 'app:1', resources: {}, env: env.slice(1) };
  assert.deepEqual(spec?.template.spec?.containers, [container]);
  assert.deepEqual(await setEnv(`-f ${file} A=2 --local -o name`), said('deployment.apps/nowhere\n'));
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { b: 'x"y', a: '1' } } },
    spec: {
      containers: [
        {
          name: 'c',
          env: [
            { name: 'LABELS', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
            { name: 'BAD', valueFrom: { fieldRef: { fieldPath: "spec.x['a']" } } },
            { name: 'NOTHING', valueFrom: {} },
          ],
        },
      ],
    },
  };
  const podFile = served.file('pod.json', pod);
  const kubeconfig = `--kubeconfig=${served.server.kubeconfig}`;
  const lines = ['# Pod p, container c', 'LABELS=a="1"', 'b="x\\"y"'];
  const comments = ["# BAD from field path spec.x['a']", '# NOTHING from invalid valueFrom'];
  assert.deepEqual(await setEnv(`-f ${podFile} --local --list --resolve ${kubeconfig}`), {
    code: 0,
    stdout: [...lines, ...comments].map((line) => `${line}\n`).join(''),
    stderr:
      'error retrieving reference for BAD: fieldPath "spec.x[\'a\']" does not support subscript\n' +
      'error retrieving reference for NOTHING: invalid valueFrom\n',
  });
});

test('a dry run of set env changes nothing, and says where it was', async () => {
  const before = await envOf('other');
  for (const [where, words] of [
    ['client', 'dry run'],
    ['server', 'server dry run'],
  ])
    assert.deepEqual(
      await setEnv(`deploy/other DRY=1 --dry-run=${where}`),
      said(`deployment.apps/other env updated (${words})\n`),
    );
  assert.deepEqual(await envOf('other'), before);
});

test('set env refuses what it can not do, and changes nothing while one object is missing', async () => {
  const before = await envOf('other');
  const file = served.file('refused.json', deployment('other'));
  const name =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
  for (const [line, says] of [
    [
      'deploy/other A=3 --overwrite=false',
      "deployments/other 'A' already has a value (1), and --overwrite is false",
    ],
    [
      'deploy/other S=3 --no-overwrite',
      "deployments/other 'S' already has a value (), and --overwrite is false",
    ],
    [
      'deploy/other E=1 E-',
      'can not both modify and remove the same environment variable in the same command',
    ],
    ['deploy/other 1X=1', `"1X" is not a valid key name: ${name}`],
    ['deploy/other -e novalue', 'unknown environment variable: novalue'],
    ['A=1', 'one or more resources must be specified as <resource> <name> or <resource>/<name>'],
    [
      'deploy/other A=1 cm/conf',
      'all resources must be specified before environment changes: deploy/other A=1 cm/conf',
    ],
    ['deploy A=1', 'resource(s) were provided, but no name was specified'],
    ['deploy A=1 --all -l app=web', 'cannot set --all and --selector at the same time'],
    ['deploy/other --list -o json', '--list and --output may not be specified together'],
    ['deploy/other --keys=a', 'when specifying --keys, a configmap or secret must be provided with --from'],
    ['deploy/other --from=deploy/web', 'unsupported resource specified in --from'],
    [`-f ${file} --from=cm/conf`, 'resource/name arguments cannot be provided when a path is specified'],
    [
      `-f ${file} deploy other A=3`,
      'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    ],
    [
      'deploy -l app=other --from=cm/conf',
      'selectors and the all flag cannot be used when passing resource/name arguments',
    ],
    ['-f - -', 'standard input cannot be used for multiple arguments'],
    [
      `-f ${file} A=3 --local --dry-run=server`,
      'cannot specify --local and --dry-run=server - did you mean --dry-run=client?',
    ],
    ['cm/conf A=3', 'configmaps/conf the object is not a pod or does not have a pod template: *v1.ConfigMap'],
  ])
    assert.deepEqual(await setEnv(`${line}`), failed(`error: ${says}`), line);
  const missing = (what: string) => failed(`Error from server (NotFound): ${what} not found`);
  assert.deepEqual(await setEnv('deploy/nope deploy/other A=3'), missing('deployments.apps "nope"'));
  assert.deepEqual(await setEnv('deploy/other --from=secret/nope'), missing('secrets "nope"'));
  assert.deepEqual(await envOf('other'), before);
});

test('set env goes on behind an object that it can not change', async () => {
  const says = 'configmaps/conf the object is not a pod or does not have a pod template: *v1.ConfigMap';
  assert.deepEqual(
    await setEnv('cm/conf deploy/other LATE=1'),
    failed(`error: ${says}`, 'deployment.apps/other env updated\n'),
  );
  const { code, stderr } = await setEnv('pod/nope cm/conf LATE=1');
  assert.deepEqual([code, stderr], [1, 'Error from server (NotFound): pods "nope" not found\n']);
});

test('set env manages its fields in its own name', async () => {
  await setEnv('deploy/other MINE=1 --field-manager=me');
  const { metadata } = await served.client.get<Deployment>('Deployment/other');
  const manager = metadata.managedFields?.find(({ manager }) => manager === 'me');
  assert.match(JSON.stringify(manager?.fieldsV1), /k:\{\\"name\\":\\"MINE\\"\}/);
});
