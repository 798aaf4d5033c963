import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { widgetDefinition } from '../../test/custom-definitions.ts';
import { TestServer } from '../../test/test-server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string, spec: object, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
  ...more,
});
interface Definition {
  status: { conditions: { type: string; reason: string }[] };
}

const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

describe('custom resources', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const conditionsOf = async (name: string) => {
    const { body } = await server.request('GET', `${definitions}/${name}`);
    return Object.fromEntries(
      (body.status?.conditions ?? []).map(({ type, status }: { type: string; status: string }) => [
        type,
        status,
      ]),
    );
  };
  const until = async (holds: () => Promise<boolean>) => {
    for (let attempt = 0; attempt < 200; attempt++) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.fail('it never came to be');
  };
  const define = async (body: object, name: string) => {
    const answer = await server.request('POST', definitions, { body });
    assert.equal(answer.status, 201, answer.text);
    await until(async () => (await conditionsOf(name))['Established'] === 'True');
    return answer;
  };

  it('a definition is established at once, and then served', async () => {
    await server.request('POST', definitions, { body: {} });
    const startMs = performance.now();
    await define(widgetDefinition(), 'widgets.example.com');
    const tookMs = performance.now() - startMs;
    // About 15 ms, but the first one loads what reads patterns; the bound leaves room for a busy machine.
    assert.ok(tookMs < 500, `${tookMs} ms`);
    assert.deepEqual(await conditionsOf('widgets.example.com'), {
      NamesAccepted: 'True',
      Established: 'True',
    });
    const { body } = await server.request('GET', '/apis/example.com/v1');
    assert.deepEqual(
      body.resources.map(({ name }: { name: string }) => name),
      ['widgets', 'widgets/scale', 'widgets/status'],
    );
    // sha256 of example.com/v1/Widget, its first 8 bytes.
    assert.equal(body.resources[0].storageVersionHash, 'gIwvi5rymmg=');
    const { body: group } = await server.request('GET', '/apis/example.com');
    assert.equal(group.preferredVersion.version, 'v1');
    const stored = await server.request('GET', `${definitions}/widgets.example.com`);
    assert.deepEqual(stored.body.status.storedVersions, ['v1']);
    assert.equal(stored.body.status.acceptedNames.listKind, 'WidgetList');
  });

  it('what the schema does not name is left out and told of, what is absent is filled in', async () => {
    const body = widget('one', {
      ...{ color: 'red', unknown: 1, port: 'http', extra: { any: { thing: [1] } } },
      parts: [{ name: 'a' }],
    });
    const answer = await server.request('POST', widgets, { body });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers['warning'], '299 - "unknown field \\"spec.unknown\\""');
    assert.deepEqual(answer.body.spec, {
      ...{ color: 'red', port: 'http', extra: { any: { thing: [1] } }, size: 1 },
      parts: [{ name: 'a', weight: 1.5 }],
    });
    assert.equal(answer.body.metadata.generation, 1);
    const strict = await server.request('POST', `${widgets}?fieldValidation=Strict`, {
      body: widget('strict', { color: 'red', unknown: 1 }),
    });
    assert.equal(strict.status, 400);
    assert.match(strict.body.message, /strict decoding error: unknown field "spec.unknown"/);
  });

  it('of objects inside, metadata that nobody knows are told of as well', async () => {
    const template = { apiVersion: 'v1', kind: 'Sub', metadata: { name: 'a', mine: 1 } };
    const body = widget('around', { color: 'red', template });
    const strict = await server.request('POST', `${widgets}?fieldValidation=Strict`, { body });
    assert.equal(strict.status, 400);
    assert.match(strict.body.message, /unknown field "spec.template.metadata.mine"/);
    const { headers, ...answer } = await server.request('POST', widgets, { body });
    assert.equal(headers['warning'], '299 - "unknown field \\"spec.template.metadata.mine\\""');
    assert.deepEqual(answer.body.spec.template.metadata, { name: 'a' });
  });

  it('finalizers may carry any name that is qualified, with a domain or without', async () => {
    const made = (name: string, finalizer: string) =>
      server.request('POST', `${widgets}?dryRun=All`, {
        body: { ...widget(name, { color: 'red' }), metadata: { name, finalizers: [finalizer] } },
      });
    assert.equal((await made('kept', 'mine')).status, 201);
    assert.match(
      (await made('bad', 'not mine')).body.message,
      /metadata.finalizers: Invalid value: "not mine"/,
    );
  });

  it('what does not say its kind and version is refused', async () => {
    const { kind, apiVersion, ...nothing } = widget('mute', { color: 'red' }) as Record<string, unknown>;
    const refusal = async (body: object) => (await server.request('POST', widgets, { body })).body.message;
    assert.match(await refusal({ apiVersion, ...nothing }), /Object 'Kind' is missing in '\{"apiVersion":/);
    assert.equal(
      await refusal({ kind, ...nothing }),
      'the API version in the data () does not match the expected API version (example.com/v1)',
    );
  });

  it('an item without the key of its list is refused as what it is', async () => {
    const body = widget('keyless', { color: 'red', parts: [{ weight: 1 }] });
    const { status, text } = await server.request('POST', widgets, { body });
    assert.equal(status, 422, text);
    assert.match(text, /spec.parts\[0\].name: Required value/);
  });

  it('what the schema forbids is refused field by field', async () => {
    const spec = { color: 'pink', size: 11, name: 'No', port: true, parts: [{ name: 'a' }, { name: 'a' }] };
    const { status, body } = await server.request('POST', widgets, { body: widget('bad', spec) });
    assert.equal(status, 422);
    const causes = body.details.causes.map(({ reason, field }: { reason: string; field: string }) => [
      field,
      reason,
    ]);
    assert.deepEqual(causes.sort(), [
      ['spec.color', 'FieldValueNotSupported'],
      ['spec.name', 'FieldValueInvalid'],
      ['spec.parts[1]', 'FieldValueDuplicate'],
      ['spec.port', 'FieldValueTypeInvalid'],
      ['spec.size', 'FieldValueInvalid'],
    ]);
  });

  it('status and scale are sub-resources, and only the rest counts generations', async () => {
    const path = `${widgets}/one`;
    const patch = (where: string, body: object) =>
      server.request('PATCH', `${path}${where}`, { body, type: merge });
    const status = { size: 1, selector: 'app=one', conditions: [{ type: 'Ready', status: 'True' }] };
    assert.equal((await patch('', { status })).body.status, undefined);
    const changed = await patch('/status', { status, spec: { color: 'blue' } });
    assert.deepEqual([changed.body.status.size, changed.body.spec.color], [1, 'red']);
    assert.equal(changed.body.metadata.generation, 1);
    const scaled = await patch('/scale', { spec: { replicas: 4 } });
    assert.deepEqual(
      [scaled.body.kind, scaled.body.spec.replicas, scaled.body.status],
      ['Scale', 4, { replicas: 1, selector: 'app=one' }],
    );
    const { body } = await server.request('GET', path);
    assert.deepEqual([body.spec.size, body.metadata.generation], [4, 2]);
  });

  it('without a number of replicas have no scale to get, and one to change', async () => {
    const names = { plural: 'gauges', kind: 'Gauge' };
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { scale } }];
    const definition = { metadata: { name: 'gauges.sizes.test' } };
    await define(
      { ...definition, spec: { group: 'sizes.test', scope: 'Namespaced', names, versions } },
      definition.metadata.name,
    );
    const gauges = '/apis/sizes.test/v1/namespaces/default/gauges';
    for (const [name, method, type] of [
      ['patched', 'PATCH', merge],
      ['replaced', 'PUT', 'application/json'],
    ] as const) {
      const gauge = { apiVersion: 'sizes.test/v1', kind: 'Gauge', metadata: { name } };
      assert.equal((await server.request('POST', gauges, { body: gauge })).status, 201);
      const { status, body } = await server.request('GET', `${gauges}/${name}/scale`);
      assert.deepEqual([status, body.message.includes('does not exist')], [500, true]);
      const ask = { type, body: { metadata: { name }, spec: { replicas: 2 } } };
      const scaled = await server.request(method, `${gauges}/${name}/scale`, ask);
      assert.deepEqual([scaled.status, scaled.body.spec?.replicas], [200, 2], scaled.text);
    }
    const negative = {
      apiVersion: 'sizes.test/v1',
      kind: 'Gauge',
      metadata: { name: 'less' },
      spec: { size: -1 },
    };
    const refused = await server.request('POST', gauges, { body: negative });
    assert.deepEqual(
      [refused.status, refused.body.details.causes],
      [
        422,
        [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: -1: should be a non-negative integer',
            field: '.spec.size',
          },
        ],
      ],
    );
    await server.request('DELETE', `${definitions}/gauges.sizes.test`);
  });

  it('server-side apply merges lists by the schema and names conflicts', async () => {
    const send = (manager: string, spec: object) =>
      server.request('PATCH', `${widgets}/applied?fieldManager=${manager}`, {
        ...{ type: apply, body: widget('applied', spec) },
      });
    assert.equal((await send('ann', { color: 'red', parts: [{ name: 'a', weight: 2 }] })).status, 201);
    const second = await send('bob', { color: 'red', parts: [{ name: 'b' }] });
    assert.deepEqual(second.body.spec.parts, [
      { name: 'a', weight: 2 },
      { name: 'b', weight: 1.5 },
    ]);
    const third = await send('bob', { color: 'blue' });
    assert.equal(third.status, 409);
    assert.match(third.body.message, /conflict with "ann": .spec.color/);
  });

  it('who applies a null where there may be none, and no default, is refused; who writes one otherwise is not', async () => {
    const body = widget('nothing', { color: 'red', parts: null, size: null });
    const path = `${widgets}/nothing?fieldManager=ann&force=true`;
    const refused = await server.request('PATCH', path, { type: apply, body });
    assert.equal(refused.status, 422);
    assert.match(
      refused.body.message,
      /spec.parts: Invalid value: "null": spec.parts in body must be of type array/,
    );
    const created = await server.request('POST', widgets, { body });
    assert.deepEqual([created.status, created.body.spec], [201, { color: 'red', size: 1 }]);
    assert.equal((await server.request('PATCH', path, { type: apply, body })).status, 422);
  });

  it('every version shows the same objects under its own apiVersion, an old one with a warning', async () => {
    const { body, headers } = await server.request('GET', `${widgets.replace('/v1/', '/v1beta1/')}`);
    assert.equal(
      headers['warning'],
      '299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"',
    );
    assert.deepEqual([body.kind, body.apiVersion], ['WidgetList', 'example.com/v1beta1']);
    for (const item of body.items)
      assert.deepEqual([item.kind, item.apiVersion], ['Widget', 'example.com/v1beta1']);
  });

  it('selectable fields select, others do not', async () => {
    const named = async (selector: string) =>
      (await server.request('GET', `${widgets}?fieldSelector=${selector}`)).body;
    await server.request('POST', widgets, { body: widget('green', { color: 'green' }) });
    const found = await named('spec.color%3Dgreen');
    assert.deepEqual(
      found.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['green'],
    );
    assert.equal((await named('spec.size%3D1')).message, 'field label not supported: spec.size');
  });

  it('forms that need a built-in type are refused', async () => {
    const protobuf = 'application/vnd.kubernetes.protobuf';
    assert.equal((await server.request('GET', widgets, { accept: protobuf })).status, 406);
    assert.equal(
      (await server.request('GET', widgets, { accept: `${protobuf},application/json` })).status,
      200,
    );
    const type = 'application/strategic-merge-patch+json';
    assert.equal((await server.request('PATCH', `${widgets}/one`, { body: {}, type })).status, 415);
    assert.equal((await server.request('POST', widgets, { body: 'x', type: protobuf })).status, 415);
    const table = await server.request('GET', widgets, {
      accept: `${protobuf};as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io`,
    });
    assert.equal(table.status, 200);
  });

  it('the real kubectl creates, applies, gets, explains and deletes', async () => {
    const kubectl = async (args: string[], input?: object) => {
      const { code, stdout, stderr } = await server.kubectl(
        args,
        input ? { input: JSON.stringify(input) } : {},
      );
      assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    const object = widget('two', { color: 'blue' });
    await kubectl(['create', '--dry-run=server', '-f', '-'], object);
    await kubectl(['create', '-f', '-'], object);
    await kubectl(['apply', '-f', '-'], widget('two', { color: 'green', size: 3 }));
    await kubectl(
      ['apply', '--server-side', '--force-conflicts', '-f', '-'],
      widget('two', { color: 'red' }),
    );
    await kubectl(['scale', 'widget/two', '--replicas=5']);
    const table = await kubectl(['get', 'wd', '-o', 'wide']);
    assert.match(table, /^NAME +COLOR +READY +SIZE\n/);
    assert.match(table, /\none +red +True +4\n/);
    assert.match(table, /\ntwo +red +5\n/);
    assert.match(await kubectl(['get', 'all']), /widget.example.com\/two/);
    assert.match(await kubectl(['explain', 'widget.spec.color']), /How it looks/);
    assert.match(await kubectl(['explain', 'crd.spec.versions']), /storage/);
    await kubectl(['delete', 'widget', 'two']);
    const { code, stderr } = await server.kubectl(['create', '-f', '-'], {
      input: JSON.stringify(widget('three', { color: 'red', colour: 'red' })),
    });
    assert.equal(code, 1);
    assert.match(stderr, /unknown field "spec.colour"/);
  });

  it('names that another definition or a built-in resource has are not given', async () => {
    const other = widgetDefinition({
      group: 'example.com',
      names: { plural: 'gadgets', kind: 'Widget', shortNames: ['wd'] },
    });
    const body = { ...other, metadata: { name: 'gadgets.example.com' } };
    await server.request('POST', definitions, { body });
    await until(async () => (await conditionsOf('gadgets.example.com'))['NamesAccepted'] === 'False');
    assert.equal((await conditionsOf('gadgets.example.com'))['Established'], 'False');
    assert.equal((await server.request('GET', '/apis/example.com/v1/gadgets')).status, 404);
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
    const builtIn = widgetDefinition({
      group: 'networking.k8s.io',
      names: { plural: 'ingresses', kind: 'Ingress' },
    });
    const taken = { ...builtIn, metadata: { name: 'ingresses.networking.k8s.io', annotations } };
    const answer = await server.request('POST', definitions, { body: taken });
    assert.equal(answer.status, 201, answer.text);
    await until(async () => (await conditionsOf('ingresses.networking.k8s.io'))['NamesAccepted'] === 'False');
    const { KubernetesAPIApprovalPolicyConformant: isApproved } = await conditionsOf(
      'ingresses.networking.k8s.io',
    );
    assert.equal(isApproved, 'False', 'nobody has agreed to it');
    for (const name of ['gadgets.example.com', 'ingresses.networking.k8s.io']) {
      await server.request('DELETE', `${definitions}/${name}`);
      await until(async () => (await server.request('GET', `${definitions}/${name}`)).status === 404);
    }
  });

  it('a changed schema counts from then on, and what it no longer names is not shown', async () => {
    const { body } = await server.request('GET', `${definitions}/widgets.example.com`);
    for (const { schema } of body.spec.versions)
      delete schema.openAPIV3Schema.properties.spec.properties.port;
    const put = await server.request('PUT', `${definitions}/widgets.example.com`, { body });
    assert.equal(put.status, 200, put.text);
    await until(async () => (await server.request('GET', `${widgets}/one`)).body.spec.port === undefined);
  });

  it('objects and definitions are there after a restart', async () => {
    await server.restart();
    assert.equal((await server.request('GET', `${widgets}/one`)).body.spec.color, 'red');
  });

  it('lists say how they go on also where they do not, for programs that read that field', async () => {
    const whole = await server.request('GET', widgets);
    assert.equal(whole.body.metadata.continue, '');
    const builtIn = await server.request('GET', '/api/v1/namespaces/default/configmaps');
    assert.equal(builtIn.body.metadata.continue, undefined);
  });

  it('a definition takes its objects with it, waits for their finalizers, and leaves no rest', async () => {
    const body = widget('held', { color: 'red' });
    Object.assign(body.metadata, { finalizers: ['example.com/hold'] });
    await server.request('POST', widgets, { body });
    const deleted = await server.request('DELETE', `${definitions}/widgets.example.com`);
    const reasonOf = (object: Definition) =>
      object.status.conditions.find(({ type }) => type === 'Terminating')?.reason;
    assert.equal(reasonOf(deleted.body), 'InstanceDeletionPending');
    const kept = async () => (await server.request('GET', `${definitions}/widgets.example.com`)).body;
    await until(async () => reasonOf(await kept()) === 'InstanceDeletionInProgress');
    const late = await server.request('POST', widgets, { body: widget('late', { color: 'red' }) });
    assert.equal(late.status, 405, late.text);
    await until(async () => (await server.request('GET', widgets)).body.items.length === 1);
    await server.request('PATCH', `${widgets}/held`, {
      body: { metadata: { finalizers: null } },
      type: merge,
    });
    await until(
      async () => (await server.request('GET', `${definitions}/widgets.example.com`)).status === 404,
    );
    await until(async () => (await server.request('GET', '/apis/example.com/v1')).status === 404);
    await define(widgetDefinition(), 'widgets.example.com');
    assert.deepEqual((await server.request('GET', widgets)).body.items, []);
  });
});
