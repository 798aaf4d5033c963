import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { conform } from '../schema/conform.ts';
import { messageNames, messageSchema } from '../schema/schema.ts';
import { imageTag } from './core/pod/defaults.ts';
import { applyDefaults } from './defaults.ts';
import { messageFacet } from './index.ts';

function defaulted(message: string, object: JsonValue): JsonObject {
  const schema = messageSchema(message);
  const conformed = conform(object, schema).object;
  applyDefaults(conformed, schema);
  return conformed;
}

describe('defaults', () => {
  it('complete a minimal pod as upstream does', () => {
    const pod = defaulted('Pod', {
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    });
    assert.deepEqual(pod, {
      metadata: { name: 'a' },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'x',
            imagePullPolicy: 'Always',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        enableServiceLinks: true,
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
      status: {},
    });
  });

  it('reach probes, ports, volumes and projections', () => {
    const { spec } = defaulted('Pod', {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'x:1',
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: 80 } },
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } },
          },
        ],
        volumes: [
          { name: 'e' },
          { name: 's', secret: { secretName: 's' } },
          { name: 'p', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
          { name: 'h', hostPath: { path: '/' } },
        ],
      },
    }) as { spec: JsonObject };
    const [container] = spec['containers'] as JsonObject[];
    assert.equal(container!['imagePullPolicy'], 'IfNotPresent');
    assert.deepEqual(container!['ports'], [{ containerPort: 80, protocol: 'TCP' }]);
    assert.deepEqual(container!['livenessProbe'], {
      httpGet: { path: '/', port: 80, scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    });
    assert.deepEqual(container!['env'], [
      { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    ]);
    assert.deepEqual(container!['resources'], {
      limits: { cpu: '1', memory: '1Gi' },
      requests: { cpu: '500m', memory: '1Gi' },
    });
    assert.deepEqual(spec['volumes'], [
      { name: 'e', emptyDir: {} },
      { name: 's', secret: { secretName: 's', defaultMode: 420 } },
      {
        name: 'p',
        projected: {
          sources: [{ serviceAccountToken: { expirationSeconds: 3600, path: 't' } }],
          defaultMode: 420,
        },
      },
      { name: 'h', hostPath: { path: '/', type: '' } },
    ]);
  });

  it('keep what was said, zero included where zero can be said', () => {
    const pod = defaulted('Pod', {
      spec: { containers: [], terminationGracePeriodSeconds: 0, restartPolicy: 'Never' },
    });
    const spec = pod['spec'] as JsonObject;
    assert.equal(spec['terminationGracePeriodSeconds'], 0);
    assert.equal(spec['restartPolicy'], 'Never');
  });

  it('are the same when applied again', () => {
    for (const name of ['Pod', 'Service', 'Deployment', 'Job', 'Namespace', 'StatefulSet', 'NetworkPolicy']) {
      const once = defaulted(name, { metadata: { name: 'a' }, spec: {} });
      const twice = structuredClone(once);
      applyDefaults(twice, messageSchema(name));
      assert.deepEqual(twice, once, name);
    }
  });

  it('label a namespace with its name', () => {
    const { metadata } = defaulted('Namespace', { metadata: { name: 'a' } }) as { metadata: JsonObject };
    assert.deepEqual(metadata['labels'], { 'kubernetes.io/metadata.name': 'a' });
  });

  it('send a service to the port of the same number', () => {
    const { spec } = defaulted('Service', { spec: { ports: [{ port: 80 }] } }) as { spec: JsonObject };
    assert.deepEqual(spec['ports'], [{ protocol: 'TCP', port: 80, targetPort: 80 }]);
    assert.equal(spec['internalTrafficPolicy'], 'Cluster');
    assert.equal(spec['externalTrafficPolicy'], undefined);
  });

  it('call an address of a load balancer a virtual one', () => {
    const loadBalancer: JsonObject = { ingress: [{ ip: '203.0.113.1' }, { hostname: 'a.example' }] };
    const service = { spec: { type: 'LoadBalancer' }, status: { loadBalancer } };
    const { status } = defaulted('Service', service) as { status: JsonObject };
    const ingress = [{ ip: '203.0.113.1', ipMode: 'VIP' }, { hostname: 'a.example' }];
    assert.deepEqual(status, { loadBalancer: { ingress } });
  });

  it('roll a deployment by quarters', () => {
    const { spec } = defaulted('Deployment', { spec: { template: {} } }) as { spec: JsonObject };
    assert.deepEqual(spec['strategy'], {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
    });
    assert.equal(spec['replicas'], 1);
  });

  it('turn the texts of a secret into data', () => {
    const secret = defaulted('Secret', { data: { a: 'YQ==' }, stringData: { a: 'b', c: 'd' } });
    assert.deepEqual(secret['data'], { a: 'Yg==', c: 'ZA==' });
    assert.equal(secret['stringData'], undefined);
  });

  it('keep the address and the list of addresses of a pod together', () => {
    const status = (given: JsonObject) => defaulted('Pod', { status: given })['status'];
    const both = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
    assert.deepEqual(status({ podIP: '10.0.0.1' }), both);
    assert.deepEqual(status({ podIPs: [{ ip: '10.0.0.1' }] }), both);
  });

  it('leave the job of a cron job to the job', () => {
    const { spec } = defaulted('CronJob', { spec: { jobTemplate: { spec: {} } } }) as {
      spec: { jobTemplate: { spec: JsonObject } };
    };
    assert.equal(spec.jobTemplate.spec['backoffLimit'], undefined);
    assert.equal((defaulted('Job', {})['spec'] as JsonObject)['backoffLimit'], 6);
  });

  it('name messages and fields that exist', () => {
    const constantDefaults = messageFacet('defaults');
    const computedDefaults = messageFacet('computedDefaults');
    for (const name of [...Object.keys(constantDefaults), ...Object.keys(computedDefaults)]) {
      assert.ok(messageNames.includes(name), name);
    }
    for (const [name, fields] of Object.entries(constantDefaults)) {
      const { jsonFields } = messageSchema(name);
      for (const field of Object.keys(fields)) assert.ok(jsonFields.has(field), `${name}.${field}`);
    }
  });

  const tags: [image: string, tag: string][] = [
    ['busybox', 'latest'],
    ['busybox:1', '1'],
    ['host:5000/busybox', 'latest'],
    ['host:5000/busybox:2', '2'],
    ['busybox@sha256:abc', ''],
    ['busybox:latest@sha256:abc', 'latest'],
    ['', ''],
    ['UPPER/Case', ''],
    ['host.io/a/b__c:1.0', '1.0'],
  ];
  for (const [image, tag] of tags)
    it(`find the tag "${tag}" in "${image}"`, () => assert.equal(imageTag(image), tag));
});
