import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';
import type { UserInfo } from '../authentication/identity.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { InFlightLimits } from './in-flight-limits.ts';

const request = (verb: string) => ({ verb, isResource: true }) as RequestInfo;
const user = (...groups: string[]): UserInfo => ({ name: 'a', uid: '', groups, extra: {} });

describe('without priority and fairness', () => {
  it('readers and changes have places of their own, and administrators always one', () => {
    const places = new InFlightLimits({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 1 });
    const leave = places.enter(user(), request('list'));
    assert.ok(leave);
    assert.equal(places.enter(user(), request('get')), undefined);
    assert.ok(places.enter(user('system:masters'), request('get')));
    assert.ok(places.enter(user(), request('create')));
    assert.equal(places.enter(user(), request('delete')), undefined);
  });

  it('a place is free again when it was given back, and 0 is without a bound', () => {
    const places = new InFlightLimits({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 0 });
    places.enter(user(), request('get'))?.();
    assert.ok(places.enter(user(), request('get')));
    for (let count = 0; count < 1000; count++) assert.ok(places.enter(user(), request('update')));
  });

  it('answers name no FlowSchema, and requests are served', async () => {
    const server = await TestServer.start({ priorityAndFairness: false });
    try {
      const { status, headers } = await server.request('GET', '/api/v1/namespaces');
      assert.equal(status, 200);
      assert.equal(headers['x-kubernetes-pf-flowschema-uid'], undefined);
      const schemas = await server.request('GET', '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas');
      assert.equal(schemas.status, 200);
    } finally {
      await server.close();
    }
  });
});
