import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { type Event, type Node, parseCidr } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../../test/cluster.ts';

describe('ranges of pods', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await TestCluster.startServer();
    cluster.keys = {
      nodeRanges: {
        ranges: [
          { range: parseCidr('10.244.0.0/22')!, nodePrefixBits: 24 },
          { range: parseCidr('fd00:10:244::/56')!, nodePrefixBits: 64 },
        ],
        excluded: [parseCidr('10.244.1.0/28')!],
      },
    };
    await cluster.create(
      kinds.nodes,
      'old',
      {},
      { spec: { podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'] } },
    );
    cluster.startControllers();
  });
  after(() => cluster.close());

  const rangesOf = async (name: string) => ((await cluster.read(kinds.nodes, name)) as Node).spec?.podCIDRs;
  const once = (name: string) => eventually(`${name} has ranges`, async () => await rangesOf(name));
  const isSaid = async (name: string, reason: string) => {
    const { items } = await cluster.client.resource(kinds.events).list({ namespace: 'default' });
    return (items as Event[]).find((event) => event.reason === reason && event.involvedObject.name === name);
  };

  it('are given to each node, one of each family, and none that a node or a service has', async () => {
    const names = ['one', 'two'];
    await Promise.all(names.map((name) => cluster.create(kinds.nodes, name)));
    const ranges = await Promise.all(names.map(once));
    assert.deepEqual(ranges.map(([four]) => four).sort(), ['10.244.2.0/24', '10.244.3.0/24']);
    assert.deepEqual(ranges.map(([, six]) => six).sort(), ['fd00:10:244:1::/64', 'fd00:10:244::/64']);
    const { spec } = (await cluster.read(kinds.nodes, 'one')) as Node;
    assert.equal(spec?.podCIDR, spec?.podCIDRs?.[0]);
    assert.deepEqual(await rangesOf('old'), ['10.244.0.0/24']);
  });

  it('that are used up are told of, and given once another node is gone', async () => {
    const [freed] = (await rangesOf('one'))!;
    await cluster.create(kinds.nodes, 'three');
    const { message } = await eventually('that is said', () => isSaid('three', 'CIDRNotAvailable'));
    assert.equal(message, 'Node three status is now: CIDRNotAvailable');
    await cluster.client.resource(kinds.nodes).delete({ name: 'one' });
    assert.deepEqual((await once('three'))[0], freed);
  });
});
