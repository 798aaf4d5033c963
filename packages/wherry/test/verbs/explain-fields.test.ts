/** `explain` of types and fields, and the real kubectl. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Ended } from '../in-process.ts';
import { Served } from './served.ts';

let served: Served;

const words = 'word '.repeat(40);
const size = {
  type: 'string',
  enum: ['', 'small', 'medium', 'large', 'huge'],
  description: 'How big it is.',
};
const manual = {
  ...{ type: 'object', description: 'How it is used.' },
  externalDocs: { description: `All of it. ${words}`, url: 'https://example.com/manual' },
  properties: { page: { type: 'integer', externalDocs: { url: 'https://example.com/pages' } } },
};
const gadget = {
  type: 'object',
  description: `A gadget.\n\n  * ${words}\n${'long'.repeat(30)} behind a long word`,
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size,
        counts: { type: 'object', additionalProperties: { type: 'integer' } },
        parts: {
          ...{ type: 'array', description: 'What it is made of.' },
          items: {
            ...{ type: 'object', description: 'One part.' },
            properties: { manual, port: { 'x-kubernetes-int-or-string': true } },
          },
        },
        anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

before(async () => {
  served = await Served.start();
  await served.client.create({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'gadgets.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced' },
      names: { kind: 'Gadget', plural: 'gadgets', shortNames: ['gd'] },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: gadget } }],
    },
  });
  await served.client.waitFor('crd/gadgets.example.com', 'Established');
});
after(() => served?.close());

/** Every line that is printed, and what is said instead, in front of which kubectl does not always write what it is. */
const told = ({ code, stdout, stderr }: Ended) => ({
  ...{ code, stdout },
  stderr: stderr
    .replaceAll('kubectl', 'wherry')
    .replace(/^error: /, '')
    .trimEnd(),
});

async function typeLines(...lines: string[]): Promise<void> {
  for (const line of lines) {
    const theirs = await served.server.kubectl(line.split(' '));
    assert.deepEqual(told(await served.run(line)), told(theirs), line);
  }
}

/** Older ones write types and values otherwise. */
async function hasPeer(): Promise<boolean> {
  const { stdout } = await served.server.kubectl(['version', '--client', '-o', 'json']);
  return Number.parseInt(JSON.parse(stdout).clientVersion.minor, 10) >= 32;
}

test('explain prints types and fields as kubectl does', async (context) => {
  if (!(await hasPeer())) return context.skip('kubectl before 1.32 prints them otherwise');
  await typeLines(
    'explain pods',
    'explain pod --recursive',
    'explain po.spec.containers --recursive',
    'explain Pod.spec.containers.env.valueFrom',
    'explain pod.spec.restartPolicy',
    'explain pod.metadata.labels',
    'explain pods.',
    'explain deploy.spec',
    'explain deployments.apps.spec.strategy.rollingUpdate',
    'explain hpa.spec --api-version=autoscaling/v1',
    'explain crd.spec.versions.schema.openAPIV3Schema',
    'explain crd --recursive',
  );
});

test('explain prints custom resources as kubectl does', async (context) => {
  if (!(await hasPeer())) return context.skip('kubectl before 1.32 prints them otherwise');
  await typeLines(
    'explain gadgets',
    'explain gadget --recursive',
    'explain gd.spec',
    'explain gadgets.example.com.spec.size',
    'explain gd.spec.parts.port --api-version=example.com/v1',
    'explain gd.spec.counts',
    'explain gd.spec.anything',
  );
});

test('explain tells of documentation that stands elsewhere, as kubectl since 1.36', async () => {
  const { stdout } = await served.run('explain gd.spec.parts.manual');
  const long = (count: number) => 'word '.repeat(count).trimEnd();
  assert.equal(
    stdout,
    `GROUP:      example.com
KIND:       Gadget
VERSION:    v1

FIELD: manual <Object>


DESCRIPTION:
    How it is used.
    

EXTERNAL DOCS:
    All of it. ${long(13)}
    ${long(15)}
    ${long(12)} 
    URL: https://example.com/manual
FIELDS:
  page\t<integer>
    <no description>

    EXTERNAL DOCS:
      URL: https://example.com/pages


`,
  );
});

test('explain refuses in the words of kubectl', async (context) => {
  if (!(await hasPeer())) return context.skip('kubectl before 1.32 says it otherwise');
  await typeLines(
    'explain',
    'explain nope.spec',
    'explain pod.spec.nope',
    'explain gd.spec.anything.nope',
    'explain pod.spec.containers[0]',
    'explain pod.*',
    'explain pods --api-version=v2',
    'explain pods --api-version=a/b/c',
    'explain deployments.apps.spec --api-version=apps/v1',
    'explain pods -o foo',
  );
});

const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `error: ${stderr}\n` });

test('explain names what it does not do', async () => {
  assert.deepEqual(
    await served.run('explain pods -o plaintext-openapiv2'),
    failed(
      '--output=plaintext-openapiv2 is not there: wherry explains by /openapi/v3 alone, as --output=plaintext does',
    ),
  );
  assert.deepEqual(
    await served.run('explain deploy web'),
    failed('We accept only this format: explain RESOURCE; or of a pod: explain pod NAME'),
  );
  for (const [flag, name] of [
    ['-R', '--recursive'],
    ['--api-version=v1', '--api-version'],
  ])
    assert.deepEqual(
      await served.run(`explain pod web ${flag}`),
      failed(`${name} is about fields, as in "wherry explain pod"; a pod by its name has none`),
    );
  assert.match((await served.run('explain .')).stderr, /doesn't have a resource type ""/);
  assert.match((await served.run('explain pod/nope')).stderr, /pods "nope" not found/);
});
