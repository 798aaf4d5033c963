/** `set env | image | resources | selector | serviceaccount | subject`, and the real kubectl. */
import { after, before, test } from 'node:test';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;

const containers = [
  {
    ...{ name: 'app', image: 'app:1' },
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: 'b' },
      { name: 'S', valueFrom: { secretKeyRef: { name: 'keys', key: 'USER' } } },
    ],
  },
  { name: 'side', image: 'side:1', resources: { limits: { cpu: '1' }, requests: { cpu: '250m' } } },
];
function deployment(name: string) {
  const labels = { app: name };
  const spec = { containers, initContainers: [{ name: 'init', image: 'init:1' }] };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
const service = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
  spec: { clusterIP: 'None', selector: { app: name, tier: 'x' }, ports: [{ port: 80 }] },
});
const apiGroup = 'rbac.authorization.k8s.io';
const binding = (name: string) => ({
  ...{ apiVersion: `${apiGroup}/v1`, kind: 'RoleBinding', metadata: { name, labels: { of: name } } },
  roleRef: { apiGroup, kind: 'Role', name: 'r' },
  subjects: [{ kind: 'User', name: 'ann', apiGroup }],
});
const cronJob = {
  ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'tick' } },
  spec: {
    schedule: '* * * * *',
    jobTemplate: {
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'tick', image: 'tick:1' }] } },
      },
    },
  },
};
const objects = [
  ...['web', 'other'].map(deployment),
  ...['one', 'two'].map(service),
  ...['first', 'second'].map(binding),
  cronJob,
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' }, data: { OTHER: 'v' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData: { USER: 'ann' } },
];

before(async () => {
  both = await BesideKubectl.start(objects);
});
after(() => both?.close());

const file = (name: string, object: object) => both.file(name, object);
const web = () => file('web.json', deployment('web'));
const pair = () =>
  file('pair.json', { apiVersion: 'v1', kind: 'List', items: ['web', 'other'].map(deployment) });
const nowhere = () => file('nowhere.json', deployment('nowhere'));
const map = () => file('map.json', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' } });
const mixed = () =>
  file('mixed.json', { apiVersion: 'v1', kind: 'List', items: [service('one'), deployment('web')] });

async function typeAll(verb: string, lines: string): Promise<void> {
  for (const line of lines.trim().split('\n')) await both.typeLine(`set ${verb} ${line.trim()}`.trim());
}

test('set env has kubectl’s answers, and leaves the same objects', async () => {
  await typeAll(
    'env',
    `deploy/web
    deploy/web A=2
    deploy/web A=2
    deploy/web N= F=a=b B-
    deploy/web A=3 --overwrite=false
    deploy/web E=1 E-
    deploy/web -e E=1
    deploy/web --list
    deploy/web --list --resolve X=1
    deploy/web --list -o json
    deploy/web Q=1 -c s*
    deploy/web Q=2 -c nope
    deploy/web A=1 --dry-run=client
    deploy/web A=4 --dry-run=server -o name
    deploy/web --from=cm/conf --prefix=P_
    deploy/web --from=secret/keys
    deploy/web --from=secret/nope
    deploy/web --from=deploy/web
    deploy/web --keys=a
    deploy/web -e novalue
    deploy/web 1X=1
    A=1
    deploy A=1
    deploy ALL=1 --all
    deploy L=1 -l app=other
    cj/tick T=1
    cm/conf deploy/web M=1
    deploy/nope deploy/web M=2
    deploy/web A=1 cm/conf
    deploy/web A=1 --local
    -f ${web()} --from=cm/conf
    -f ${web()} FILE=1
    -f ${pair()} PAIR=1 -l app=other
    -f ${pair()} PAIR=2 --all
    -f ${pair()} PAIR=2 --all -l app=other
    -f ${pair()} PAIR=3 --overwrite=false -l app=none
    -f ${nowhere()} FILE=1
    -f ${nowhere()} FILE=1 --local -o json
    -f ${map()} FILE=1 --local`,
  );
  await both.compareObjects('Deployment', 'CronJob');
});

test('set image, resources and serviceaccount have kubectl’s answers, and leave the same objects', async () => {
  await typeAll(
    'image',
    `deploy/web
    deploy/web app=app:2 init=i:2
    deploy/web *=all
    deploy/web nope=x
    deploy/web app-
    deploy/web *=x app=y
    -f ${nowhere()} app=x --local -o json`,
  );
  await typeAll(
    'resources',
    `deploy/web
    deploy/web --limits=cpu=2,memory=0.5Gi --requests=cpu=0.1
    deploy/web --limits=cpu=0 --requests=cpu=0 -c s*e
    deploy/web --limits=cpu
    deploy/web --limits=cpu=x
    deploy/web --limits=cpu=1 -c nope
    deploy/web --requests=cpu=9 -c app
    deploy --limits=cpu=3 --all -l app=web
    -f ${pair()} --limits=cpu=4 -l app=other
    cm/conf --limits=cpu=1
    deploy/web --limits=cpu=5 --local
    -f ${nowhere()} --limits=cpu=5 --local -o json`,
  );
  await typeAll(
    'serviceaccount',
    `
    robot
    deploy/web robot
    deploy/web robot
    deploy/web Not_A
    cj/tick robot
    -f ${web()} robot2
    -f ${nowhere()} robot --local -o json`,
  );
  await both.compareObjects('Deployment', 'CronJob');
});

test('set selector and subject have kubectl’s answers, and leave the same objects', async () => {
  await typeAll(
    'selector',
    `svc/one app=x
    svc/one svc/two app==y,tier=z
    svc/one a!=b
    svc/one app
    svc/one a=b=c
    svc/nope svc/one app=go
    deploy/web a=b
    svc/one app=v --resource-version=1
    -f ${mixed()} app=m
    -f ${mixed()} a=b --local`,
  );
  await typeAll(
    'subject',
    `rolebinding/first
    rolebinding/first --user=bob --group=g --serviceaccount=:sa --user=al
    rolebinding/first --user=bob
    rolebinding/first --serviceaccount=sa
    rolebinding/nope --user=x
    rolebinding --user=all --all
    rolebinding --user=x
    deploy/web --user=x`,
  );
  await both.compareObjects('Service', 'RoleBinding');
});
