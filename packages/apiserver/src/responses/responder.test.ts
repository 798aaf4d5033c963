import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encodeAs } from './responder.ts';

it('an answer in YAML has its names in order, nothing by reference, and texts that every reader takes for texts', () => {
  const version = { version: 'v1' };
  const object = {
    kind: 'K',
    data: { y: 'yes', on: '012', time: '2020-01-01' },
    all: [version],
    best: version,
  };
  const media = { encoding: 'yaml', as: 'object', asVersion: 'v1', pretty: false } as const;
  assert.equal(
    Buffer.from(encodeAs(object, media)).toString(),
    `all:
- version: v1
best:
  version: v1
data:
  "on": "012"
  time: "2020-01-01"
  "y": "yes"
kind: K
`,
  );
});
