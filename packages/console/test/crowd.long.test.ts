/** The page where there are more pods than it shows at once: in a headless Chromium, on a real API server that has no node. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKubeClient } from '@wherry/client';
import { type RunningConsole, startConsole } from '@wherry/console';
import { startApiServer } from '@wherry/testing';
import type { Browser } from '../../../tools/site/browser/browser.ts';
import { sleepingPod } from '../../testing/test/busybox.ts';
import { bringAxe, openJudgedPage } from './judged-page.ts';

const podCount = Number(process.env['WHERRY_CROWD'] ?? 1_234);
const pageRows = 200;
const pageCount = Math.ceil(podCount / pageRows);
const nameOf = (index: number) => `pod-${`${index}`.padStart(5, '0')}`;

describe('the page with more than a thousand pods', { timeout: 400_000 }, () => {
  let server: Awaited<ReturnType<typeof startApiServer>>;
  let console: RunningConsole;
  let browser: Browser;
  before(async () => {
    server = await startApiServer();
    const indexes = Array.from({ length: podCount }, (_, index) => index).values();
    const create = async () => {
      for (const index of indexes) {
        const { spec, ...pod } = sleepingPod(nameOf(index));
        await server.client.create({ ...pod, spec: { ...spec, automountServiceAccountToken: false } });
      }
    };
    await Promise.all(Array.from({ length: 8 }, create));
    console = await startConsole({ client: createKubeClient({ kubeconfig: server.kubeconfig.path }) });
    browser = await openJudgedPage(console);
  });
  after(async () => {
    await browser?.close();
    await console?.close();
    await server?.close();
  });
  const go = (hash: string) => browser.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const names = () =>
    browser.evaluate<string[]>(
      `[...document.querySelectorAll('tbody th')].map((name) => name.innerText.split('\\n')[0])`,
    );
  const button = (title: string) =>
    `[...document.querySelectorAll('.pages button')].find((one) => one.textContent.trim() === ${JSON.stringify(title)})`;
  const isAt = (pageNumber: number, of = pageCount) =>
    browser.waitFor(`document.querySelector('.pages')?.innerText.includes('Page ${pageNumber} of ${of}:')`);

  for (const hash of ['#/pods', '#/objects/v1/pods'])
    it(`every row of ${hash} is come to, page by page, each with a bounded number of rows`, async () => {
      await go(hash);
      const seen: string[] = [];
      for (let pageNumber = 1; pageNumber <= pageCount; pageNumber += 1) {
        await isAt(pageNumber);
        const shown = await names();
        assert.ok(shown.length <= pageRows, `${shown.length} rows`);
        seen.push(...shown);
        await browser.evaluate(`${button('Next')}.click()`);
      }
      assert.deepEqual(
        seen,
        Array.from({ length: podCount }, (_, index) => nameOf(index)),
      );
      assert.equal(await browser.evaluate(`${button('Next')}.getAttribute('aria-disabled')`), 'true');
      assert.match(await browser.evaluate('location.hash'), new RegExp(`page=${pageCount}$`));
    });

  it('a filter looks through all rows, those of other pages too, and begins with its first page', async () => {
    await go('#/pods?page=2');
    await isAt(2);
    await browser.evaluate(`document.querySelector('input[type=search]').focus()`);
    await browser.type(nameOf(podCount - 1));
    await browser.waitFor(`document.querySelectorAll('tbody tr').length === 1`);
    assert.deepEqual(await names(), [nameOf(podCount - 1)]);
    await browser.waitFor(
      `document.querySelector('.count')?.innerText === '1 that fit the filter, of ${podCount}'`,
    );
    assert.doesNotMatch(await browser.evaluate('location.hash'), /page=/);
    await browser.evaluate(`document.querySelector('.tones button.waiting').click()`);
    await go('#/pods?filter=is:waiting');
    await isAt(1);
  });

  it('a page stands in the address: a reload finds it, and one behind the last is the last', async () => {
    await go('#/pods?page=3');
    await isAt(3);
    await browser.evaluate('location.reload()');
    await isAt(3);
    assert.equal((await names())[0], nameOf(2 * pageRows));
    await go('#/pods?page=999');
    await isAt(pageCount);
    await bringAxe(browser);
  });

  it('pages are turned by keyboard alone: the focus stays on the button, the first row comes into sight', async () => {
    await go('#/pods');
    await isAt(1);
    await browser.evaluate(`document.querySelector('main').focus()`);
    const focused = () => browser.evaluate<string>(`document.activeElement.textContent.trim()`);
    for (let count = 0; count < 20 && (await focused()) !== 'Next'; count += 1) await browser.pressTab();
    await browser.evaluate('scrollTo(0, 5_000)');
    for (let pageNumber = 2; pageNumber <= pageCount; pageNumber += 1) {
      await browser.pressEnter();
      await isAt(pageNumber);
      assert.equal(await focused(), 'Next');
    }
    await browser.pressEnter();
    await isAt(pageCount);
    assert.equal(await focused(), 'Next');
    const top = `document.querySelector('tbody tr').getBoundingClientRect().top`;
    const bottom = `document.querySelector('.pages').getBoundingClientRect().bottom`;
    await browser.waitFor(`${top} >= ${bottom} && ${top} < innerHeight`);
  });

  for (const scheme of ['light', 'dark'] as const)
    it(`axe-core has nothing to say of a page of many in the ${scheme} scheme`, async () => {
      await browser.preferScheme(scheme);
      await go('#/pods?page=2');
      await isAt(2);
      const found = await browser.evaluate<string[]>(
        `axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
      );
      assert.deepEqual(found, []);
    });

  it('a pod that comes or goes is seen in its place while others are looked at', async () => {
    await go('#/pods');
    await isAt(1);
    await server.client.create({ ...sleepingPod('aaa'), metadata: { name: 'aaa', namespace: 'default' } });
    await browser.waitFor(`document.querySelector('tbody th')?.innerText.startsWith('aaa')`);
    assert.equal((await names()).length, pageRows);
    await server.client.delete('Pod/aaa', { gracePeriodSeconds: 0 });
    await browser.waitFor(`document.querySelector('tbody th')?.innerText.startsWith('${nameOf(0)}')`);
  });

  it('takes no more elements the more pods there are, and the page goes on answering', async (test) => {
    await go('#/pods');
    await isAt(1);
    const { nodes } = await browser.liveCounts();
    assert.ok(nodes < pageRows * 120, `${nodes} nodes`);
    // The longest that the page did nothing but write itself, in two seconds of ages that grow.
    const longestMs = await browser.evaluate<number>(`new Promise((resolve) => {
      const begun = performance.now();
      let [last, longest] = [begun, 0];
      const look = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        if (now - begun > 2_000) resolve(longest);
        else setTimeout(look, 0);
      };
      look();
    })`);
    const heapBytes = await browser.evaluate<number>('performance.memory.usedJSHeapSize');
    test.diagnostic(`${nodes} nodes, longest pause ${longestMs} ms, ${heapBytes} bytes of heap`);
    assert.ok(longestMs < 1_000, `${Math.round(longestMs)} ms`);
  });
});
