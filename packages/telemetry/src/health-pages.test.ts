import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HealthPages } from './health-pages.ts';

it('says ok, each check where asked or where one fails, one check alone, and counts what it said', () => {
  let holds = true;
  const pages = new HealthPages(() => [
    { name: 'ping', holds: true },
    { name: 'store', holds },
  ]);
  const ask = (path: string, isVerbose = false, excluded: string[] = []) =>
    pages.answer(path, { isVerbose, excluded });
  assert.deepEqual(ask('/healthz'), { status: 200, text: 'ok' });
  assert.equal(ask('/livez', true)?.text, '[+]ping ok\n[+]store ok\nlivez check passed\n');
  holds = false;
  const failed = '[+]ping ok\n[-]store failed: reason withheld\nreadyz check failed\n';
  assert.deepEqual(ask('/readyz'), { status: 500, text: failed });
  assert.deepEqual(ask('/readyz/ping'), { status: 200, text: 'ok' });
  assert.equal(ask('/readyz', false, ['store'])?.text, 'ok');
  assert.equal(ask('/readyz/other'), undefined);
  assert.match(pages.indicators(), /^kubernetes_healthcheck\{name="store",type="readyz"\} 0$/m);
});
