import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { confirmDeletion } from './confirm.ts';

const doomed = [
  { resource: resourceOfKind({ apiVersion: 'v1', kind: 'Pod' }), name: 'web', namespace: 'default' },
  { resource: resourceOfKind({ apiVersion: 'apps/v1', kind: 'Deployment' }), name: 'api', namespace: 'shop' },
];

async function ask(...said: string[]): Promise<{ isConfirmed: boolean; shown: string }> {
  const output = new PassThrough({ encoding: 'utf8' });
  const isConfirmed = await confirmDeletion(doomed, { input: Readable.from(said), output });
  return { isConfirmed, shown: String(output.read()) };
}

test('the question names what goes, in kubectl’s words', async () => {
  const { shown } = await ask('n\n');
  assert.equal(
    shown,
    'You are about to delete the following 2 resource(s):\npod/web\ndeployment.apps/api\nDo you want to continue? (y/N): ',
  );
});

test('a line that says y or Y and nothing else is a yes', async () => {
  for (const said of [['y\n'], ['Y\n'], ['y'], [' y \r\n'], ['y', '\n', 'n\n']])
    assert.equal((await ask(...said)).isConfirmed, true, JSON.stringify(said));
  for (const said of [[], ['\n'], ['n\n'], ['yes\n'], ['y y\n'], ['\ny\n']])
    assert.equal((await ask(...said)).isConfirmed, false, JSON.stringify(said));
});
