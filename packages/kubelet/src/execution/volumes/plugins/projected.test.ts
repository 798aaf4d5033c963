import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectedVolumeSource } from '@wherry/kubeapi';
import { pod } from '../../../../test/builders.ts';
import type { PayloadSources } from '../../inputs/payload-sources.ts';
import type { VolumeRequest } from '../volume-plugin.ts';
import { projected } from './projected.ts';

function failureOf(sources: ProjectedVolumeSource['sources']): Promise<unknown> {
  const found = async (name: string) => (name === 'there' ? { data: { key: '' } } : undefined);
  const request = {
    ...{ pod: pod({ containers: [] }), name: 'v', source: { sources } },
    sources: { configMap: found, secret: found } as unknown as PayloadSources,
  } as unknown as VolumeRequest<ProjectedVolumeSource>;
  return projected.setUp(request).catch((error: Error) => error.message);
}

test('a projected volume tells all that is missing of it at once, what is optional left out', async () => {
  const missing = { secret: { name: 'nope' } };
  assert.equal(await failureOf([missing]), 'secret "nope" not found');
  const failure = await failureOf([
    missing,
    { configMap: { name: 'there', items: [{ key: 'other', path: 'p' }] } },
    { configMap: { name: 'nope', optional: true } },
    { configMap: { name: 'gone' } },
    missing,
  ]);
  assert.equal(
    failure,
    '[secret "nope" not found, configmap references non-existent config key: other, configmap "gone" not found]',
  );
});
