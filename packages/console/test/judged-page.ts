import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunningConsole } from '@wherry/console';
import { Browser } from '../../../tools/site/browser/browser.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** A headless Chromium that has logged in and shows the first view, with axe-core beside it. The caller closes it. */
export async function openJudgedPage(console: RunningConsole): Promise<Browser> {
  const browser = await Browser.start();
  await browser.resize(1280, 900);
  await browser.evaluate(`location.href = ${JSON.stringify(console.loginUrl.href)}`);
  await browser.waitFor(`document.querySelector('tbody tr') !== null`);
  await bringAxe(browser);
  return browser;
}

/** Loads axe-core into the page, which forgets it when it is loaded anew. */
export async function bringAxe(browser: Browser): Promise<void> {
  await browser.evaluate(`${axe}; undefined`);
}
