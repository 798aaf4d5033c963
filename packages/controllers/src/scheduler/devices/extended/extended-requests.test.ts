/** Extended resources as requests of a claim, by upstream's rules. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, DeviceClass, Pod } from '@wherry/kubeapi';
import { extendedClasses, extendedRequests } from './extended-requests.ts';

const gpu = 'example.com/gpu';
const asking = (name: string, count: number | undefined, more: Partial<Container> = {}): Container => ({
  name,
  ...(count === undefined ? {} : { resources: { requests: { cpu: '1', [gpu]: String(count) } } }),
  ...more,
});
const podOf = (containers: Container[], initContainers: Container[] = []): Pod => ({
  metadata: { name: 'pod', namespace: 'default', uid: 'pod' },
  spec: { containers, initContainers },
});
const classOf = (name: string, extendedResourceName?: string, creationTimestamp?: string): DeviceClass => ({
  metadata: { name, ...(creationTimestamp ? { creationTimestamp } : {}) },
  spec: extendedResourceName === undefined ? {} : { extendedResourceName },
});

/** Requests as `NAME=COUNT`, mappings as `CONTAINER>REQUEST`. */
function told(pod: Pod) {
  const { requests, mappings } = extendedRequests(pod, new Map([[gpu, 'gpus']]));
  return [
    requests.map(({ name, exactly }) => `${name}=${exactly!.count}`),
    mappings.map(({ containerName, requestName }) => `${containerName}>${requestName}`),
  ];
}

describe('the claim for extended resources', () => {
  it('has a request for each container, named by its place and that of the resource among its own', () => {
    assert.deepEqual(told(podOf([asking('a', 2), asking('b', undefined), asking('c', 1), asking('d', 0)])), [
      ['container-0-request-1=2', 'container-2-request-1=1'],
      ['a>container-0-request-1', 'c>container-2-request-1'],
    ]);
    const { requests } = extendedRequests(podOf([asking('a', 2)]), new Map([[gpu, 'gpus']]));
    assert.deepEqual(requests[0]!.exactly, {
      ...{ deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 2 },
    });
  });

  it('lets init containers use what later ones will have, and asks once for what the greediest lacks', () => {
    const pod = podOf([asking('main', 2)], [asking('one', 1), asking('three', 3), asking('five', 5)]);
    assert.deepEqual(told(pod), [
      ['container-2-request-1=3', 'container-3-request-1=2'],
      [
        'main>container-3-request-1',
        'one>container-3-request-1',
        'three>container-3-request-1',
        'three>container-2-request-1',
        'five>container-3-request-1',
        'five>container-2-request-1',
      ],
    ]);
  });

  it('keeps what sidecars have from the init containers behind them', () => {
    const sidecar = asking('side', 1, { restartPolicy: 'Always' });
    const pod = podOf([], [asking('before', 1), sidecar, asking('behind', 1)]);
    assert.deepEqual(told(pod), [
      ['container-1-request-1=1', 'container-2-request-1=1'],
      ['side>container-1-request-1', 'before>container-1-request-1', 'behind>container-2-request-1'],
    ]);
  });

  it('is for the class that names the resource, the youngest of several, or whose own name it is', () => {
    const classes = (...all: DeviceClass[]) => new Map(all.map((each) => [each.metadata.name!, each]));
    const pod = podOf([asking('a', 1)]);
    const classFor = (...all: DeviceClass[]) => extendedClasses(pod, classes(...all)).get(gpu);
    assert.equal(classFor(classOf('gpus')), undefined);
    assert.equal(
      classFor(classOf('old', gpu, '2026-01-01T00:00:00Z'), classOf('new', gpu, '2026-01-02T00:00:00Z')),
      'new',
    );
    assert.equal(classFor(classOf('b', gpu), classOf('a', gpu)), 'a');
    const implicit = {
      requests: { 'deviceclass.resource.kubernetes.io/gpus': '1', 'example.com/none': '1' },
    };
    const found = extendedClasses(podOf([{ name: 'a', resources: implicit }]), classes(classOf('gpus')));
    assert.deepEqual([...found], [['deviceclass.resource.kubernetes.io/gpus', 'gpus']]);
  });
});
