/** Who works with the page by keyboard, by screen reader or with weak eyes, and for how long: in a headless Chromium on a real node. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKubeClient, openExec, type RemoteCommandConnection } from '@wherry/client';
import { type RunningConsole, startConsole } from '@wherry/console';
import { startNode, type TestNode } from '@wherry/testing';
import type { Browser } from '../../../tools/site/browser/browser.ts';
import { busyboxImage, sleepingPod } from '../../testing/test/busybox.ts';
import { contrast, logBack } from '../src/page/models/log/readable.ts';
import { openJudgedPage } from './judged-page.ts';

/** Each view, and what is there once it is. */
const views = [
  ['#/pods', 'tbody tr'],
  ['#/pods?filter=is:failing', 'tbody tr.bad'],
  ['#/deployments', 'tbody tr'],
  ['#/services', 'tbody tr'],
  ['#/nodes', 'tbody tr'],
  ['#/events', 'tbody tr.bad'],
  ['#/kinds', '.kinds a'],
  ['#/sessions', 'table.sessions'],
  ['#/objects/v1/configmaps', 'tbody tr'],
  ['#/objects/v1/configmaps?namespace=none', '[role=status]'],
  ['#/object/apps/v1/deployments/idle?namespace=default', '.yaml'],
  ['#/pod/default/web/overview', '.facts'],
  ['#/pod/default/lost/overview', '.notice'],
  ['#/pod/default/colourful/logs', '.log span'],
  ['#/pod/default/web/yaml', '.yaml'],
  ['#/pod/default/web/terminal', 'form'],
  ['#/pod/default/none/overview', '.notice'],
  ['#/nowhere', 'h1'],
] as const;

describe('the page is for all', { timeout: 240_000 }, () => {
  let node: TestNode;
  let console: RunningConsole;
  let browser: Browser;
  let session: RemoteCommandConnection;
  before(async () => {
    const manifests = [sleepingPod('web'), colourful, lost, idle];
    node = await startNode({ images: [busyboxImage()], manifests });
    await node.waitFor('Pod/web', 'Ready');
    await node.waitFor(colourful, 'Ready');
    const streams = { stdin: true, stdout: true, stderr: false, tty: false };
    session = await openExec(node.client, { pod: 'web', command: ['sh'], ...streams });
    console = await startConsole({ client: createKubeClient({ kubeconfig: node.kubeconfig.path }) });
    browser = await openJudgedPage(console);
  });
  after(async () => {
    session?.close();
    await browser?.close();
    await console?.close();
    await node?.close();
  });
  const go = async (hash: string, selector: string) => {
    await browser.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await browser.waitFor(
      `location.hash === ${JSON.stringify(hash)} && document.querySelector(${JSON.stringify(`main ${selector}`)}) !== null`,
    );
  };
  /** What axe-core finds, as `rule: element`. */
  const complaints = async () => {
    const { passed, found } = await browser.evaluate<{ passed: string[]; found: string[] }>(
      `axe.run(document).then(({ passes, violations }) => ({
        passed: passes.map(({ id }) => id),
        found: violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))),
      }))`,
    );
    assert.ok(passed.includes('color-contrast'), 'axe-core has not looked at colours');
    return found;
  };

  for (const [scheme, width] of [
    ['light', 390],
    ['light', 1280],
    ['dark', 1280],
  ] as const)
    it(`axe-core has nothing to say of any view in the ${scheme} scheme, ${width} pixels wide`, async () => {
      await browser.resize(width, 900);
      await browser.preferScheme(scheme);
      for (const [hash, selector] of views) {
        await go(hash, selector);
        assert.deepEqual(await complaints(), [], hash);
      }
      await go('#/pod/default/web/terminal', 'form');
      await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
      await browser.waitFor(`document.querySelector('[data-outcome=open]') !== null`);
      assert.deepEqual(await complaints(), [], 'an open terminal');
    });

  it('shows what a command writes in a dark colour as light as it takes to be read', async () => {
    await go('#/kinds', '.kinds a');
    await go('#/pod/default/web/terminal', 'form');
    await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
    await browser.waitFor(`document.querySelector('.xterm-rows')?.textContent.includes('#')`);
    await browser.type("busybox printf '\\033[34mdark %s\\033[m\\n' blue");
    await browser.pressEnter();
    const written = `[...document.querySelectorAll('.xterm-rows span')].find((one) => one.textContent === 'dark blue')`;
    await browser.waitFor(`${written} !== undefined`);
    const colour = await browser.evaluate<string>(`getComputedStyle(${written}).color`);
    const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
    assert.ok(contrast([red, green, blue], logBack) > 4.4, colour);
  });

  it('is worked by keyboard alone: from the list to a log, by what the focus shows', async () => {
    await go('#/pods?namespace=default', 'tbody tr');
    await browser.evaluate(`document.activeElement?.blur()`);
    const focused = () =>
      browser.evaluate<string>(
        `document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText ?? document.activeElement.textContent.trim()`,
      );
    const tabTo = async (name: string) => {
      for (let count = 0; count < 60; count += 1) {
        await browser.pressTab();
        if ((await focused()) === name) return;
      }
      assert.fail(`${name} is not come to; the focus is on ${await focused()}`);
    };
    await tabTo('Skip to the content');
    await browser.pressEnter();
    await tabTo('colourful');
    assert.notEqual(await browser.evaluate(`getComputedStyle(document.activeElement).outlineStyle`), 'none');
    await browser.pressEnter();
    await browser.waitFor(`document.title.startsWith('colourful overview')`);
    await tabTo('Logs');
    await browser.pressEnter();
    await browser.waitFor(`document.querySelector('.log span') !== null`);
    await tabTo('Log');
  });

  it('leaves nothing behind where views are gone to again and again', async () => {
    const round = async () => {
      for (const [hash, selector] of views) await go(hash, selector);
      await go('#/pod/default/web/terminal', 'form');
      await browser.evaluate(`document.querySelector('button[type=submit]').click()`);
      await browser.waitFor(`document.querySelector('[data-outcome=open]') !== null`);
      await go('#/kinds', '.kinds a');
      return browser.liveCounts();
    };
    await round();
    const before = await round();
    for (let count = 0; count < 3; count += 1) await round();
    const then = await round();
    for (const name of ['nodes', 'jsEventListeners'] as const)
      assert.ok(then[name] < before[name] * 1.1, `${name}: ${before[name]}, later ${then[name]}`);
  });
});

const { spec, ...plain } = sleepingPod('colourful');
const [container] = spec.containers;
const colours = [30, 31, 32, 33, 34, 35, 36, 37, 90, 94, 41, 44, 47].map(
  (code) => `\\033[${code}mcolour ${code}\\033[m\\n`,
);
const script = `busybox printf '${colours.join('')}\\033[2mdim\\033[m\\n'; exec busybox sleep 1000`;
const colourful = {
  ...plain,
  spec: { ...spec, containers: [{ ...container, command: ['sh', '-c', script], ports: [] }] },
};
const lost = {
  ...sleepingPod('lost'),
  spec: { ...spec, containers: [{ ...container, image: 'none:test' }] },
};
const idle = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'idle', namespace: 'default' } },
  spec: {
    selector: { matchLabels: { app: 'idle' } },
    template: { metadata: { labels: { app: 'idle' } }, spec },
  },
};
