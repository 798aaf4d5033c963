import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { answerError } from '../answers.ts';
import { serveSystemLogs } from './system-logs.ts';

let node = '';
let origin = '';
const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://kubelet');
  serveSystemLogs(join(node, 'log'), request, response, url).catch((error) => answerError(response, error));
});

before(async () => {
  node = mkdtempSync(join(tmpdir(), 'system-logs-'));
  const at = (name: string) => join(node, 'log', name);
  mkdirSync(at('apt'), { recursive: true });
  writeFileSync(join(node, 'secret'), 'secret');
  writeFileSync(at('syslog'), 'one\ntwo\n');
  writeFileSync(at('empty'), '');
  writeFileSync(at('apt/a:b <i> %'), 'odd');
  symlinkSync('../syslog', at('apt/inside'));
  symlinkSync('../secret', at('above'));
  symlinkSync(join(node, 'secret'), at('absolute'));
  symlinkSync('..', at('up'));
  symlinkSync('/proc/self/cwd', at('jump'));
  execFileSync('mkfifo', [at('pipe')]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.close();
  rmSync(node, { recursive: true, force: true });
});

const ask = async (path: string, method = 'GET') => {
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(`${origin}${path}`, { method, signal, redirect: 'manual' });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

describe('/logs', () => {
  test('lists a folder with links that lead to what is in it', async () => {
    const { status, text, headers } = await ask('/logs/');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.match(text, /<a href="\.\/syslog">syslog<\/a>/);
    assert.match(text, /<a href="\.\/apt\/">apt\/<\/a>/);
    const apt = await ask('/logs/apt/');
    assert.doesNotMatch(apt.text, /<i>/);
    const odd = /<a href="(.\/a[^"]*)">/.exec(apt.text)?.[1] ?? '';
    assert.equal((await ask(new URL(odd, `${origin}/logs/apt/`).pathname)).text, 'odd');
  });

  test('sends a file as plain text, its head without it, and an empty one', async () => {
    const { text, headers } = await ask('/logs/syslog');
    assert.equal(text, 'one\ntwo\n');
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    const head = await ask('/logs/syslog', 'HEAD');
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.deepEqual([(await ask('/logs/empty')).status, (await ask('/logs/empty')).text], [200, '']);
  });

  test('leads to the right path of a folder and of a file', async () => {
    for (const [path, location] of [
      ['/logs/apt', 'apt/'],
      ['/logs/syslog/', '../syslog'],
    ] as const) {
      const { status, headers } = await ask(path);
      assert.deepEqual([status, headers.get('location')], [301, location]);
    }
  });

  test('follows links that stay below its folder, and no other', async () => {
    assert.equal((await ask('/logs/apt/inside')).text, 'one\ntwo\n');
    for (const path of [
      'above',
      'absolute',
      'up/secret',
      'up/',
      'jump/',
      '..%2fsecret',
      'apt%2f..%2f..%2fsecret',
    ]) {
      const { status, text } = await ask(`/logs/${path}`);
      assert.equal(status, 403, path);
      assert.match(text, /leads out of .*log/);
    }
  });

  test('refuses what is no file, what is not there and what is no path', async () => {
    assert.equal((await ask('/logs/pipe')).status, 403);
    assert.equal((await ask('/logs/none')).status, 404);
    assert.equal((await ask('/logs/syslog%00')).status, 404);
    assert.equal((await ask(`/logs/${'x'.repeat(5_000)}`)).status, 404);
    assert.equal((await ask('/logs/%zz')).status, 400);
  });
});
