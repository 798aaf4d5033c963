import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDataDir } from '@wherry/node';
import { nextSteps } from './next-steps.ts';

const node = { kubeconfig: '/x/kubeconfig', shared: undefined, demo: undefined, keepPods: false };

test('what can be typed next names the folder of a node that is not in the usual one', () => {
  const apart = nextSteps({ ...node, dataDir: '/x', isDetached: true });
  assert.match(apart, /^ {2}npx wherry image list --data-dir \/x$/m);
  assert.match(apart, /^npx wherry down --data-dir \/x ends it$/m);
  const usual = nextSteps({ ...node, dataDir: defaultDataDir, isDetached: false });
  assert.match(usual, /^ {2}npx wherry image list$/m);
  assert.match(usual, /^Ctrl-C ends the node and its pods$/m);
});
