import assert from 'node:assert/strict';
import { it } from 'node:test';
import { computeQualityOfService, qualityOfService } from './quality-of-service.ts';

type Amounts = Record<string, string>;
const pod = (...resources: { requests?: Amounts; limits?: Amounts }[]) => ({
  spec: { containers: resources.map((each, index) => ({ name: `c${index}`, resources: each })) },
});
const whole = { cpu: '1', memory: '1Gi' };

it('a pod is of a class by its requests and limits of cpu and memory', () => {
  assert.equal(computeQualityOfService(pod({})), 'BestEffort');
  assert.equal(computeQualityOfService(pod({ requests: { cpu: '1m' } })), 'Burstable');
  assert.equal(computeQualityOfService(pod({ requests: whole, limits: whole })), 'Guaranteed');
  assert.equal(computeQualityOfService(pod({ requests: whole, limits: whole }, {})), 'Burstable');
  assert.equal(computeQualityOfService(pod({ requests: { 'example.com/gpu': '1' } })), 'BestEffort');
});

it('a zero is as if nothing had been said', () => {
  assert.equal(
    computeQualityOfService(pod({ requests: { cpu: '0' }, limits: { memory: '0' } })),
    'BestEffort',
  );
});

it('equal amounts in other words are equal', () => {
  const other = { cpu: '1000m', memory: '1024Mi' };
  assert.equal(computeQualityOfService(pod({ requests: whole, limits: other })), 'Guaranteed');
});

it('what a pod declares for itself counts alone', () => {
  const { spec } = pod({ requests: whole, limits: whole });
  assert.equal(computeQualityOfService({ spec: { ...spec, resources: {} } }), 'BestEffort');
  assert.equal(computeQualityOfService({ spec: { ...spec, resources: { limits: whole } } }), 'Burstable');
});

it('the class in the status stays', () => {
  assert.equal(qualityOfService({ ...pod({}), status: { qosClass: 'Guaranteed' } }), 'Guaranteed');
});
