/** What a scheduler makes of its file of configuration, against upstream's own reading: words of errors, defaults, plug-ins at each point. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { extensionPoints } from '../packages/controllers/src/scheduler/configuration/configuration.ts';
import { expandPlugins } from '../packages/controllers/src/scheduler/configuration/expand-plugins.ts';
import {
  readSchedulerConfiguration,
  SchedulerConfigurationError,
  schedulerSetupOf,
  writtenConfiguration,
} from '../packages/controllers/src/scheduler/scheduler-configuration.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';
import { configurations } from './peers/scheduler-configurations.ts';

interface Made {
  error?: string;
  written?: unknown;
  plugins?: Record<string, Record<string, { Enabled: { Name: string; Weight: number }[] | null }>>;
}

let judge: Judge<{ configuration: Made }>;

before(async () => {
  judge = new Judge(await buildGoPeer('podrulesjudge'));
});
after(() => judge.close());

/** What this scheduler has not, where upstream has it. */
const refusedHere = /this scheduler|has to stand before|enable (both|all)/;

/** The same of both, without what a Go type is called in a package of another name. */
const said = (error: string | undefined) =>
  error
    ?.replaceAll('v1alpha1.', 'v1.')
    .replace(/of type v1\.(ScoringStrategyType|PodTopologySpreadConstraintsDefaulting)/, 'of type string');

function ours(text: string): Made {
  try {
    const configuration = readSchedulerConfiguration(Buffer.from(text));
    const { profiles } = schedulerSetupOf(configuration);
    const plugins = configuration.profiles.map((profile) => {
      const expanded = expandPlugins(profile);
      const points = extensionPoints.map((point) => [
        `${point[0]!.toUpperCase()}${point.slice(1)}`,
        expanded[point].map(({ name, weight }) => ({ Name: name, Weight: weight })),
      ]);
      return [profile.schedulerName, Object.fromEntries(points)];
    });
    assert.equal(profiles.size, configuration.profiles.length);
    return { written: writtenConfiguration(configuration), plugins: Object.fromEntries(plugins) };
  } catch (error) {
    assert.ok(error instanceof SchedulerConfigurationError, `${error}`);
    return { error: error.message };
  }
}

for (const [index, text] of configurations.entries())
  it(`${index}: ${text
    .split('\n')
    .slice(text.startsWith('apiVersion') ? 2 : 0)
    .join(' ')
    .slice(0, 150)}`, async () => {
    const { configuration: theirs } = await judge.ask({ configuration: text });
    const mine = ours(text);
    if (mine.error !== undefined && refusedHere.test(mine.error)) {
      assert.equal(theirs.error, undefined);
      return;
    }
    assert.equal(said(mine.error), said(theirs.error));
    if (theirs.error !== undefined) return;
    assert.deepEqual(JSON.parse(JSON.stringify(mine.written)), theirs.written);
    for (const [name, points] of Object.entries(theirs.plugins!))
      for (const [point, { Enabled }] of Object.entries(points))
        if (point !== 'MultiPoint' && point !== 'PlacementScore')
          assert.deepEqual((mine.plugins as never)[name]![point], Enabled ?? [], `${name} ${point}`);
  });
