/** The page itself, in a headless Chromium, on a real node. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKubeClient, openExec } from '@wherry/client';
import { type RunningConsole, startConsole } from '@wherry/console';
import type { Session, SessionList } from '@wherry/telemetry';
import { startNode, type TestNode } from '@wherry/testing';
import { Browser } from '../../../tools/site/browser/browser.ts';
import { busyboxImage, sleepingPod } from '../../testing/test/busybox.ts';

describe('the page', { timeout: 300_000 }, () => {
  let node: TestNode;
  let console: RunningConsole;
  let browser: Browser;
  let lastHop: Session[] = [];
  let home = '';
  before(async () => {
    node = await startNode({ images: [busyboxImage()], manifests: [sleepingPod('web')] });
    await node.waitFor('Pod/web', 'Ready');
    const time = () => new Date().toISOString();
    console = await startConsole({
      client: createKubeClient({ kubeconfig: node.kubeconfig.path }),
      streamingServers: {
        ...{ nodes: [node.nodeName], reason: 'elsewhere' },
        // Which sessions there are the node itself says; this is one more hop of the first.
        list: async () => ({ kind: 'SessionList', hop: 'streaming-server', time: time(), items: lastHop }),
      },
    });
    browser = await Browser.start();
    await browser.evaluate(`location.href = ${JSON.stringify(console.loginUrl.href)}`);
    await browser.waitFor(`document.querySelector('tbody tr') !== null`);
    home = await browser.evaluate('location.href');
  });
  after(async () => {
    await browser?.close();
    await console?.close();
    await node?.close();
  });
  const go = (hash: string) => browser.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const shows = (selector: string, text: string) =>
    browser.waitFor(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`,
    );
  const rowOf = (name: string) =>
    `[...document.querySelectorAll('tbody tr')].find((row) => row.textContent.includes(${JSON.stringify(name)}))`;

  it('shows pods as they come and go, and what they wait for', async () => {
    const { spec, ...rest } = sleepingPod('lost');
    const [container] = spec.containers;
    await node.apply({ ...rest, spec: { ...spec, containers: [{ ...container, image: 'none:test' }] } });
    await browser.waitFor(
      `${rowOf('lost')}?.querySelector('.note')?.textContent.includes('ErrImageNeverPull')`,
    );
    await node.client.delete('Pod/lost');
    await browser.waitFor(`${rowOf('lost')} === undefined`);
    assert.match(await browser.evaluate(`${rowOf('web')}.textContent`), /1\/1\s*Running/);
  });

  it('says of a pod that falls how it ended and what it wrote last, with the ways to its log and its owner', async () => {
    await node.apply(fallingDeployment);
    await browser.evaluate(`document.querySelector('.tones button.bad').click()`);
    await browser.waitFor(`${rowOf('web')} === undefined && location.hash.includes('is%3Afailing')`);
    await browser.waitFor(
      `${rowOf('falling-')}?.textContent.includes('CrashLoopBackOff: it ended with exit code 3')`,
    );
    await browser.evaluate(`${rowOf('falling-')}.querySelector('a').click()`);
    await browser.waitFor(`document.querySelector('.last-words pre')?.textContent === 'no database'`);
    await browser.waitFor(
      `document.querySelector('.notice')?.textContent.includes('ended with exit code 3')`,
    );
    await browser.waitFor(`document.querySelector('.facts a[href*=replicasets]') !== null`);
    const given = await browser.evaluate<string>(`document.querySelector('.given').textContent`);
    assert.match(given, /COLOUR=blue/);
    await browser.waitFor(
      `document.querySelector('a[aria-label="Log before the restart of main"]') !== null`,
    );
    await browser.evaluate(
      `document.querySelector('a[aria-label="Log before the restart of main"]').click()`,
    );
    await browser.waitFor(`document.querySelector('.log')?.textContent === 'no database'`);
    assert.match(await browser.evaluate('location.hash'), /logs\?container=main&previous=true$/);
    await browser.evaluate('history.go(-2)');
    await browser.waitFor(`document.querySelector('input[type=search]')?.value === 'is:failing'`);
    await node.client.delete('Deployment/falling');
    await go('#/pods');
    await browser.waitFor(`${rowOf('falling-')} === undefined`);
  });

  it('shows the text of a pod', async () => {
    await go('#/pod/default/web/yaml');
    await browser.waitFor(
      `document.querySelector('.yaml')?.textContent.startsWith('apiVersion: v1\\nkind: Pod')`,
    );
    await go('#/pods');
  });

  it('takes what the cluster says for text, never for markup', async () => {
    const about = { kind: 'Pod', namespace: 'default', name: 'web' };
    await node.apply({
      ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'marked' }, involvedObject: about },
      ...{ reason: 'Marked', message: '<img src=x onerror="document.title=1"><b>bold</b>', type: 'Warning' },
    });
    await go('#/events');
    await browser.waitFor(`${rowOf('<b>bold</b>')} !== undefined`);
    assert.equal(await browser.evaluate(`document.querySelectorAll('main img, main b').length`), 0);
  });

  it('lists nodes, deployments, services and sessions, each with a heading', async () => {
    for (const [hash, title, text] of [
      ['#/nodes', 'Nodes', node.nodeName],
      ['#/services', 'Services', 'kubernetes'],
      ['#/deployments', 'Deployments', 'deployments'],
      ['#/sessions', 'Sessions', ''],
    ] as const) {
      await go(hash);
      await browser.waitFor(`document.querySelector('h1')?.textContent === ${JSON.stringify(title)}`);
      await browser.waitFor(`document.querySelector('main').textContent.includes(${JSON.stringify(text)})`);
    }
  });

  it('lists objects of any kind by the columns of its server, and shows one with its pods, events and text', async () => {
    await node.apply([widgetDefinition, sleepingDeployment]);
    await node.client.waitFor(widgetDefinition, 'Established');
    await node.apply({ ...widget, metadata: { name: 'small', namespace: 'default' } });
    await go('#/kinds');
    const link = (text: string) =>
      `[...document.querySelectorAll('.kinds a')].find((one) => one.textContent === ${JSON.stringify(text)})`;
    await browser.waitFor(`${link('Widget')} !== undefined`);
    assert.equal(await browser.evaluate(`${link('Secret')} === undefined`), true);
    await browser.evaluate(`${link('Widget')}.click()`);
    await browser.waitFor(`${rowOf('small')}?.textContent.includes('seven')`);
    await node.client.patch({ kind: 'widgets.example.com', name: 'small' }, { spec: { size: 'eight' } });
    await browser.waitFor(`${rowOf('small')}?.textContent.includes('eight')`);
    await browser.evaluate(`${rowOf('small')}.querySelector('a').click()`);
    await browser.waitFor(`document.querySelector('.yaml')?.textContent.includes('size: eight')`);
    assert.equal(
      await browser.evaluate(`document.querySelector('.yaml').textContent.includes('f:spec')`),
      false,
    );
    await go('#/object/apps/v1/deployments/sleepers?namespace=default');
    await browser.waitFor(`document.querySelector('main tbody a[href^="#/pod/default/sleepers-"]') !== null`);
    await browser.waitFor(`${rowOf('MinimumReplicasAvailable')} !== undefined`);
    await browser.waitFor(`${rowOf('ScalingReplicaSet')} !== undefined`);
  });

  it('shows a log, and a terminal whose command ends with a code', async () => {
    await go('#/pod/default/web/logs');
    await browser.waitFor(`document.querySelector('.log')?.textContent === 'hello'`);
    await go('#/pod/default/web/terminal');
    await browser.waitFor(`document.querySelector('button[type=submit]') !== null`);
    await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
    await browser.waitFor(`document.querySelector('[data-outcome=open]') !== null`);
    await browser.type('exit 5');
    await browser.pressEnter();
    await browser.waitFor(`document.querySelector('[data-outcome=exited]') !== null`);
    const told = await browser.evaluate<string>(
      `document.querySelector('[data-outcome]').textContent.trim()`,
    );
    assert.equal(told, 'the command ended with exit code 5');
  });

  it('shows a log in its colours, as text alone, finds words in it, and hands all of it out as a file', async () => {
    await node.apply(colourful);
    await node.waitFor(colourful, 'Ready');
    await go('#/pod/default/colourful/logs');
    await browser.waitFor(`document.querySelectorAll('.log > div').length === 1000`);
    await browser.evaluate(`document.querySelector('main input[type=search]').focus()`);
    await browser.type('GREEN');
    await browser.waitFor(`document.querySelectorAll('.log mark').length === 2`);
    await browser.pressEnter();
    await browser.waitFor(`document.querySelector('.log mark.current')?.textContent === 'green'`);
    assert.match(await browser.evaluate(`document.querySelector('main').innerText`), /1 of 2/);
    const last = `document.querySelector('.log > div:last-child')`;
    assert.equal(await browser.evaluate(`${last}.textContent`), 'green colour <b>link</b> green');
    const colour = `getComputedStyle(${last}.querySelector('span')).color`;
    assert.equal(await browser.evaluate(colour), 'rgb(0, 187, 0)');
    assert.equal(await browser.evaluate(`document.querySelectorAll('.log b, .log a').length`), 0);
    const { href, download } = await browser.evaluate<{ href: string; download: string }>(
      `(({ href, download }) => ({ href, download }))(document.querySelector('a[download]'))`,
    );
    assert.equal(download, 'colourful-main.log');
    const whole = await browser.evaluate<string>(
      `fetch(${JSON.stringify(href)}).then((file) => file.text())`,
    );
    assert.equal(whole.split('\n').length, 2_002);
    await go('#/pods');
  });

  it('goes on with a followed log in the next instance of its container, says where the first ended, and loses and doubles no line', async () => {
    await node.apply(restarting);
    await node.waitFor(restarting, 'Ready');
    await go('#/pod/default/restarting/logs');
    const lines = `[...document.querySelectorAll('.log > div')].map((line) => line.textContent)`;
    await browser.waitFor(`${lines}.includes('1 of 60') && ${lines}.includes('end')`);
    await browser.waitFor(`${lines}.filter((line) => line === 'end').length >= 3`);
    const seen = await browser.evaluate<string[]>(lines);
    const instance = [...Array.from({ length: 60 }, (_, index) => `${index + 1} of 60`), 'end'];
    const own = (restart: number) =>
      `— main ended with exit code 4 (Error); what follows is of restart ${restart} —`;
    assert.deepEqual(seen.slice(0, 185), [...instance, own(1), ...instance, own(2), ...instance]);
    const marked = `[...document.querySelectorAll('.log .own')].map((note) => note.textContent)`;
    assert.deepEqual((await browser.evaluate<string[]>(marked)).slice(0, 2), [own(1), own(2)]);
    await shows('[role=status]', 'its next instance is awaited');
    await browser.evaluate(
      `[...document.querySelectorAll('label')].find(({ textContent }) => textContent.includes('Previous instance')).querySelector('input').click()`,
    );
    await browser.waitFor(`location.hash.includes('previous=true')`);
    await shows('[role=status]', 'read to its end');
    assert.deepEqual(await browser.evaluate<string[]>(lines), instance);
    await node.client.delete('Pod/restarting');
    await go('#/pods');
  });

  it('obeys no container beyond its terminal: title and clipboard stay, what it shows is text', async () => {
    await go('#/pods');
    await browser.waitFor(`document.querySelector('h1')?.textContent === 'Pods'`);
    await go('#/pod/default/web/terminal');
    await browser.waitFor(`document.querySelector('button[type=submit]') !== null`);
    await browser.evaluate(
      `globalThis.written = 0; navigator.clipboard.writeText = async () => { written += 1 }`,
    );
    await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
    await browser.waitFor(`document.querySelector('[data-outcome=open]') !== null`);
    await browser.type(
      `busybox printf '\\033]0;owned\\007\\033]52;c;b3duZWQ=\\007<b>\\344\\270\\226</b> %s\\n' shown`,
    );
    await browser.pressEnter();
    await browser.waitFor(`document.querySelector('.xterm-rows')?.textContent.includes('<b>世</b> shown')`);
    assert.equal(await browser.evaluate('document.title'), 'web terminal · wherry');
    assert.equal(await browser.evaluate(`written + document.querySelectorAll('.xterm-rows b').length`), 0);
    await go('#/pods');
  });

  it('fits a phone: no page and no table scrolls sideways, whatever the names', async () => {
    const name = `${'n'.repeat(200)}.${'m'.repeat(40)}`;
    const { spec, ...rest } = sleepingPod('unnamed');
    const nowhere = { ...spec, nodeSelector: { there: 'none' } };
    await node.apply({ ...rest, metadata: { ...rest.metadata, name }, spec: nowhere });
    await browser.resize(390, 844);
    for (const hash of [
      '#/pods',
      `#/pod/default/${name}/overview`,
      '#/pod/default/web/logs',
      '#/nodes',
      '#/sessions',
    ]) {
      await go(hash);
      await browser.waitFor(
        `document.querySelector('h1') !== null && document.querySelector('main').textContent.length > 20`,
      );
      assert.equal(await browser.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, hash);
      const unseen = `[...document.querySelectorAll('tbody th, tbody td')]
        .filter((cell) => cell.getBoundingClientRect().right > innerWidth).map(({ textContent }) => textContent)`;
      assert.deepEqual(await browser.evaluate<string[]>(unseen), [], hash);
    }
    await browser.resize(1440, 900);
    await node.client.delete(`Pod/${name}`);
  });

  it('shows each hop of a session, and names the one that is not seen', async () => {
    const session = await openExec(node.client, {
      pod: 'web',
      command: ['sh'],
      stdin: true,
      stdout: true,
      stderr: false,
      tty: false,
    });
    const path = '/debug/sessions';
    let live: Session[];
    // Those of the pages before end when their connections do.
    do {
      const { items } = await node.client.request<SessionList>({ method: 'GET', path });
      live = items.filter(({ state }) => state === 'open');
    } while (live.length > 1);
    assert.equal(live.length, 1);
    await go('#/sessions');
    const cells = `[...document.querySelectorAll('main tbody tr')].map((row) => row.textContent.replace(/\\s+/g, ' '))`;
    const shows = (words: string) => `${cells}.some((text) => text.includes(${JSON.stringify(words)}))`;
    await browser.waitFor(shows('API server WebSocket v5'));
    await browser.waitFor(shows(`streaming server of ${node.nodeName} not seen: it does not list`));
    lastHop = live.map((one) => ({ ...one, client: { protocol: 'SPDY/3.1 v4' }, streams: [] }));
    const seen = `streaming server of ${node.nodeName} SPDY/3.1 v4`;
    await browser.waitFor(shows(seen));
    // Sessions that have ended are listed as well, and of those the last hop says nothing.
    const row = `${cells}.find((text) => text.includes(${JSON.stringify(seen)}))`;
    assert.equal(await browser.evaluate(`${row}.includes('not seen')`), false);
    await browser.evaluate(`document.querySelector('.tones button.over').click()`);
    await browser.waitFor(`!${shows('API server WebSocket v5')} || !${shows('open for')}`);
    assert.match(await browser.evaluate('location.hash'), /is%3Aended/);
    await browser.evaluate(`document.querySelector('.tones button.good').click()`);
    await browser.waitFor(
      `[...document.querySelectorAll('.sessions a')].some(({ hash }) => hash === '#/pod/default/web/overview')`,
    );
    session.close();
  });

  for (const [way, leave] of [
    ['goes to another view', `location.hash = '#/kinds'`],
    ['loads another page', `location.href = 'about:blank'`],
  ] as const)
    it(`leaves its terminal in order where one ${way}: every hop tells of a client that has closed`, async () => {
      await go('#/kinds');
      await browser.waitFor(`document.querySelector('h1')?.textContent === 'All kinds'`);
      await go('#/pod/default/web/terminal');
      await browser.waitFor(`document.querySelector('button[type=submit]') !== null`);
      await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
      await browser.waitFor(`document.querySelector('.xterm-rows')?.textContent.includes('#')`);
      const hops = ['', `/api/v1/nodes/${node.nodeName}/proxy`];
      const sessions = async () => {
        const lists = hops.map((hop) =>
          node.client.request<SessionList>({ method: 'GET', path: `${hop}/debug/sessions` }),
        );
        return (await Promise.all(lists)).map(({ items }) => items.filter(({ kind }) => kind === 'exec'));
      };
      const open = (await sessions()).map((items) => items.find(({ state }) => state === 'open')?.key);
      assert.equal(open.filter(Boolean).length, hops.length);
      await browser.evaluate(leave);
      let ends: (string | undefined)[] = [];
      do {
        ends = (await sessions()).map((items, hop) => {
          const { end } = items.find(({ key }) => key === open[hop]) ?? {};
          return end && `${end.reason} by the ${end.by}`;
        });
      } while (!ends.every(Boolean));
      assert.deepEqual(ends, ['closed by the client', 'closed by the client']);
      await browser.open(home);
    });

  it('has a name for whatever can be worked with the keyboard', async () => {
    const nameless = `[...document.querySelectorAll('a, button, input, select')]
      .filter((one) => !(one.textContent.trim() || one.labels?.[0]?.textContent.trim() || one.ariaLabel)).length`;
    for (const hash of [
      '#/pods',
      '#/pod/default/web/terminal',
      '#/pod/default/web/logs',
      '#/sessions',
      '#/kinds',
      '#/objects/v1/configmaps',
    ]) {
      await go(hash);
      await browser.waitFor(`document.querySelector('h1') !== null`);
      assert.equal(await browser.evaluate(nameless), 0, hash);
    }
  });
});

const { spec: plainSpec, ...plainPod } = sleepingPod('colourful');
const [plainContainer] = plainSpec.containers;
const link = '\\033]8;;https://example.com\\007<b>link</b>\\033]8;;\\007';
const colourfulScript = [
  'busybox seq 2000',
  `busybox printf '\\033[32mgreen colour\\033[m ${link} \\033[1mgreen\\033[m\\n'`,
  'exec busybox sleep 1000',
].join('; ');
const colourful = {
  ...plainPod,
  spec: {
    ...plainSpec,
    containers: [{ ...plainContainer, command: ['sh', '-c', colourfulScript], ports: [] }],
  },
};

const restartingScript =
  'n=0; while [ $n -lt 60 ]; do n=$((n+1)); echo "$n of 60"; busybox sleep 0.03; done; echo end; exit 4';
const restarting = {
  ...sleepingPod('restarting'),
  spec: {
    ...plainSpec,
    restartPolicy: 'Always',
    containers: [{ ...plainContainer, command: ['sh', '-c', restartingScript], ports: [] }],
  },
};

const widgetDefinition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'widgets.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
      },
    ],
  },
};

const widget = { apiVersion: 'example.com/v1', kind: 'Widget', spec: { size: 'seven' } };

const fallingDeployment = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'falling', namespace: 'default' } },
  spec: {
    selector: { matchLabels: { app: 'falling' } },
    template: {
      metadata: { labels: { app: 'falling' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            ...{ name: 'main', image: 'busybox:test', imagePullPolicy: 'Never' },
            command: ['sh', '-c', 'busybox echo no database; exit 3'],
            env: [{ name: 'COLOUR', value: 'blue' }],
          },
        ],
      },
    },
  },
};

const { spec: sleepingSpec } = sleepingPod('sleepers');
const sleepingDeployment = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'sleepers', namespace: 'default' } },
  spec: {
    selector: { matchLabels: { app: 'sleepers' } },
    template: { metadata: { labels: { app: 'sleepers' } }, spec: sleepingSpec },
  },
};
