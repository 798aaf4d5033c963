import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, pod } from '../../../test/builders.ts';
import type { RuntimeHealth } from '../../reporting/node/runtime-health.ts';
import { RuntimeClasses } from './runtime-classes.ts';

/** What pods are promised by a runtime whose handlers can do this. */
function classes(features: { userNamespaces: boolean }) {
  const view = { name: 'r', version: '1', supplementalGroupsPolicy: false };
  const handlers = [{ name: '', features: { ...features, recursiveReadOnlyMounts: false } }];
  const health = { view: { ...view, handlers } } as unknown as RuntimeHealth;
  return new RuntimeClasses({ client: undefined, health });
}

const containers = [container('a')];

test('a pod with users of its own waits, in upstream’s words, where the runtime has none', async () => {
  const asking = pod({ containers, hostUsers: false });
  await assert.rejects(classes({ userNamespaces: false }).requireUserNamespaces(asking), {
    message: "can't set `spec.hostUsers: false`, runtime does not support user namespaces",
  });
  await classes({ userNamespaces: true }).requireUserNamespaces(asking);
  await classes({ userNamespaces: false }).requireUserNamespaces(pod({ containers }));
});
