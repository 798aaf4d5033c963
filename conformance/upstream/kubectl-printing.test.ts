/** What kubectl 1.36 and wherry print of the same objects in JSON, YAML and KYAML, byte by byte. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { inProcess } from '../../packages/wherry/test/in-process.ts';
import { buildKubectl } from '../e2e/build.ts';
import { areBuilt } from '../peers/are-built.ts';

let server: TestServer;
let kubectl: string;

before(async () => {
  kubectl = areBuilt ? new URL('../bin/kubectl', import.meta.url).pathname : await buildKubectl();
  server = await TestServer.start();
  process.env['KUBECONFIG'] = server.kubeconfig;
  process.chdir(server.folder);
});
after(async () => {
  process.chdir('/');
  await server?.close();
});

/** The words of a line; quotes hold together what has spaces. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\S)+/g)].map(([word]) => word.replaceAll("'", ''));

/** What both print of a line; what changes from one to the next second is made alike. */
async function type(line: string): Promise<[theirs: string, ours: string]> {
  const words = wordsOf(line);
  const env = { HOME: server.folder, KUBECONFIG: server.kubeconfig, PATH: process.env['PATH'] ?? '' };
  const theirs = await run(kubectl, words, { env, timeoutMs: 60_000 });
  const ours = await inProcess(words);
  return [plain(theirs), plain(ours)];
}

const plain = ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): string =>
  `${stdout}${stderr}${code}`
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/(resourceVersion"?: )"\d+"/g, '$1"N"')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'UID')
    .replaceAll('kubectl', 'wherry');

/** Fails at the end, with all lines that differ. */
async function typeAll(lines: readonly string[], forms: readonly string[]): Promise<void> {
  const differences: string[] = [];
  for (const line of lines) {
    for (const form of forms) {
      const typed = `${line} -o ${form}`;
      const [theirs, ours] = await type(typed);
      if (ours !== theirs) differences.push(`${typed}\n${firstDifference(ours, theirs)}`);
    }
  }
  assert.ok(differences.length === 0, differences.join('\n\n'));
}

/** Where two texts part, with what is before it. */
function firstDifference(ours: string, theirs: string): string {
  const [left, right] = [ours.split('\n'), theirs.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  const part = (lines: string[]) => lines.slice(Math.max(0, at - 2), at + 4).join('\n');
  return `wherry:\n${part(left)}\nkubectl:\n${part(right)}\n`;
}

const forms = ['yaml', 'json', 'kyaml'];

/** Lines that make something, and store nothing. */
const making = `
create configmap c --from-literal=a=1 --from-literal=b=true
create secret generic s --from-literal=k=v
create secret docker-registry pull --docker-server=r.example.com --docker-username=u --docker-password=p
create namespace n
create serviceaccount sa
create role r --verb=get --resource=pods
create clusterrole r --verb=get --non-resource-url=/readyz
create clusterrole r --aggregation-rule=a=b
create rolebinding r --role=r --serviceaccount=default:sa
create clusterrolebinding r --clusterrole=r --user=u --group=g
create quota q --hard=cpu=0.5,memory=1024Mi
create quota q
create poddisruptionbudget p --selector=a=b --min-available=1
create priorityclass p --value=10 --description=x
create ingress i --rule=a.example.com/x*=s:80,tls=t --annotation z=1 --annotation a=2
create ingress i --default-backend=s:http
create service clusterip s --tcp=80:8080
create service nodeport s --tcp=80 --node-port=30080
create service loadbalancer s --tcp=80
create service externalname s --external-name=x.example.com
create deployment d --image=nginx:1 --replicas=2 --port=80
create deployment d --image=nginx:1 -- sh -c 'echo hi'
create job j --image=busybox -- sleep 1
create cronjob c --image=busybox --schedule='* * * * *' -- date
run p --image=nginx --labels=b=1,a=2 --env=B=1 --env=A=2 --port=80
run p --image=nginx -it --rm --restart=Never
run p --image=nginx --port=80
run p --image=nginx --overrides='{"spec":{"hostNetwork":true}}'
`
  .trim()
  .split('\n')
  .map((line) =>
    line.includes(' -- ') ? line.replace(' -- ', ' --dry-run=client DASHES ') : `${line} --dry-run=client`,
  );

test('what would be made has its fields as Go has them, and the empty ones that Go prints', async () => {
  await typeAll(
    making.filter((line) => !line.includes('DASHES')),
    forms,
  );
  const behind = making.filter((line) => line.includes('DASHES'));
  for (const form of forms)
    for (const line of behind) {
      const [theirs, ours] = await type(line.replace('DASHES', `-o ${form} --`));
      assert.equal(ours, theirs, line);
    }
});

/** Texts that YAML has to be careful with. */
const texts = [
  '',
  ' ',
  'a ',
  ' a',
  '\n',
  'a\n',
  'a\n\n',
  '\na',
  ' a\nb',
  'a \nb',
  'a\n b',
  '\ta',
  'a\tb',
  'a\r\nb',
  '~',
  'null',
  'Null',
  'true',
  'True',
  'yes',
  'Y',
  'n',
  'on',
  'Off',
  '1',
  '-1',
  '+1',
  '1.5',
  '1e3',
  '.5',
  '5.',
  '0x1f',
  '0o17',
  '017',
  '1_000',
  '0b1',
  '.inf',
  '-.Inf',
  '.nan',
  '12:30',
  '12:30:45',
  '2024-01-01',
  '2024-01-01T00:00:00Z',
  '2001-12-14 21:59:43.10 -5',
  '<<',
  '=',
  '-',
  '- a',
  '? a',
  ': a',
  'a: b',
  'a:',
  ':a',
  'a #b',
  '#a',
  'a#b',
  '*a',
  '&a',
  '!a',
  '|',
  '>',
  '%a',
  '@a',
  '`a',
  '"a"',
  "'a'",
  "it's",
  '{a}',
  '[a]',
  ',a',
  'a,b',
  '---',
  '--- a',
  '...',
  '\u00e9',
  '\u{1f600}',
  '\u2028',
  '\ufeff',
  '\u0001',
  'a\\b',
  '<a>&b',
  `${'word '.repeat(40)}end`,
  `${'word '.repeat(40)}\nend`,
  'x'.repeat(300),
  `${'a  b '.repeat(40)}`,
  `# ${'word '.repeat(40)}`,
  `'${'word '.repeat(40)}`,
  `\t${'word '.repeat(40)}`,
  `"quoted": ${'é '.repeat(90)}`,
  '1234567890123456789012',
  'e1',
  '.e1',
  '0',
  '00',
  '-0',
  '1e400',
  'a: ',
  'key: value\n# c\n',
];

test('texts and numbers of objects are written as Go writes them', async () => {
  const annotations = Object.fromEntries(texts.map((text, at) => [`t${at}`, text]));
  const data = Object.fromEntries(texts.map((text, at) => [`t${at}`, text]));
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'texts', annotations }, data };
  const numbers = [
    0,
    1,
    -1,
    1.5,
    100_000,
    1_000_000,
    1e6 + 0.5,
    0.1,
    1e-5,
    123_456_789.125,
    1e20,
    1e21,
    2 ** 53,
    1.0,
    3e-7,
  ];
  const thing = {
    ...{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' } },
    spec: {
      numbers,
      nested: [[1, [2]], [[]], [{}], {}, [], null, true],
      z10: 1,
      z9: 2,
      Z: 3,
      '1': 4,
      '': 5,
      'a b': 6,
      yes: 7,
      y: 8,
    },
  };
  writeFileSync(join(server.folder, 'map.json'), JSON.stringify(map));
  writeFileSync(join(server.folder, 'thing.json'), JSON.stringify(thing));
  await server.request('POST', '/api/v1/namespaces/default/configmaps', { body: map });
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: things });
  for (let tries = 0; tries < 50; tries++) {
    const { status } = await server.request('POST', '/apis/example.com/v1/namespaces/default/things', {
      body: thing,
    });
    if (status === 201) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await typeAll(
    [
      ...[
        'create -f map.json --dry-run=client',
        'get configmap texts',
        'get configmaps',
        'get thing x',
        'get things',
      ],
      ...['label configmap texts a=b --dry-run=client', 'annotate -f map.json a=b --local'],
    ],
    forms,
  );
});

