import assert from 'node:assert/strict';
import { it } from 'node:test';
import { negotiate } from './negotiation.ts';

it('an answer has the form that its client wants most, and the first of those that it wants alike', () => {
  const encoding = (accept: string) => negotiate(accept, []).encoding;
  assert.equal(encoding('application/json;q=0.1,application/yaml;q=0.9'), 'yaml');
  assert.equal(encoding('application/vnd.kubernetes.protobuf,application/json'), 'protobuf');
  assert.equal(encoding('application/json, application/vnd.kubernetes.protobuf'), 'json');
  assert.equal(encoding('text/html,application/yaml;q=0.5,*/*;q=0.8'), 'json');
  assert.equal(encoding('application/yaml;q=x,application/json;q=0.2'), 'json');
});
