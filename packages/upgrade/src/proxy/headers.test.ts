import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { backendHeaders } from './headers.ts';

const request = (rawHeaders: string[], remoteAddress?: string) =>
  ({ rawHeaders, socket: { remoteAddress } }) as unknown as IncomingMessage;

test('lines keep their order, case and repetitions', () => {
  const lines = [
    'Host',
    'node:10250',
    'X-Stream-Protocol-Version',
    'v4',
    'X-Stream-Protocol-Version',
    'v3',
    'aCCept',
    '*/*',
  ];
  assert.deepEqual(backendHeaders(request(lines)), lines);
});

test('a line that offers nothing but a bearer token is left out whole', () => {
  const token = 'base64url.bearer.authorization.k8s.io.c2VjcmV0';
  assert.deepEqual(backendHeaders(request(['Sec-WebSocket-Protocol', token])), []);
  assert.deepEqual(backendHeaders(request(['Sec-WebSocket-Protocol', `v5.channel.k8s.io, ${token}`])), [
    'Sec-WebSocket-Protocol',
    'v5.channel.k8s.io',
  ]);
});

test("the hop's own lines replace the client's of the same name in any case", () => {
  const lines = backendHeaders(request(['AUTHORIZATION', 'Bearer client', 'x-trace', 'client']), {
    Authorization: 'Bearer hop',
    'X-Trace': 'hop',
  });
  assert.deepEqual(lines, ['Authorization', 'Bearer hop', 'X-Trace', 'hop']);
});

test("the client's address is appended to the list of those before it; a unix socket has none", () => {
  assert.deepEqual(backendHeaders(request(['X-Forwarded-For', '10.0.0.1'], '::1')), [
    'X-Forwarded-For',
    '10.0.0.1, ::1',
  ]);
  assert.deepEqual(backendHeaders(request([])), []);
});
