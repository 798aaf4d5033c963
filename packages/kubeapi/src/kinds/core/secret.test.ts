import assert from 'node:assert/strict';
import { it } from 'node:test';
import { secret } from './secret.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64');
const problems = (type: string, data: Record<string, string>) =>
  secret.validate!({ metadata: { name: 's' }, type, data } as never).map(
    ({ field, body }) => `${field}: ${body}`,
  );

it('what registries are logged in to by is an object in JSON, and no part of it is shown', () => {
  for (const [type, key] of [
    ['kubernetes.io/dockerconfigjson', '.dockerconfigjson'],
    ['kubernetes.io/dockercfg', '.dockercfg'],
  ] as const) {
    const told = (text: string) => problems(type, { [key]: encoded(text) });
    const place = `data[${key}]: Invalid value: "<secret contents redacted>": `;
    for (const text of ['{}', '{"auths":{}}', ' null ']) assert.deepEqual(told(text), [], text);
    assert.deepEqual(told('x'), [`${place}invalid character 'x' looking for beginning of value`]);
    assert.deepEqual(told(''), [`${place}unexpected end of JSON input`]);
    assert.deepEqual(told('[]'), [
      `${place}json: cannot unmarshal array into Go value of type map[string]interface {}`,
    ]);
    assert.deepEqual(problems(type, {}), [`data[${key}]: Required value`]);
  }
});

it('a key for SSH is there, and not empty', () => {
  const required = ['data[ssh-privatekey]: Required value'];
  assert.deepEqual(problems('kubernetes.io/ssh-auth', {}), required);
  assert.deepEqual(problems('kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }), required);
  assert.deepEqual(problems('kubernetes.io/ssh-auth', { 'ssh-privatekey': encoded('k') }), []);
});
