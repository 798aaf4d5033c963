import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '../metrics.ts';
import { MetricsPage } from '../metrics-page.ts';
import { exposition } from './exposition.ts';
import { readFamilies } from './text-families.ts';

const delimited =
  'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited';

test('a page is text for who takes nothing else, and protobuf for who takes that first', () => {
  const typeOf = (accept?: string) => exposition('', accept).type.split(';')[0];
  for (const accept of [
    undefined,
    '*/*',
    'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5',
    `text/plain, ${delimited}`,
    `${delimited};q=0.1, text/plain;q=0.2`,
    'application/vnd.google.protobuf;proto=other;encoding=delimited',
    'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=text',
  ])
    assert.equal(typeOf(accept), 'text/plain', accept);
  assert.equal(typeOf(`${delimited}, text/plain;q=0.9`), 'application/vnd.google.protobuf');
  assert.match(exposition('', `${delimited};escaping=dots`).type, /; escaping=dots$/);
  assert.match(exposition('', 'text/plain;escaping=odd').type, /; escaping=underscores$/);
});

test('families, labels, buckets, times and infinities are read from a page as they were written', () => {
  const metrics = new MetricsRegistry();
  metrics.counter('used_total', 'Uses.').add(3, { path: 'a\\b"c\n}d' });
  metrics.counter('unused_total', 'None.');
  metrics.histogram('taken_seconds', 'Times.', [1, 5]).observe(2, { verb: 'GET' });
  const page = new MetricsPage();
  page.gauge('room_bytes', 'Room.')(Infinity, { disk: 'sda' }, 1_700_000_000_000);
  const families = readFamilies(`${metrics.render()}${page.render()}`);
  assert.deepEqual(
    families.map(({ name, type, help }) => [name, type, help]),
    [
      ['used_total', 'counter', 'Uses.'],
      ['taken_seconds', 'histogram', 'Times.'],
      ['room_bytes', 'gauge', 'Room.'],
    ],
  );
  const [used, taken, room] = families.map(({ samples }) => samples);
  assert.deepEqual(used, [
    { name: 'used_total', labels: [['path', 'a\\b"c\n}d']], value: 3, atMs: undefined },
  ]);
  assert.deepEqual(room, [
    { name: 'room_bytes', labels: [['disk', 'sda']], value: Infinity, atMs: 1_700_000_000_000 },
  ]);
  assert.equal(taken?.length, 5);
});

test('a family is a message of these bytes behind its length', () => {
  const metrics = new MetricsRegistry();
  metrics.histogram('t', 'T.', [1]).observe(300, { v: 'x' });
  const { body } = exposition(metrics.render(), delimited);
  const double = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes.toString('hex');
  };
  const label = '0a06' + '0a0176' + '120178';
  const bucket = `1a0b0800${'11'}${double(1)}`;
  const histogram = `3a18${'0801'}11${double(300)}${bucket}`;
  const metric = `2222${label}${histogram}`;
  assert.equal(Buffer.from(body).toString('hex'), `2d0a0174${'1202542e'}1804${metric}`);
});
