/**
 * Where pods go, and who has to go for them, against upstream's own scheduling framework, in clusters made by chance, by its default
 * profile and by others made by chance.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { podInfo } from '../packages/controllers/src/scheduler/cluster/pod-info.ts';
import { FilterRun } from '../packages/controllers/src/scheduler/filter-run.ts';
import { PlaceFinder } from '../packages/controllers/src/scheduler/find-place.ts';
import { bestCandidates } from '../packages/controllers/src/scheduler/preemption/best-candidates.ts';
import {
  findCandidates,
  findPreemption,
} from '../packages/controllers/src/scheduler/preemption/find-preemption.ts';
import { defaultProfile, type Profile } from '../packages/controllers/src/scheduler/profiles/profile.ts';
import {
  readSchedulerConfiguration,
  schedulerSetupOf,
} from '../packages/controllers/src/scheduler/scheduler-configuration.ts';
import { totalScores } from '../packages/controllers/src/scheduler/scores/scores.ts';
import { clusterOf } from '../packages/controllers/test/cluster-of.ts';
import { SeededRandom } from '../packages/kubeapi/test/random-object.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';
import { ClusterMaker, type SchedulingQuestion } from './peers/random-cluster.ts';
import { profileByChance } from './peers/random-profile.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
const rounds = Number(process.env['ROUNDS'] ?? 500);

interface Placement {
  refusals: Record<string, string[]>;
  scores: Record<string, number>;
  plugins: Record<string, Record<string, number>>;
  message: string;
  nominated: string;
  candidates: Record<string, { pods: string[]; violations: number }>;
}

type Comparable = Omit<Placement, 'nominated' | 'plugins'> & { nominees: string[] };

function ours(question: SchedulingQuestion, profile: Profile): Comparable {
  const cluster = clusterOf(question);
  const info = podInfo(question.pod);
  const run = new FilterRun(info, cluster, profile.filters);
  const refusals: Comparable['refusals'] = {};
  const fitting = cluster.nodes.filter((room) => {
    const isLeftOut = run.only && !run.only.nodeNames.has(room.name);
    const reasons =
      run.nowhere !== undefined
        ? [run.nowhere]
        : isLeftOut
          ? [`node(s) didn't satisfy plugin(s) [${run.only.by.join(' ')}]`]
          : run.refusal(room)?.reasons;
    if (reasons) refusals[room.name] = reasons.toSorted();
    return !reasons;
  });
  const totals = totalScores(info, fitting, { cluster, plugins: profile.scores });
  const scores = Object.fromEntries(fitting.map(({ name }, index) => [name, totals[index]!]));
  const place = new PlaceFinder(cluster).find(info, profile);
  if ('room' in place) {
    if (profile.scores.length > 0) assert.equal(scores[place.room.name], Math.max(...totals));
    return { refusals, scores, message: '', nominees: [], candidates: {} };
  }
  if (!profile.preemption) return { refusals, scores, message: place.message, nominees: [], candidates: {} };
  const found = findPreemption(place, cluster);
  if ('message' in found)
    return { refusals, scores, message: `${place.message} ${found.message}`, nominees: [], candidates: {} };
  const { candidates } = findCandidates(place, cluster);
  return {
    ...{ refusals, scores, message: place.message },
    nominees: bestCandidates(candidates).map(({ room }) => room.name),
    candidates: Object.fromEntries(
      candidates.map(({ room, victims, violations }) => [
        room.name,
        { pods: victims.map(({ pod }) => pod.metadata.name!), violations },
      ]),
    ),
  };
}

function profileIn(text: string): Profile {
  const { profiles } = schedulerSetupOf(readSchedulerConfiguration(Buffer.from(text)));
  return profiles.values().next().value!;
}

for (const [by, makeText] of [
  ['its default profile', () => undefined],
  ['profiles made by chance', (random: SeededRandom) => profileByChance(random)],
] as const)
  it(`pods go where upstream's scheduler sends them by ${by}, and the same ones make room (SEED=${seed})`, async () => {
    const judge = new Judge<{ error?: string; placement?: Placement }>(await buildGoPeer('podrulesjudge'));
    const random = new SeededRandom(seed);
    const maker = new ClusterMaker(random);
    const seen = { fitting: 0, preempting: 0, hopeless: 0 };
    let withoutCapacity = 0;
    try {
      for (let round = 0; round < rounds; round++) {
        const question = maker.make();
        const configuration = makeText(random);
        const profile = configuration === undefined ? defaultProfile : profileIn(configuration);
        const { error, placement } = await judge.ask({ cluster: { ...question, configuration } });
        const told = `${configuration ?? ''} ${JSON.stringify(question)}`;
        assert.equal(error, undefined, told);
        const { nominated, plugins, ...theirs } = placement!;
        // Upstream tells what is missing of a node's own resources in the order of a Go map.
        for (const reasons of Object.values(theirs.refusals)) reasons.sort();
        const { nominees, ...mine } = ours(question, profile);
        assert.deepEqual(mine, theirs, `round ${round}: ${JSON.stringify(plugins)} ${told}`);
        if (nominated !== '')
          assert.ok(nominees.includes(nominated), `${nominated} not in ${nominees}: ${told}`);
        else assert.deepEqual(nominees, [], told);
        if (JSON.stringify(theirs.refusals).includes('enough free storage')) withoutCapacity += 1;
        if (Object.keys(theirs.scores).length > 0) seen.fitting += 1;
        else if (nominated !== '') seen.preempting += 1;
        else seen.hopeless += 1;
      }
    } finally {
      judge.close();
    }
    assert.ok(withoutCapacity > 0);
    for (const [what, times] of Object.entries(seen)) assert.ok(times > rounds / 50, `${what}: ${times}`);
  });