const things = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'things.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { kind: 'Thing', plural: 'things' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

test('what is there is printed alike by commands that look and that change', async () => {
  for (const line of [
    'create deployment web --image=nginx:1 --port=80',
    'create role viewer --verb=get --resource=pods',
  ])
    await inProcess(wordsOf(line));
  const happened = {
    ...{ metadata: { name: 'e' }, reason: 'Made', message: 'm', type: 'Normal', count: 1 },
    ...{ reportingComponent: 'c', reportingInstance: 'i', action: 'Make' },
    ...{ eventTime: '2026-01-01T00:00:00.000001Z' },
    ...{ firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:00Z' },
    involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'default' },
  };
  await server.request('POST', '/api/v1/namespaces/default/events', { body: happened });
  await typeAll(
    [
      ...[
        'get deployment web',
        'get deployments,services',
        'get namespaces',
        'get clusterrole view',
        'get all -A',
      ],
      ...['get --raw /api/v1/namespaces/default', 'get pods', 'get deployment web --show-managed-fields'],
      ...[
        'set image deployment/web nginx=nginx:2 --dry-run=server',
        'set image deployment/web nginx=nginx:3 --dry-run=client',
      ],
      ...[
        'set resources deployment/web --limits=cpu=1 --dry-run=client',
        'set env deployment/web A=b --dry-run=client',
      ],
      ...[
        'set serviceaccount deployment/web sa --dry-run=client',
        'set selector service/kubernetes a=b --dry-run=client',
      ],
      ...['set subject rolebinding/none --user=u --dry-run=client'],
      ...['scale deployment/web --replicas=1', 'scale deployment/web --replicas=2 --dry-run=client'],
      ...[
        'autoscale deployment/web --max=3 --dry-run=client',
        'expose deployment/web --port=80 --dry-run=client',
      ],
      ...['rollout history deployment/web', 'label deployment/web --list', 'get nodes'],
      ...['rollout history deployment/web'],
      ...['label deployment/web a=b --overwrite', 'annotate deployment/web a=b --overwrite'],
      ...[
        `patch deployment/web -p '{"spec":{"replicas":1}}'`,
        `patch deployment/web -p '{"spec":{"replicas":1}}' --dry-run=client`,
      ],
      ...[
        'taint nodes --all a=b:NoSchedule',
        'auth whoami',
        'config view',
        'api-resources',
        'events',
        'get events',
      ],
      ...['create deployment other --image=nginx --dry-run=server', 'run pod --image=nginx --dry-run=server'],
      ...[
        'create token default',
        'certificate approve none',
        'wait deployment/web --for=jsonpath={.spec.replicas}=1',
      ],
    ],
    forms,
  );
});
