/** The clock of a node's machine jumps ahead and back by twenty minutes: pods run on, and what goes by the clock finds its way. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CronJob, Job, Node, Pod } from '@wherry/kubeapi';
import { eventually, podOf, scriptPod, TestNode } from './node.ts';
import { stretched } from './slowness.ts';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const jumpMs = 20 * 60_000;
const toleranceMs = 90_000;
const writer = 'i=0; while true; do i=$((i+1)); echo "line $i"; usleep 20000; done';

const cronJob = {
  ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'minutely' } },
  spec: {
    schedule: '* * * * *',
    jobTemplate: {
      spec: { template: { spec: podOf('job', { command: ['true'] }, { restartPolicy: 'Never' }).spec } },
    },
  },
};

describe('a node whose clock jumps', {
  concurrency: false,
  timeout: stretched(560_000),
  skip: existsSync(library) ? false : `faketime is not installed: no ${library}`,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-clock-'));
  const offsetFile = join(folder, 'offset');
  let node: TestNode;
  let offsetMs = 0;
  let beforeJumps: unknown;
  let tokenOfBefore = '';

  const ok = (line: string) => node.kubectlOk(line.split(' '));
  const read = async <T>(what: string): Promise<T> => JSON.parse(await ok(`get ${what} -o json`));
  const now = () => Date.now() + offsetMs;
  const isOfNow = (time: string | undefined) => Math.abs(Date.parse(time ?? '') - now()) < toleranceMs;

  /** Sets it, and waits until the API server says so: processes see it a second later. */
  const jump = async (ms: number) => {
    setClock(ms);
    for (let count = 0, seen = false; !seen; count++) {
      const name = `seen-${ms}-${count}`;
      await ok(`create configmap ${name}`);
      seen = isOfNow((await read<Pod>(`configmap ${name}`)).metadata?.creationTimestamp);
    }
  };
  const setClock = (ms: number) => {
    offsetMs = ms;
    // Nobody reads half of it.
    writeFileSync(`${offsetFile}.next`, `${ms < 0 ? '' : '+'}${ms / 1_000}\n`);
    renameSync(`${offsetFile}.next`, offsetFile);
  };

  before(async () => {
    setClock(0);
    const faked = {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: offsetFile, FAKETIME_CACHE_DURATION: '1' },
      // A machine whose clock is set goes on to count from its start.
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1' },
    };
    Object.assign(process.env, faked);
    node = await TestNode.start('jumping');
    await node.apply(scriptPod('writer', writer));
    await node.create(scriptPod('falling', 'exit 3'), cronJob);
    beforeJumps = await containers();
    tokenOfBefore = await node.createToken('default', 600);
    assert.equal(await statusOf(tokenOfBefore), 'answered');
  });
  after(async () => {
    await node?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const containers = async () => {
    const { status } = await read<Pod>('pod writer');
    return status?.containerStatuses?.map(({ containerID, restartCount }) => [containerID, restartCount]);
  };
  /** Whether the API server takes a token. */
  const statusOf = async (token: string) => {
    const { code, stderr } = await node.kubectl([
      '--token',
      token,
      'auth',
      'whoami',
      '--kubeconfig',
      await bare(),
    ]);
    return code === 0 ? 'answered' : stderr.trim();
  };
  /** A kubeconfig that has nobody's credentials. */
  const bare = async () => {
    const config = JSON.parse(await ok('config view --raw -o json')) as { users: { user: object }[] };
    for (const user of config.users) user.user = {};
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, JSON.stringify(config));
    return file;
  };
  const lines = async () => {
    const all = (await ok('logs writer')).trimEnd().split('\n');
    assert.deepEqual(
      all.filter((line, index) => line !== `line ${index + 1}`),
      [],
    );
    return all.length;
  };
  const conditionOf = async (type: string) =>
    (await read<Node>('node jumping')).status?.conditions?.find((each) => each.type === type);
  const jobs = async () => (await read<{ items: Job[] }>('jobs')).items;

  /** What goes on with the time of now, whichever way it went. */
  const goesOn = async () => {
    const leases = [
      '-n kube-node-lease lease jumping',
      '-n kube-system lease kube-controller-manager',
      '-n kube-system lease kube-scheduler',
    ];
    for (const lease of leases)
      await eventually(`${lease} to be renewed`, async () =>
        isOfNow((await node.kubectl(`get ${lease} -o jsonpath={.spec.renewTime}`.split(' '))).stdout),
      );
    await eventually('the node to tell of itself', async () => {
      const ready = await conditionOf('Ready');
      return ready?.status === 'True';
    });
    const { spec } = await read<Node>('node jumping');
    assert.deepEqual(spec?.taints ?? [], []);
    const count = await lines();
    await eventually('further lines', async () => (await lines()) > count + 50);
    assert.deepEqual(await containers(), beforeJumps);
    assert.equal(await ok('exec writer -- echo here'), 'here\n');
    assert.equal(await statusOf(await node.createToken('default', 600)), 'answered');
    const name = `fresh-${offsetMs < 0 ? 'behind' : offsetMs}`;
    await node.apply(podOf(name));
    const { metadata, status } = await read<Pod>(`pod ${name}`);
    assert.ok(isOfNow(metadata?.creationTimestamp) && isOfNow(status?.startTime));
    await ok(`delete pod ${name}`);
    const restarts = async () =>
      (await read<Pod>('pod falling')).status?.containerStatuses?.[0]?.restartCount ?? 0;
    const first = await restarts();
    if (first < 4) await eventually('a further restart', async () => (await restarts()) > first, 90_000);
  };

  /** A schedule goes on by the clock of now, and makes up for one time at most. */
  const schedules = async () => {
    const begun = await jobs();
    const known = new Set(begun.map((job) => job.metadata?.uid));
    await eventually(
      'a job of now',
      async () =>
        (await jobs()).some(
          ({ metadata, status }) =>
            !known.has(metadata?.uid) && isOfNow(metadata?.creationTimestamp) && status?.succeeded === 1,
        ),
      110_000,
    );
    assert.ok((await jobs()).length <= 4 + 3);
    const { status: told } = await read<CronJob>('cronjob minutely');
    assert.ok(isOfNow(told?.lastScheduleTime), told?.lastScheduleTime);
  };

  it('ahead: goes on, and tokens of before are over', async () => {
    await jump(jumpMs);
    await goesOn();
    await schedules();
    assert.match(await statusOf(tokenOfBefore), /must be logged in|Unauthorized/);
  });

  it('back: goes on, a token of the time to come is not good yet, and what ran then does not run again', async () => {
    const ran = await jobs();
    const ofTheFuture = await node.createToken('default', 3_600);
    assert.equal(await statusOf(ofTheFuture), 'answered');
    await jump(0);
    await eventually('it to be refused', async () =>
      /must be logged in|Unauthorized/.test(await statusOf(ofTheFuture)),
    );
    await goesOn();
    // As upstream's: a schedule waits for the time after the last that it ran for.
    const known = new Set(ran.map((job) => job.metadata?.name));
    const late = (await jobs()).filter((job) => isOfNow(job.metadata?.creationTimestamp));
    assert.deepEqual(
      late.filter((job) => !known.has(job.metadata?.name)),
      [],
    );
  });
});
