import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { clusterOf } from '../../test/cluster-of.ts';
import { podInfo } from './cluster/pod-info.ts';
import { SchedulingQueue } from './scheduling-queue.ts';
import { ClusterWatch } from './watch-cluster.ts';

function pod(status: Pod['status'] = {}, nodeName?: string): Pod {
  const metadata = { name: 'one', namespace: 'default', uid: 'one' };
  return { metadata, spec: { containers: [], ...(nodeName && { nodeName }) }, status };
}

let cluster = clusterOf({ nodes: [] });
let watch = new ClusterWatch(cluster, new SchedulingQueue());
beforeEach(() => {
  cluster = clusterOf({ nodes: [{ metadata: { name: 'a' }, spec: {} }] });
  watch = new ClusterWatch(cluster, new SchedulingQueue());
});
const promised = () => cluster.nominatedTo('a').map(({ uid }) => uid);

describe('ClusterWatch', () => {
  it('forgets the node that a pod was promised when the pod’s status does not name it any more', () => {
    assert.equal(watch.podChanged(pod({ nominatedNodeName: 'a' }), 'added'), undefined);
    assert.deepEqual(promised(), ['one']);
    assert.equal(watch.podChanged(pod({ nominatedNodeName: 'a', phase: 'Pending' }), 'updated'), undefined);
    assert.equal(watch.podChanged(pod(), 'updated'), 'pod-gone', 'others may have the room now');
    assert.deepEqual(promised(), []);
  });

  it('keeps a promise that the pod’s status does not tell of yet', () => {
    watch.podChanged(pod(), 'added');
    cluster.nominate(podInfo(pod()), 'a');
    assert.equal(watch.podChanged(pod({ phase: 'Pending' }), 'updated'), undefined);
    assert.deepEqual(promised(), ['one']);
  });

  it('has room for others again where a pod was not bound after all', () => {
    const info = podInfo(pod());
    watch.assume(info, 'a');
    assert.equal(watch.giveUp(info), 'pod-gone');
    assert.equal(cluster.node('a')?.pods.size, 0);
    watch.assume(info, 'a');
    watch.podChanged(pod({}, 'a'), 'updated');
    assert.equal(watch.giveUp(info), undefined, 'the watch has shown otherwise');
    assert.equal(cluster.node('a')?.pods.size, 1);
  });
});
