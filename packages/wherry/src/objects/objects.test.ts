import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalog } from './catalog.ts';
import { parseManifests } from './manifests/manifests.ts';
import { parseTargets } from './targets.ts';

const resource = (plural: string, kind: string, more: object = {}) => ({
  ...{ group: '', version: 'v1', plural, kind, singular: kind.toLowerCase(), shortNames: [], categories: [] },
  ...{ namespaced: true, verbs: ['get'], ...more },
});
const catalog = new Catalog([
  resource('pods', 'Pod', { shortNames: ['po'], categories: ['all'] }),
  resource('events', 'Event'),
  resource('deployments', 'Deployment', { group: 'apps', shortNames: ['deploy'], categories: ['all'] }),
  resource('deployments', 'Deployment', { group: 'apps', version: 'v1beta1', categories: ['all'] }),
  resource('events', 'Event', { group: 'events.k8s.io' }),
]);

const meant = (...words: string[]) =>
  parseTargets(words, catalog).map(({ resource: { plural, version, group }, names }) =>
    [`${plural}.${version}.${group}`, ...names].join(' '),
  );

test('types are found by every name that they have', () => {
  for (const word of ['pods', 'pod', 'po', 'Pod', 'PODS']) assert.deepEqual(meant(word), ['pods.v1.']);
  assert.deepEqual(meant('events'), ['events.v1.']);
  assert.deepEqual(meant('events.events.k8s.io'), ['events.v1.events.k8s.io']);
  assert.deepEqual(meant('deployments.v1beta1.apps'), ['deployments.v1beta1.apps']);
  assert.deepEqual(meant('all'), ['pods.v1.', 'deployments.v1.apps']);
});

test('a whole name goes before a short one of another group, and short names of several warn of each', () => {
  const warned: string[] = [];
  const several = new Catalog(
    [
      resource('gadgets', 'Gadget', { group: 'a.com', shortNames: ['widgets', 'w'] }),
      resource('gadgets', 'Gadget', { group: 'a.com', version: 'v2', shortNames: ['widgets', 'w'] }),
      resource('widgets', 'Widget', { group: 'b.com', shortNames: ['w'] }),
    ],
    (text) => warned.push(text),
  );
  const groupOf = (word: string) => several.find(word)?.group;
  assert.deepEqual([groupOf('widgets'), warned], ['b.com', []]);
  assert.equal(groupOf('w'), 'a.com');
  assert.deepEqual(warned, ['short name "w" could also match lower priority resource widgets.b.com']);
  assert.equal(groupOf('w.b.com'), 'b.com');
});

test('a group is found by the beginning of its name, unless there is one of that name', () => {
  assert.deepEqual(meant('deploy.app'), ['deployments.v1.apps']);
  assert.deepEqual(meant('events.ev'), ['events.v1.events.k8s.io']);
  assert.throws(() => meant('deploy.pps'), /doesn't have a resource type/);
});

test('names follow a type, or stand behind a slash each', () => {
  assert.deepEqual(meant('po', 'a', 'b'), ['pods.v1. a b']);
  assert.deepEqual(meant('po/a', 'deploy/b'), ['pods.v1. a', 'deployments.v1.apps b']);
  assert.deepEqual(meant('po/a', 'pod/b', 'deploy/c'), ['pods.v1. a b', 'deployments.v1.apps c']);
  assert.throws(() => meant('po/a', 'b'), /no need to specify a resource type as a separate argument/);
  assert.throws(() => meant('po/a/b'), /may not have more than one slash/);
  assert.throws(() => meant('po,deploy/a'), /must have a single resource and name/);
  assert.throws(() => meant('gadgets'), /doesn't have a resource type "gadgets"/);
  assert.throws(() => meant('constructor'), /doesn't have a resource type/);
});

test('documents of a file are taken apart, each with its line', () => {
  const text =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\n\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: b}}\n';
  assert.deepEqual(
    parseManifests(text, 'pods.yaml').map(({ object, place }) => `${object.metadata.name} ${place}`),
    ['a pods.yaml:1', 'b pods.yaml:7'],
  );
});

test('JSON objects one behind the other are taken apart, and braces in strings are none', () => {
  const pod = (name: string) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { a: '}{"\\' } } }, null, 1);
  const places = (text: string) =>
    parseManifests(text, 'x').map(({ object, place }) => `${object.metadata.name} ${place}`);
  assert.deepEqual(places(`${pod('a')}${pod('b')}\n\n${pod('c')}\n`), ['a x:1', 'b x:10', 'c x:21']);
  assert.deepEqual(places(`${pod('a')}\n---\n${pod('b')}`), ['a x:1', 'b x:12']);
  const yaml = "{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {b: '}}{{'}}}";
  assert.deepEqual(places(yaml), ['a x:1']);
  assert.throws(() => places(`${pod('a')}{"kind":`), { name: 'CommandError' });
});

test('what is no object is refused with its file and line', () => {
  for (const [text, message] of [
    ['a: [1\nb: 2\n', /^x\.yaml:\d: Flow sequence/],
    ['\n\nkind: Pod\n', /^x\.yaml:3: Object 'apiVersion' is missing/],
    ['just words\n', /^x\.yaml:1: Object 'Kind' is missing/],
    ['apiVersion: v1\nkind: Pod\n', /^x\.yaml:1: Pod has no metadata/],
  ] as const) {
    assert.throws(() => parseManifests(text, 'x.yaml'), { name: 'CommandError', message }, text);
  }
});

test('manifests are read as Go reads YAML: yes is true, and a number that begins with a 0 is octal', () => {
  const text = `
apiVersion: v1
kind: ConfigMap
metadata: {name: m, annotations: {day: 2024-01-01, time: 22:22, said: "yes"}}
spec: {modes: [0644, 0o644, 420], flags: [yes, on, y, no, off, n]}`;
  const [found] = parseManifests(text, 'm.yaml');
  assert.deepEqual(found?.object, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name: 'm', annotations: { day: '2024-01-01', time: '22:22', said: 'yes' } },
    spec: { modes: [420, 420, 420], flags: [true, true, true, false, false, false] },
  });
});
