import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { FlowSchema, PriorityLevelConfiguration } from '@wherry/kubeapi';
import { userInfo } from '../authentication/identity.ts';
import { readRequestInfo } from '../http/request-info.ts';
import { placesOf } from './level.ts';
import { Levels, type Place } from './levels.ts';

const never = new AbortController().signal;

function level(
  name: string,
  limited: NonNullable<PriorityLevelConfiguration['spec']['limited']>,
): PriorityLevelConfiguration {
  const queuing = { queues: 4, handSize: 2, queueLengthLimit: 3 };
  const limitResponse = { type: 'Queue', queuing };
  return {
    metadata: { name, uid: `uid-${name}` },
    spec: { type: 'Limited', limited: { limitResponse, ...limited } },
  };
}

function schema(name: string, precedence: number, rule: object, method?: string): FlowSchema {
  return {
    metadata: { name, uid: `uid-${name}` },
    spec: {
      priorityLevelConfiguration: { name },
      matchingPrecedence: precedence,
      ...(method ? { distinguisherMethod: { type: method } } : {}),
      rules: [rule as never],
    },
  };
}

const everybody = [{ kind: 'Group', group: { name: '*' } }];
const everything = {
  subjects: everybody,
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

/** Levels of these objects, which tests may replace. */
function levelsOf(schemas: FlowSchema[], levels: PriorityLevelConfiguration[], inFlightMax = 600) {
  const source = { generation: 1, schemas, levels };
  const of = <T>(list: () => T[]) => ({
    get generation() {
      return source.generation;
    },
    values: list,
  });
  const places = new Map<string, number>();
  const made = new Levels({
    clock: new FakeClock(),
    schemas: of(() => source.schemas),
    levels: of(() => source.levels),
    inFlightMax,
    onPlaces: (name, { nominal }) => places.set(name, nominal),
  });
  const placeOf = (user: string, method: string, path: string, ...groups: string[]) =>
    made.placeOf(userInfo(user, groups), readRequestInfo(method, path, new URLSearchParams()));
  return { source, placeOf, places };
}

describe('a request', () => {
  const rule = (subject: object, resourceRule: object, nonResourceRule?: object) => ({
    subjects: [subject],
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], ...resourceRule }],
    ...(nonResourceRule ? { nonResourceRules: [nonResourceRule] } : {}),
  });
  const names = ['pods', 'logs', 'account', 'paths', 'rest'];
  const { placeOf } = levelsOf(
    [
      schema('rest', 9_000, everything),
      schema(
        'pods',
        100,
        rule({ kind: 'User', user: { name: 'me' } }, { verbs: ['get'], resources: ['pods'] }),
        'ByNamespace',
      ),
      schema(
        'logs',
        100,
        rule({ kind: 'Group', group: { name: 'people' } }, { resources: ['pods/log'], namespaces: ['a'] }),
        'ByUser',
      ),
      schema(
        'account',
        200,
        rule(
          { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'a' } },
          { clusterScope: true },
        ),
      ),
      schema(
        'paths',
        300,
        rule(
          { kind: 'User', user: { name: '*' } },
          { verbs: ['no'] },
          { verbs: ['get'], nonResourceURLs: ['/version/*', '/metrics'] },
        ),
      ),
      schema('dangling', 50, everything),
    ],
    names.map((name) => level(name, {})),
  );
  const schemaOf = (...args: Parameters<typeof placeOf>) => placeOf(...args).schema.name;

  it('belongs to the first schema whose rules are about it, and whose level is there', () => {
    assert.equal(schemaOf('me', 'GET', '/api/v1/namespaces/a/pods/p'), 'pods');
    assert.equal(schemaOf('me', 'DELETE', '/api/v1/namespaces/a/pods/p'), 'rest');
    assert.equal(schemaOf('me', 'GET', '/api/v1/nodes/n'), 'rest');
    assert.equal(schemaOf('you', 'GET', '/api/v1/namespaces/a/pods/p/log', 'people'), 'logs');
    assert.equal(schemaOf('you', 'GET', '/api/v1/namespaces/b/pods/p/log', 'people'), 'rest');
    assert.equal(schemaOf('system:serviceaccount:a:one', 'GET', '/api/v1/pods'), 'account');
    assert.equal(schemaOf('system:serviceaccount:ab:one', 'GET', '/api/v1/pods'), 'rest');
    assert.equal(schemaOf('you', 'GET', '/version/long'), 'paths');
    assert.equal(schemaOf('you', 'GET', '/metrics/slis'), 'paths');
    assert.equal(schemaOf('you', 'GET', '/versions'), 'rest');
  });

  it('is of a flow by its user, by its namespace, or of one with all others', () => {
    const flow = (...args: Parameters<typeof placeOf>) => placeOf(...args).flow;
    assert.equal(flow('me', 'GET', '/api/v1/namespaces/a/pods/p'), 'pods/a');
    assert.equal(flow('you', 'GET', '/api/v1/namespaces/a/pods/p/log', 'people'), 'logs/you');
    assert.equal(flow('you', 'GET', '/versions'), 'rest/');
  });

  it('that no schema is about goes to the level for all others', () => {
    const { placeOf: elsewhere } = levelsOf([], []);
    const { level: at, schema: by } = elsewhere('nobody', 'GET', '/api/v1/pods');
    assert.deepEqual([at.name, by.name, by.uid, at.uid], ['catch-all', 'catch-all', '', '']);
  });
});

