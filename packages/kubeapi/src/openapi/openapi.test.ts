import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageFacet } from '../kinds/index.ts';
import { resources } from '../schema/resources.ts';
import { messageSchema } from '../schema/schema.ts';
import { metadataDescriptions } from './descriptions-metadata.ts';
import { OpenApiDocuments } from './documents.ts';

interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string }[]; [extension: string]: unknown }>>;
  components: {
    schemas: Record<
      string,
      {
        required?: string[];
        properties: Record<string, object>;
        description: string;
        [extension: string]: unknown;
      }
    >;
  };
}

const documents = new OpenApiDocuments(resources);
const read = (name: string): Document => JSON.parse(documents.document(name)!.body);
const core = read('api/v1');

describe('OpenAPI documents', () => {
  it('are listed with a hash that names their version', () => {
    const { paths } = documents.index() as { paths: Record<string, { serverRelativeURL: string }> };
    const { hash } = documents.document('apis/apps/v1')!;
    assert.match(hash, /^[0-9A-F]{128}$/);
    assert.equal(paths['apis/apps/v1']!.serverRelativeURL, `/openapi/v3/apis/apps/v1?hash=${hash}`);
    assert.equal(documents.document('apis/none/v1'), undefined);
  });

  it('hold no empty lists and maps, which a reader in Go writes back as none', () => {
    assert.ok(core.paths['/api/v1/nodes']);
    for (const name of ['api/v1', 'apis/apps/v1', 'apis/apiextensions.k8s.io/v1'])
      assert.doesNotMatch(
        documents.document(name)!.body.toString(),
        /"(parameters|properties)":(\[\]|\{\})/,
        name,
      );
  });

  it('tell kubectl that PATCH knows fieldValidation', () => {
    const patch = core.paths['/api/v1/namespaces/{namespace}/pods/{name}']!['patch']!;
    assert.ok(patch.parameters!.some(({ name }) => name === 'fieldValidation'));
    assert.deepEqual(patch['x-kubernetes-group-version-kind'], { group: '', version: 'v1', kind: 'Pod' });
    assert.equal(patch['x-kubernetes-action'], 'patch');
  });

  it('tell of the paths that watched before lists did, but for custom resources', () => {
    const actions = Object.entries(core.paths)
      .filter(([path]) => /^\/api\/v1\/watch\/.*(pods|nodes)/.test(path))
      .map(([path, item]) => [path, item['get']!['x-kubernetes-action']]);
    assert.deepEqual(Object.fromEntries(actions), {
      '/api/v1/watch/namespaces/{namespace}/pods': 'watchlist',
      '/api/v1/watch/namespaces/{namespace}/pods/{name}': 'watch',
      '/api/v1/watch/nodes': 'watchlist',
      '/api/v1/watch/nodes/{name}': 'watch',
      '/api/v1/watch/pods': 'watchlist',
    });
    const things = { ...resources.find(({ plural }) => plural === 'leases')!, group: 'example.com' };
    const custom = { object: 'Thing', list: 'ThingList', schemas: {} };
    const { paths } = JSON.parse(
      new OpenApiDocuments([things], () => custom).document(`apis/example.com/${things.version}`)!.body,
    );
    assert.deepEqual(
      Object.keys(paths).filter((path) => path.includes('/watch/')),
      [],
    );
  });

  it('carry merge keys, list types and required fields', () => {
    const { properties, required } = core.components.schemas['io.k8s.api.core.v1.PodSpec']!;
    assert.deepEqual(required, ['containers']);
    const { description: _, ...containers } = properties['containers'] as { description: string };
    assert.deepEqual(containers, {
      type: 'array',
      items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }], default: {} },
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
  });

  it('say of a kind which one it is', () => {
    assert.deepEqual(core.components.schemas['io.k8s.api.core.v1.Pod']!['x-kubernetes-group-version-kind'], [
      { group: '', kind: 'Pod', version: 'v1' },
    ]);
  });

  it('say of a value of any type what it is', () => {
    const { body } = documents.document('apis/apiextensions.k8s.io/v1')!;
    const { components } = JSON.parse(body) as Document;
    const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON';
    assert.ok(components.schemas[name]);
    const { properties } = components.schemas[name.replace(/JSON$/, 'JSONSchemaProps')]!;
    const reference = { $ref: `#/components/schemas/${name}` };
    assert.deepEqual((properties['default'] as { allOf: object[] }).allOf, [reference]);
    assert.deepEqual((properties['enum'] as { items: object }).items, reference);
  });

  it('refer to nothing that is missing', () => {
    for (const { group, version } of resources) {
      const { body } = documents.document(group === '' ? `api/${version}` : `apis/${group}/${version}`)!;
      const { components } = JSON.parse(body) as Document;
      for (const [, name] of body.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
        assert.ok(components.schemas[name!], name);
    }
  });

  it('describe every field of a pod spec, a container and metadata', () => {
    for (const name of [
      'api.core.v1.PodSpec',
      'api.core.v1.Container',
      'apimachinery.pkg.apis.meta.v1.ObjectMeta',
    ]) {
      const { properties } = core.components.schemas[`io.k8s.${name}`]!;
      const silent = Object.entries(properties)
        .filter(([, schema]) => !('description' in schema))
        .map(([field]) => field);
      assert.ok(silent.length <= 4, `${name}: ${silent}`);
    }
  });

  it('describe only what exists', () => {
    const all = { ...metadataDescriptions, ...messageFacet('descriptions') };
    for (const [message, fields] of Object.entries(all)) {
      const { jsonFields } = messageSchema(message);
      for (const field of Object.keys(fields))
        assert.ok(field === '' || jsonFields.has(field), `${message}.${field}`);
    }
  });
});
