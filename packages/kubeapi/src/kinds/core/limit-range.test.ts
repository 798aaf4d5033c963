import assert from 'node:assert/strict';
import { it } from 'node:test';
import { limitRange } from './limit-range.ts';

it('limits that contradict each other are told of with both amounts, as upstream tells them', () => {
  const limits = [
    {
      type: 'Container',
      max: { cpu: '1', memory: '2Gi' },
      min: { cpu: '2', memory: '1Gi' },
      default: { cpu: '1500m' },
      defaultRequest: { cpu: '1600m' },
      maxLimitRequestRatio: { cpu: '800m', memory: '3' },
    },
  ];
  const found = limitRange.validate!({ metadata: { name: 'l' }, spec: { limits } } as never);
  const at = 'spec.limits[0].';
  assert.deepEqual(found.map(({ field, body }) => `${field}: ${body}`).sort(), [
    `${at}defaultRequest[cpu]: Invalid value: "1600m": default request value 1600m is greater than default limit value 1500m`,
    `${at}defaultRequest[cpu]: Invalid value: "1600m": default request value 1600m is greater than max value 1`,
    `${at}defaultRequest[cpu]: Invalid value: "1600m": min value 2 is greater than default request value 1600m`,
    `${at}default[cpu]: Invalid value: "1": default value 1500m is greater than max value 1`,
    `${at}default[cpu]: Invalid value: "2": min value 2 is greater than default value 1500m`,
    `${at}maxLimitRequestRatio[cpu]: Invalid value: "800m": ratio 800m is greater than max/min = 0.500000`,
    `${at}maxLimitRequestRatio[cpu]: Invalid value: "800m": ratio 800m is less than 1`,
    `${at}maxLimitRequestRatio[memory]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000`,
    `${at}min[cpu]: Invalid value: "2": min value 2 is greater than max value 1`,
  ]);
});