describe('places', () => {
  it('are divided by shares, kept and borrowed by percentages', () => {
    const places = placesOf(
      [
        level('a', { nominalConcurrencyShares: 30, lendablePercent: 50, borrowingLimitPercent: 10 }),
        level('b', { nominalConcurrencyShares: 10, lendablePercent: 100 }),
        { metadata: { name: 'exempt' }, spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 20 } } },
        level('none', { nominalConcurrencyShares: 0 }),
      ],
      600,
    );
    assert.deepEqual(Object.fromEntries(places), {
      a: { nominal: 300, kept: 150, max: 330 },
      b: { nominal: 100, kept: 0, max: Infinity },
      exempt: { nominal: 200, kept: 200, max: Infinity },
      none: { nominal: 0, kept: 0, max: Infinity },
    });
  });

  const two = () =>
    levelsOf(
      [
        schema(
          'poor',
          10,
          { ...everything, subjects: [{ kind: 'Group', group: { name: 'poor' } }] },
          'ByUser',
        ),
        schema('rich', 20, everything, 'ByUser'),
      ],
      [
        level('poor', { nominalConcurrencyShares: 10, borrowingLimitPercent: 200 }),
        level('rich', { nominalConcurrencyShares: 585, lendablePercent: 50 }),
      ],
    );
  /** As many requests of as many users as get a place at once. */
  async function takeAll(placeOf: (user: number) => Place, count: number) {
    const leaves: (() => void)[] = [];
    for (let at = 0; at < count; at++)
      placeOf(at)
        .level.queue.enter(placeOf(at).flow, never)
        .then(
          (leave) => leaves.push(leave),
          () => {},
        );
    await new Promise((resolve) => setImmediate(resolve));
    return leaves;
  }

  it('are borrowed from those that lend, up to what may be borrowed', async () => {
    const { placeOf, places } = two();
    const leaves = await takeAll((at) => placeOf(`user ${at}`, 'GET', '/version', 'poor'), 42);
    assert.deepEqual([places.get('poor'), leaves.length], [10, 30]);
    for (const leave of leaves) leave();
    await new Promise((resolve) => setImmediate(resolve));
    // Those that waited: four queues of three.
    assert.equal(leaves.length, 42);
  });

  it('that are lent come back first to the level whose they are', async () => {
    const { placeOf } = two();
    const borrowed = await takeAll((at) => placeOf(`user ${at}`, 'GET', '/version', 'poor'), 32);
    assert.equal(borrowed.length, 30);
    const own = await takeAll((at) => placeOf(`user ${at}`, 'GET', '/version'), 570);
    assert.equal(own.length, 565);
    borrowed.pop()!();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([own.length, borrowed.length], [566, 29]);
  });

  it('of a level that goes are left as its requests end', async () => {
    const { placeOf, source, places } = two();
    const leaves = await takeAll((at) => placeOf(`user ${at}`, 'GET', '/version', 'poor'), 31);
    source.levels = source.levels.slice(1);
    source.generation += 1;
    assert.equal(placeOf('user', 'GET', '/version', 'poor').level.name, 'rich');
    assert.equal(places.get('poor'), 0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(leaves.length, 31);
    for (const leave of leaves) leave();
  });

  it('that are taken are waited for only where the level queues', async () => {
    const { placeOf } = levelsOf(
      [schema('strict', 10, everything)],
      [
        level('strict', {
          nominalConcurrencyShares: 5,
          borrowingLimitPercent: 0,
          limitResponse: { type: 'Reject' },
        }),
        level('rich', { nominalConcurrencyShares: 590 }),
      ],
    );
    const place = placeOf('me', 'GET', '/version');
    // Of one flow three quarters.
    const leaves = await Promise.all(
      Array.from({ length: 4 }, () => place.level.queue.enter(place.flow, never)),
    );
    await assert.rejects(place.level.queue.enter(place.flow, never), /queue-full/);
    for (const leave of leaves) leave();
  });
});
