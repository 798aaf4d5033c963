/** What extenders are asked and what becomes of their answers; conformance/extenders.test.ts has one in Go. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Pod } from '@wherry/kubeapi';
import type { JsonValue } from '@wherry/kubeapi/objects';
import { silentLogger } from '@wherry/telemetry';
import { clusterOf } from '../../../test/cluster-of.ts';
import { podInfo } from '../cluster/pod-info.ts';
import { PlaceFinder } from '../find-place.ts';
import { findPreemptionWith, usualCandidates } from '../preemption/find-preemption.ts';
import { defaultProfile } from '../profiles/profile.ts';
import { Extender, type ExtenderRole } from './extender.ts';
import { ExtenderError } from './extender-error.ts';
import { Extenders } from './extenders.ts';

const node = (name: string, cpu = '4'): Node => ({
  metadata: { name, labels: {}, managedFields: [{ manager: 'm' }] },
  spec: {},
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    allocatable: { cpu, memory: '8Gi', pods: '110' },
  },
});
const pod = (name: string, spec: object = {}, requests: Record<string, string> = { cpu: '1' }): Pod => ({
  metadata: { name, namespace: 'default', uid: `u-${name}`, managedFields: [{ manager: 'm' }] },
  spec: { containers: [{ name: 'main', resources: { requests } }], ...spec },
});
const nodes = ['a', 'b', 'c'].map((name) => node(name));
const { signal } = new AbortController();

type Answers = Record<string, JsonValue | Error>;

function extender(answers: Answers, role: Partial<ExtenderRole> = {}) {
  const questions: [string, Record<string, unknown>][] = [];
  const door = {
    async post(verb: string, question: object) {
      questions.push([verb, question as Record<string, unknown>]);
      const answer = answers[verb]!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    close() {},
  };
  const usual = { name: 'http://x', weight: 1, nodeCacheCapable: true, isIgnorable: false };
  const verbs = { filterVerb: 'filter', prioritizeVerb: 'prioritize' };
  const all = { ...usual, ...verbs, managedResources: new Set<string>(), ...role };
  return Object.assign(new Extender(all, door), { questions });
}

async function place(asked: Pod, ...extenders: Extender[]): Promise<string> {
  const finder = new PlaceFinder(clusterOf({ nodes }));
  const all = new Extenders(extenders, silentLogger);
  const found = await finder.findWith(all, podInfo(asked), { profile: defaultProfile, signal });
  return 'room' in found ? found.room.name : found.message;
}

describe('extenders', () => {
  it('leave nodes out, with their reasons, and any change brings the pod back', async () => {
    const failed = {
      filter: {
        NodeNames: [],
        FailedNodes: { a: 'full', b: 'full' },
        FailedAndUnresolvableNodes: { c: 'never' },
      },
    };
    assert.equal(await place(pod('p'), extender(failed)), '0/3 nodes are available: 1 never, 2 full.');
    const left = extender({ filter: { nodenames: ['c'] } });
    assert.equal(await place(pod('p'), left), 'c', 'names of fields are read in whatever case');
    assert.deepEqual(left.questions[0]![1]['NodeNames'], ['a', 'b', 'c']);
    assert.equal(left.questions[0]![1]['Nodes'], null);
  });

  it('get whole nodes where they keep none, and pods without who manages their fields', async () => {
    const whole = extender(
      { filter: { Nodes: { items: [{ metadata: { name: 'b' } }] } } },
      { nodeCacheCapable: false },
    );
    assert.equal(await place(pod('p'), whole), 'b');
    const { items } = whole.questions[0]![1]['Nodes'] as { items: Node[] };
    assert.deepEqual(items[0], nodes[0]);
    const { metadata } = whole.questions[0]![1]['Pod'] as Pod;
    assert.deepEqual(metadata, { name: 'p', namespace: 'default', uid: 'u-p' });
  });

  it('add ten times their weighted points to the scores of plug-ins; one that fails adds nothing', async () => {
    const points = (host: string, Score: number) => ({
      filter: { NodeNames: ['a', 'b', 'c'] },
      prioritize: [{ Host: host, Score }],
    });
    assert.equal(await place(pod('p'), extender(points('b', 1))), 'b');
    assert.equal(
      await place(pod('p'), extender(points('b', 3)), extender(points('c', 1), { weight: 4 })),
      'c',
    );
    const broken = { filter: { NodeNames: ['a', 'b', 'c'] }, prioritize: new ExtenderError('away') };
    assert.equal(await place(pod('p'), extender(broken), extender(points('b', 1))), 'b');
  });

  it('fail the decision unless they are ignorable, which are asked last', async () => {
    const broken = () => extender({ filter: new ExtenderError('away') }, { isIgnorable: true });
    const fine = extender({ filter: { NodeNames: ['b'] } });
    assert.equal(await place(pod('p'), broken(), fine), 'b');
    assert.deepEqual(fine.questions[0]![1]['NodeNames'], ['a', 'b', 'c']);
    await assert.rejects(place(pod('p'), extender({ filter: new ExtenderError('away') })), /away/);
    await assert.rejects(place(pod('p'), extender({ filter: { Error: 'told' } })), /^ExtenderError: told$/);
    await assert.rejects(
      place(pod('p'), extender({ filter: { NodeNames: ['z'] } })),
      /extender "http:\/\/x" claims a filtered node "z" which is not found in the input node list/,
    );
    await assert.rejects(place(pod('p'), extender({ filter: { NodeNames: 'a' } })), /odd NodeNames/);
    await assert.rejects(place(pod('p'), extender({ filter: [] })), /odd ExtenderFilterResult/);
  });

  it('are asked about pods that want what they manage alone', async () => {
    const managing = extender(
      { filter: { NodeNames: ['b'] } },
      { managedResources: new Set(['example.com/x']) },
    );
    await place(pod('p'), managing);
    assert.equal(managing.questions.length, 0);
    const wanting = pod('p', {
      initContainers: [{ name: 'i', resources: { limits: { 'example.com/x': '0' } } }],
    });
    assert.equal(await place(wanting, managing), 'b');
  });

  it('bind in the scheduler’s place, the next one where one that is ignorable fails', async () => {
    const binder = (answer: JsonValue | Error, isIgnorable = false) =>
      extender({ bind: answer }, { bindVerb: 'bind', isIgnorable });
    const bind = (...all: Extender[]) => new Extenders(all, silentLogger).bind(pod('p'), 'a', signal);
    const good = binder({});
    assert.equal(await bind(good), true);
    const question = { PodName: 'p', PodNamespace: 'default', PodUID: 'u-p', Node: 'a' };
    assert.deepEqual(good.questions, [['bind', question]]);
    assert.equal(await bind(extender({})), false);
    assert.equal(await bind(binder(new ExtenderError('away'), true)), false);
    await assert.rejects(bind(binder({ Error: 'no' })), /^ExtenderError: no$/);
  });

  it('have a say in who goes, and name nobody who is not there', async () => {
    const cluster = clusterOf({
      nodes: [node('a', '1'), node('b', '1')],
      pods: ['a', 'b'].map((name) => pod(`on-${name}`, { nodeName: name })),
    });
    const info = podInfo(pod('urgent', { priority: 5 }));
    const failed = new PlaceFinder(cluster).find(info);
    assert.ok('message' in failed);
    const preempt = async (answer: JsonValue, role: Partial<ExtenderRole> = {}) => {
      const asked = extender({ preempt: answer }, { preemptVerb: 'preempt', ...role });
      const all = new Extenders([asked], silentLogger);
      const found = await findPreemptionWith(
        (candidates) => all.preempt(info.pod, candidates, signal),
        failed,
        { cluster, wanted: usualCandidates },
      );
      const told = 'room' in found ? [found.room.name, found.victims.map(({ uid }) => uid)] : found.message;
      return { told, question: asked.questions[0]![1] };
    };
    const only = { NodeNameToMetaVictims: { b: { Pods: [{ UID: 'u-on-b' }], NumPDBViolations: 0 } } };
    const { told, question } = await preempt(only);
    assert.deepEqual(told, ['b', ['u-on-b']]);
    const meta = {
      a: { Pods: [{ UID: 'u-on-a' }], NumPDBViolations: 0 },
      b: { Pods: [{ UID: 'u-on-b' }], NumPDBViolations: 0 },
    };
    assert.deepEqual(question['NodeNameToMetaVictims'], meta);
    assert.equal((await preempt({})).told, 'preemption: no candidate node for preemption');
    const none = { NodeNameToMetaVictims: { a: { Pods: [] } } };
    await assert.rejects(preempt(none), /expected at least one victim pod on node "a"/);
    assert.equal(
      (await preempt(none, { isIgnorable: true })).told,
      'preemption: no candidate node for preemption',
    );
    const stranger = { NodeNameToMetaVictims: { a: { Pods: [{ UID: 'u-on-b' }] } } };
    await assert.rejects(
      preempt(stranger),
      /UID: u-on-b\) on node: a, but the pod is not found on that node/,
    );
  });
});
