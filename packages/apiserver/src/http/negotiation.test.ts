import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isForPeople, negotiate, representations, unroutable } from './negotiation.ts';

it('an answer has the form that its client wants most, and the first of those that it wants alike', () => {
  const encoding = (accept: string) => negotiate(accept, []).encoding;
  assert.equal(encoding('application/json;q=0.1,application/yaml;q=0.9'), 'yaml');
  assert.equal(encoding('application/vnd.kubernetes.protobuf,application/json'), 'protobuf');
  assert.equal(encoding('application/json, application/vnd.kubernetes.protobuf'), 'json');
  assert.equal(encoding('text/html,application/yaml;q=0.5,*/*;q=0.8'), 'json');
  assert.equal(encoding('application/yaml;q=x,application/json;q=0.2'), 'json');
});

it('a client that names what it takes gets that before whatever else it would take', () => {
  const encoding = (accept: string) => negotiate(accept, []).encoding;
  assert.equal(encoding('*/*, application/yaml'), 'yaml');
  assert.equal(encoding('application/*, application/yaml'), 'yaml');
  assert.equal(encoding('*/*, application/*, application/vnd.kubernetes.protobuf'), 'protobuf');
  assert.equal(encoding('*/*;q=1, application/yaml;q=0.5'), 'yaml');
  assert.equal(encoding('application/yaml;q=0.5, */*'), 'json');
});

it('of a header made of clauses alone the first hundred are read', () => {
  const others = Array(100).fill('text/html').join();
  assert.throws(() => negotiate(`${others},application/json`, ['Table']), { code: 406 });
  assert.equal(
    negotiate(`${others.slice('text/html,'.length)},application/json`, ['Table']).encoding,
    'json',
  );
});

it('what a clause asks for beyond its type and nobody has is left to the next clause, a Table in protobuf too', () => {
  const table = 'as=Table;v=v1;g=meta.k8s.io';
  const asked = (accept: string) => {
    const { encoding, as } = negotiate(accept, representations);
    return `${encoding} ${as}`;
  };
  assert.equal(asked(`application/vnd.kubernetes.protobuf;${table},application/json;${table}`), 'json Table');
  assert.equal(asked(`application/vnd.kubernetes.protobuf;${table},application/yaml`), 'yaml object');
  assert.equal(asked('application/json;stream=watch'), 'json object');
  assert.equal(asked('application/json;sv=v1'), 'json object');
  assert.equal(asked('application/json;as=;g=; v='), 'json object');
  for (const clause of ['stream=x', 'sv=v2', 'g=meta.k8s.io', 'v=v1']) {
    assert.equal(asked(`application/json;${clause},application/yaml`), 'yaml object', clause);
    assert.throws(() => negotiate(`application/json;${clause}`, representations), { code: 406 }, clause);
  }
});

it('JSON is indented for browsers and tools of the keyboard, unless the parameter says otherwise', () => {
  for (const agent of ['curl/8.1', 'Wget/1.21', 'Mozilla/5.0 (X11)'])
    assert.equal(isForPeople('', agent), true);
  for (const agent of [undefined, 'kubectl/v1.36.2', 'not curl', 'wget'])
    assert.equal(isForPeople('', agent), false);
  for (const pretty of ['1', 't', 'TRUE', 'true']) assert.equal(isForPeople(pretty, 'kubectl'), true);
  for (const pretty of ['0', 'false', 'yes', 'tRUE']) assert.equal(isForPeople(pretty, 'curl'), false);
});

it('what names no type that is there is refused as by upstream’s router, and told of watches where lists are', () => {
  const message = (accept: string, isList: boolean) => unroutable(accept, isList)?.message;
  const types = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  assert.equal(
    message('text/html;q=1, x', false),
    `406: Not Acceptable\n\nAvailable representations: ${types}`,
  );
  assert.match(message('*', true) ?? '', /, application\/vnd\.kubernetes\.protobuf;stream=watch$/);
  for (const accept of ['', 'text/html, application/json;as=none', '*/*'])
    assert.equal(message(accept, false), undefined);
});
