import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { HttpSource } from './http-source.ts';

const told: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));
let url: string;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://me:secret%21@127.0.0.1:${(server.address() as AddressInfo).port}/pods?a=b`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => told.splice(0));

const tell = (what: string) => (pod: AssignedPod) => {
  told.push(`${what} ${pod.metadata.name}`);
};
const source = (more: object = {}) =>
  new HttpSource({
    url,
    headers: { 'X-Token': ['a', 'b'] },
    nodeName: 'node',
    checkMs: 20_000,
    clock: new FakeClock(),
    logger: silentLogger,
    recorder: { record: ({ reason, message }) => void told.push(`${reason}: ${message}`) },
    handlers: {
      added: tell('added'),
      updated: tell('updated'),
      reconciled: tell('reconciled'),
      removed: tell('removed'),
      ready: () => told.push('ready'),
    },
    ...more,
  });
const manifest = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: `uid-${name}` },
  spec: { containers: [{ name: 'a', image: 'demo:1' }], ...more },
});
const say = (body: unknown, status = 200) => {
  answer = (_, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
};

test('pods come from a URL, one or a list, with the headers that were asked for', async () => {
  const pods = source();
  let asked: IncomingMessage['headers'] = {};
  answer = (request, response) => {
    asked = request.headers;
    response.end(JSON.stringify(manifest('one')));
  };
  await pods.look();
  assert.deepEqual(told.splice(0), ['added one-node', 'ready']);
  assert.equal(asked['x-token'], 'a, b');
  assert.equal(asked.authorization, `Basic ${Buffer.from('me:secret!').toString('base64')}`);
  await pods.look();
  const items = [
    { ...manifest('one', { hostname: 'h' }), kind: undefined, apiVersion: undefined },
    manifest('two'),
  ];
  say({ apiVersion: 'v1', kind: 'PodList', items });
  await pods.look();
  assert.deepEqual(told.splice(0), ['updated one-node', 'added two-node']);
  say({ apiVersion: 'v1', kind: 'PodList', items: [] });
  await pods.look();
  assert.deepEqual(told, ['removed one-node', 'removed two-node']);
});

test('an answer that is no pod, or one pod that breaks a rule, changes nothing; an empty one ends all', async () => {
  const pods = source();
  say(manifest('one'));
  await pods.look();
  told.splice(0);
  const wrong: [unknown, RegExp, status?: number][] = [
    ['no', /500/, 500],
    [{ kind: 'Service' }, /holds a Service, not a Pod/],
    [
      { kind: 'PodList', items: [manifest('two'), manifest('three', { restartPolicy: 'Sometimes' })] },
      /spec\.restartPolicy/,
    ],
    [manifest('two', { serviceAccountName: 'a' }), /may not reference API objects/],
    [`${JSON.stringify(manifest('two'))}${' '.repeat(11 * 1_024 * 1_024)}`, /longer than/],
  ];
  for (const [body, complaint, status] of wrong) {
    say(body, status);
    await assert.rejects(pods.look(), complaint);
    assert.deepEqual(told, []);
  }
  say('');
  await assert.rejects(pods.look(), /empty/);
  assert.deepEqual(told, ['removed one-node']);
});

test('a URL is asked again after the check frequency, and an answer that does not come is given up', async () => {
  const clock = new FakeClock();
  let asked = 0;
  const failures: string[] = [];
  const logger = {
    ...silentLogger,
    error: (_: string, { error }: { error: Error }) => failures.push(error.message),
  };
  answer = (_, response) => {
    asked += 1;
    if (asked === 1) response.end(JSON.stringify(manifest('one')));
  };
  const pods = source({ clock, logger });
  pods.start();
  const until = async (isSo: () => boolean) => {
    for (let turn = 0; turn < 500 && !isSo(); turn++) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(isSo());
  };
  await until(() => told.includes('ready'));
  await clock.advance(20_000);
  await until(() => asked === 2);
  await clock.advance(10_000);
  await until(() => failures.length > 0);
  assert.match(failures[0] ?? '', /no answer within 10 s/);
  await pods.close();
});
