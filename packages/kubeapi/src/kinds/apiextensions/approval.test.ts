import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition } from '../../generated/types.ts';
import { approvalCondition } from './approval.ts';

const condition = (group: string, text?: string) => {
  const annotations = text === undefined ? {} : { 'api-approved.kubernetes.io': text };
  return approvalCondition({ metadata: { annotations }, spec: { group } } as CustomResourceDefinition);
};

test('definitions in groups of Kubernetes tell who has agreed to them', () => {
  assert.deepEqual(condition('gateway.networking.k8s.io', 'https://example.com/pull/1'), {
    ...{ status: 'True', reason: 'ApprovedAnnotation', message: 'approved in https://example.com/pull/1' },
  });
  assert.deepEqual(condition('a.k8s.io', 'unapproved, a test'), {
    ...{ status: 'False', reason: 'UnapprovedAnnotation', message: 'not approved: "unapproved, a test"' },
  });
  assert.equal(condition('a.kubernetes.io')?.reason, 'MissingAnnotation');
  assert.equal(condition('a.kubernetes.io', 'yes')?.reason, 'InvalidAnnotation');
  assert.equal(condition('x-k8s.io', 'yes'), undefined);
});
