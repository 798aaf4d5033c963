/** The page where little is allowed, and where the API server goes away, in a headless Chromium on a real node. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type AccessOptions, createKubeClient } from '@wherry/client';
import { type RunningConsole, startConsole } from '@wherry/console';
import { startNode, type TestNode } from '@wherry/testing';
import { Browser } from '../../../tools/site/browser/browser.ts';
import { busyboxImage, sleepingPod } from '../../testing/test/busybox.ts';
import { Relay } from './relay.ts';

describe('the page in hardship', { timeout: 240_000 }, () => {
  let node: TestNode;
  let relay: Relay;
  let browser: Browser;
  const consoles: RunningConsole[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'wherry-hardships-'));
  before(async () => {
    node = await startNode({ images: [busyboxImage()], manifests: [...team, sleepingPod('web'), mine] });
    await node.waitFor('Pod/web', 'Ready');
    await node.waitFor(mine, 'Ready');
    relay = new Relay(Number(node.client.access.server.port));
    await relay.open();
    browser = await Browser.start();
  });
  after(async () => {
    await browser?.close();
    await Promise.all(consoles.map((one) => one.close()));
    await relay?.cut();
    await node?.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the page as somebody, through the relay. */
  const open = async (who: AccessOptions, namespace = '') => {
    const server = `https://127.0.0.1:${relay.port}`;
    const client = createKubeClient({ kubeconfig: node.kubeconfig.path, server, ...who });
    const console = await startConsole({ client, namespace });
    consoles.push(console);
    await browser.evaluate(`location.href = ${JSON.stringify(console.loginUrl.href)}`);
    await browser.waitFor(`location.port === '${console.port}' && document.querySelector('h1') !== null`);
  };
  const go = (hash: string) => browser.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const shows = (selector: string, text: string) =>
    browser.waitFor(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`,
    );
  const isGone = (selector: string) =>
    browser.waitFor(`document.querySelector(${JSON.stringify(selector)}) === null`);

  it('says in each view what is not allowed, awaits nothing there, and shows the rest', async () => {
    await open({ impersonate: { user: 'few' } }, 'team');
    await shows('tbody th', 'mine');
    for (const [hash, refused] of [
      ['#/pods', 'cannot list resource "pods" in API group "" at the cluster scope'],
      ['#/nodes', 'cannot list resource "nodes"'],
      [
        '#/services?namespace=team',
        'cannot list resource "services" in API group "" in the namespace "team"',
      ],
      ['#/sessions', 'cannot get path "/debug/sessions"'],
      ['#/objects/v1/configmaps', 'cannot list resource "configmaps"'],
      [
        '#/pod/default/web/overview',
        'cannot list resource "pods" in API group "" in the namespace "default"',
      ],
      ['#/object/apps/v1/deployments/x?namespace=team', 'cannot list resource "deployments"'],
      ['#/pod/team/mine/logs', 'cannot get resource "pods/log"'],
    ] as const) {
      await go(hash);
      await shows('main [role=alert]', refused);
      const text = await browser.evaluate<string>(`document.querySelector('main').textContent`);
      assert.doesNotMatch(text, /Reading|There (?:is|are) no/, hash);
    }
    await go('#/pod/team/mine/overview');
    await shows('[role=alert]', 'cannot list resource "events"');
    await shows('tbody th', 'main');
    await go('#/pod/team/mine/terminal');
    await browser.waitFor(`document.querySelector('button[type=submit]') !== null`);
    await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
    await shows('[data-outcome=refused]', 'not run: pods "mine" is forbidden');
  });

  it('shows a pod by its name to who may get and not list it, and says by name what else is refused', async () => {
    await open({ impersonate: { user: 'one' } }, 'team');
    await shows('main [role=alert]', 'cannot list resource "pods"');
    await browser.waitFor(`document.querySelector('input[name=namespace]')?.value === 'team'`);
    await browser.evaluate(`document.querySelector('input[name=pod]').focus()`);
    await browser.type('mine');
    await browser.pressEnter();
    await browser.waitFor(`location.hash === '#/pod/team/mine/overview'`);
    await shows('main tbody th', 'main');
    await shows('main [role=status]', 'cannot list resource "pods"');
    await shows('main [role=status]', 'read by its name instead');
    await shows('main [role=alert]', 'cannot list resource "events"');
    await go('#/pod/team/mine/logs');
    await shows('.log', 'hello');
    await go('#/pod/team/mine/yaml');
    await shows('.yaml', 'kind: Pod');
    await go('#/pod/team/mine/terminal');
    await browser.waitFor(`document.querySelector('button[type=submit]') !== null`);
    await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
    await shows('[data-outcome=refused]', 'cannot create resource "pods/exec"');
    await go('#/pod/team/none/overview');
    await shows('main [role=status]', 'There is no such pod');
    await go('#/pod/default/web/overview');
    await shows('main [role=alert]', 'cannot get resource "pods"');
  });

  it('follows a pod that is read by its name until it is gone', async () => {
    const brief = { ...sleepingPod('brief'), metadata: { name: 'brief', namespace: 'team' } };
    await node.apply(brief);
    await node.waitFor(brief, 'Ready');
    await go('#/pod/team/brief/overview');
    await shows('main tbody td', 'running for');
    await node.client.delete({ kind: 'Pod', name: 'brief', namespace: 'team' });
    await shows('main [role=status]', 'There is no such pod (any more)');
    await open({ impersonate: { user: 'few' } }, 'team');
  });

  it('lets a namespace be typed where they can not be listed', async () => {
    await go('#/pods?namespace=default');
    await shows('main [role=alert]', 'in the namespace "default"');
    await browser.waitFor(`document.querySelector('header input')?.value === 'default'`);
    await browser.evaluate(`{
      const field = document.querySelector('header input');
      field.value = 'team';
      field.dispatchEvent(new Event('change'));
    }`);
    await shows('tbody th', 'mine');
  });

  it('says that the API server is away, keeps what it has shown, and follows on once it is back', async () => {
    await open({});
    for (const [hash, row] of [
      ['#/pods', 'web'],
      ['#/objects/v1/configmaps?namespace=default', 'kube-root-ca.crt'],
    ] as const) {
      await go(hash);
      await shows('tbody th', row);
      await relay.cut();
      await shows('[role=alert]', 'asked again until it answers');
      await shows('tbody th', row);
      await relay.open();
      await isGone('[role=alert]');
    }
  });

  it('reads a place that was gone to while the API server was away', async () => {
    await relay.cut();
    await go('#/objects/apps/v1/daemonsets');
    await shows('[role=alert]', 'asked again until it answers');
    await relay.open();
    await shows('[role=status]', 'There are no daemonsets');
    await isGone('[role=alert]');
  });

  it('neither loses nor doubles lines of a log that is followed while the API server is away', async () => {
    await node.apply(counting);
    await node.waitFor(counting, 'Ready');
    await go('#/pod/default/counting/logs');
    const lines = `document.querySelector('.log')?.innerText.trim().split(/\\s+/)`;
    await browser.waitFor(`${lines}?.length > 3`);
    await relay.cut();
    await shows('[role=alert]', 'asked again until it answers');
    const before = await browser.evaluate<string[]>(lines);
    await relay.open();
    await browser.waitFor(`${lines}.length > ${before.length + 20}`);
    const seen = await browser.evaluate<string[]>(lines);
    assert.deepEqual(
      seen,
      seen.map((_, index) => `${index + 1}`),
    );
  });

  it('says of a terminal whose API server went away that nobody knows how its command ended', async () => {
    await go('#/pod/default/web/terminal');
    await browser.waitFor(`document.querySelector('button[type=submit]') !== null`);
    await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
    await browser.waitFor(`document.querySelector('.xterm-rows')?.textContent.includes('#')`);
    await relay.cut();
    await shows('[data-outcome=broken]', 'nobody has said how the command ended');
    await relay.open();
  });

  it('says that credentials are not taken any more', async () => {
    const kubeconfig = join(folder, 'expired');
    writeFileSync(kubeconfig, JSON.stringify(expired));
    await open({ kubeconfig, insecureSkipTlsVerify: true });
    await shows('[role=alert]', "does not take the kubeconfig's credentials (any more)");
  });
});

const mine = { ...sleepingPod('mine'), metadata: { name: 'mine', namespace: 'team' } };

const rbac = 'rbac.authorization.k8s.io';
const team = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
  {
    ...{ apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'pods', namespace: 'team' } },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }],
  },
  {
    ...{ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name: 'pods', namespace: 'team' } },
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'pods' },
    subjects: [{ kind: 'User', name: 'few', apiGroup: rbac }],
  },
  {
    ...{ apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'pod', namespace: 'team' } },
    rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get'] }],
  },
  {
    ...{ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name: 'pod', namespace: 'team' } },
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'pod' },
    subjects: [{ kind: 'User', name: 'one', apiGroup: rbac }],
  },
];

const { spec } = sleepingPod('counting');
const [container] = spec.containers;
const script = 'n=0; while true; do n=$((n+1)); echo $n; busybox sleep 0.1; done';
const counting = {
  ...sleepingPod('counting'),
  spec: { ...spec, containers: [{ ...container, command: ['sh', '-c', script], ports: [] }] },
};

/** A login that was good once. */
const expired = {
  ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'over' },
  clusters: [{ name: 'over', cluster: { server: 'https://127.0.0.1' } }],
  users: [{ name: 'over', user: { token: 'over' } }],
  contexts: [{ name: 'over', context: { cluster: 'over', user: 'over' } }],
};
