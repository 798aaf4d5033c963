import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxyFromEnvironment } from './proxy-from-environment.ts';
import { proxyUrlProblem } from './proxy-url.ts';

const proxy = 'http://proxy.test:3128';

/** Whether a server is reached through the proxy with that NO_PROXY. */
function isProxied(server: string, noProxy: string): boolean {
  return proxyFromEnvironment(new URL(server), { HTTPS_PROXY: proxy, NO_PROXY: noProxy }) !== undefined;
}

const rows: [server: string, noProxy: string, proxied: boolean][] = [
  ['https://a.example.com', '', true],
  ['https://a.example.com', '*', false],
  ['https://a.example.com', 'other.com, *', false],
  ['https://a.example.com', 'example.com', false],
  ['https://example.com', 'example.com', false],
  ['https://badexample.com', 'example.com', true],
  ['https://a.example.com', '.example.com', false],
  ['https://example.com', '.example.com', true],
  ['https://a.example.com', '*.EXAMPLE.com', false],
  ['https://example.com:6443', 'example.com:6443', false],
  ['https://example.com:6444', 'example.com:6443', true],
  ['https://example.com', 'example.com:443', false],
  ['https://10.1.2.3:6443', '10.0.0.0/8', false],
  ['https://11.1.2.3:6443', '10.0.0.0/8', true],
  ['https://10.1.2.3:6443', '10.1.2.3', false],
  ['https://10.1.2.3:6443', '10.1.2.3:6443', false],
  ['https://10.1.2.3:6443', '10.1.2.3:443', true],
  ['https://10.1.2.3:6443', '.2.3', true],
  ['https://[fd00::1]:6443', 'fd00::/8', false],
  ['https://[fd00::1]:6443', 'fd00:0::1', false],
  ['https://[fd00::1]:6443', '[fd00::1]:6443', false],
  ['https://[fd00::1]:6443', '[fd00::1]:1', true],
  ['https://10.1.2.3', '10.0.0.0/99, :443,', true],
  ['https://localhost:6443', '', false],
  ['https://127.9.9.9:6443', '', false],
  ['https://[::1]:6443', '', false],
];

test('NO_PROXY is read as Go reads it, and loopback servers are never proxied', () => {
  const got = rows.map(([server, noProxy]) => [server, noProxy, isProxied(server, noProxy)]);
  assert.deepEqual(got, rows);
});

test('each scheme has its variable, upper case first; a proxy without a scheme is an http one', () => {
  const environment = { HTTPS_PROXY: 'one:1', https_proxy: 'two:2', http_proxy: 'socks5://u:p@three' };
  assert.equal(proxyFromEnvironment(new URL('https://a.test'), environment)?.href, 'http://one:1/');
  assert.equal(proxyFromEnvironment(new URL('http://a.test'), environment)?.href, 'socks5://u:p@three');
  assert.equal(
    proxyFromEnvironment(new URL('http://a.test'), { ...environment, REQUEST_METHOD: 'GET' }),
    undefined,
  );
});

test('a proxy-url of another scheme is refused', () => {
  const good = ['http://p', 'https://p:1', 'socks5://u:p@[::1]:1080', 'socks5h://p'];
  assert.deepEqual(good.map(proxyUrlProblem), [undefined, undefined, undefined, undefined]);
  assert.equal(proxyUrlProblem('ftp://p'), 'unsupported scheme "ftp", must be http, https, or socks5');
  assert.equal(proxyUrlProblem('::'), 'could not parse: ::');
});
