import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { CustomResourceDefinition } from '@wherry/kubeapi';
import { MetricsRegistry } from '@wherry/telemetry';
import { widgetDefinition } from '../../test/custom-definitions.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { Collection } from '../registry/collection.ts';
import type { WebhookClient } from '../webhooks/webhook-client.ts';
import { ConversionFigures } from './conversion/conversion-figures.ts';
import { Installations } from './installations.ts';

const definition = widgetDefinition() as CustomResourceDefinition;
const established = {
  ...definition,
  status: { conditions: [{ type: 'Established', status: 'True' }] },
} as CustomResourceDefinition;

function installations() {
  const catalog = new Catalog();
  const collect = (resource: Collection['resource']) => ({ resource }) as Collection;
  const conversionFigures = new ConversionFigures(new MetricsRegistry(), new FakeClock());
  const options = { catalog, collect, webhooks: {} as WebhookClient, conversionFigures };
  return { catalog, made: new Installations(options) };
}

it('a definition is served before discovery tells of it, and told of once it is established', () => {
  const { catalog, made } = installations();
  assert.equal(made.put('widgets.example.com', definition), undefined);
  assert.ok(catalog.find('example.com', 'v1', 'widgets'));
  assert.deepEqual(catalog.facts(), []);
  const before = catalog.generation;
  made.announce('widgets.example.com');
  assert.deepEqual(
    catalog.facts().map(({ version }) => version),
    ['v1', 'v1beta1'],
  );
  assert.equal(catalog.generation, before + 1);
  made.announce('widgets.example.com');
  assert.equal(catalog.generation, before + 1);
});

it('a definition that is established already is told of at once, as after a restart', () => {
  const { catalog, made } = installations();
  assert.equal(made.put('widgets.example.com', established), undefined);
  assert.equal(catalog.facts().length, 2);
});

it('watches of a definition’s objects go on when it is stored with its fields in another order, and end with another schema', () => {
  const { catalog, made } = installations();
  made.put('widgets.example.com', definition);
  const { retired } = catalog.find('example.com', 'v1', 'widgets')!;
  const spec = Object.fromEntries(Object.entries(definition.spec).toReversed());
  made.put('widgets.example.com', { ...definition, spec } as CustomResourceDefinition);
  assert.equal(retired?.aborted, false);
  const [first, ...others] = definition.spec.versions;
  const versions = [{ ...first!, deprecated: true }, ...others];
  made.put('widgets.example.com', { ...definition, spec: { ...definition.spec, versions } });
  assert.equal(retired?.aborted, true);
});
