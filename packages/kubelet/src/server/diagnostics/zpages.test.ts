import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { flagz, requireText, statusz } from './zpages.ts';

test('/statusz tells start, age, versions and paths', () => {
  const facts = { startedMs: 0, nowMs: 90_061_000, version: 'v1.36.2', paths: ['/pods', '/logs'] };
  const text = statusz(facts);
  assert.match(text, /^\nkubelet statusz\nWarning: /);
  assert.match(text, /\nStarted: Thu, 01 Jan 1970 00:00:00 GMT\nUp: 25 hr 01 min 01 sec\n/);
  assert.match(text, /\nBinary version: 1\.36\.2\nPaths: \/logs \/pods\n$/);
});

test('/flagz has one flag a line, by name', () => {
  assert.match(
    flagz({ v: '2', config: '/k.yaml' }),
    /^\nkubelet flagz\nWarning: .*\nconfig=\/k\.yaml\nv=2\n$/,
  );
});

test('the pages refuse who takes no text', () => {
  const request = (accept?: string) => ({ headers: { accept } }) as IncomingMessage;
  for (const accept of [undefined, '', '*/*', 'application/json, */*', 'text/plain; q=0.9', 'TEXT/*'])
    requireText(request(accept));
  const structured = 'application/json;v=v1beta1;g=config.k8s.io;as=Statusz';
  assert.throws(() => requireText(request(structured)), { statusCode: 406, message: /only text\/plain/ });
});
