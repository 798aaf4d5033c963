import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encryptionText, keyOf, provider } from '../../test/test-encryption.ts';
import { readConfiguration } from './read-configuration.ts';

const read = (text: string) => readConfiguration(Buffer.from(text));
const forSecrets = (...providers: object[]) => encryptionText([{ resources: ['secrets'], providers }]);

it('an EncryptionConfiguration is read from YAML, in the order of its providers', () => {
  const rules = read(`
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets, '*.apps']
  providers:
  - aescbc:
      keys:
      - name: new
        secret: ${keyOf(1)}
      - name: old
        secret: ${keyOf(2)}
  - identity: {}
`);
  assert.deepEqual(
    rules.map(({ resources, providers }) => [
      resources,
      providers.map(({ kind, keys }) => [kind, keys.length]),
    ]),
    [
      [
        [
          { group: '', resource: 'secrets' },
          { group: 'apps', resource: '*' },
        ],
        [
          ['aescbc', 2],
          ['identity', 0],
        ],
      ],
    ],
  );
});

it('what an EncryptionConfiguration may not say is refused by the names of its fields', () => {
  const refused: [text: string, message: RegExp][] = [
    ['', /^the file is empty$/],
    ['kind: EncryptionConfig\napiVersion: v1', /^apiVersion must be apiserver\.config\.k8s\.io\/v1$/],
    [encryptionText([]), /^resources: Required value: at least one entry$/],
    [
      forSecrets({ aesgcm: { keys: [{ name: 'k', secret: 'eA==', comment: 'x' }] } }),
      /^unknown field "resources\[0\]\.providers\[0\]\.aesgcm\.keys\[0\]\.comment"$/,
    ],
    [
      forSecrets({ ...provider('aesgcm', { k: 1 }), identity: {} }),
      /providers\[0\]: Invalid value: names several providers/,
    ],
    [
      forSecrets({ aesgcm: { keys: [{ name: 'k', secret: 'eA==' }] } }),
      /keys\[0\]\.secret: Invalid value: "REDACTED": must be one of 16, 24, 32 bytes long, and is 1$/,
    ],
    [
      forSecrets({ kms: { name: 'k', endpoint: 'unix:///k' } }),
      /providers\[0\]\.kms\.apiVersion: Invalid value: "v1": KMS v1 is not known here; v2 is$/,
    ],
    [
      forSecrets({ kms: { apiVersion: 'v2', name: 'k', endpoint: 'https://k' } }),
      /providers\[0\]\.kms\.endpoint: Invalid value: "https:\/\/k": must be the path of a unix socket/,
    ],
    [
      forSecrets(...['k', 'k'].map((name) => ({ kms: { apiVersion: 'v2', name, endpoint: 'unix:///k' } }))),
      /^resources\[0\]\.providers\[1\]\.kms\.name: Invalid value: "k": another provider has that name$/,
    ],
    [
      encryptionText([
        { resources: ['*.*'], providers: [{ identity: {} }] },
        { resources: ['secrets'], providers: [{ identity: {} }] },
      ]),
      /^resources\[1\]\.resources\[0\]: Invalid value: "secrets": \*\.\* stands before it/,
    ],
  ];
  for (const [text, message] of refused) assert.throws(() => read(text), { message });
});

it('no key stands in what is said of a bad file', () => {
  const secret = 'c2VjcmV0LWtleS10aGF0LWlzLWluLXRoZS1maWxl';
  const bad = [
    `{"secret": "${secret}`,
    `a: ${secret}: b`,
    `secret: &${secret} x\nb: *${secret}x`,
    secret,
    forSecrets({ aesgcm: { keys: [{ name: 'k', secret }] } }),
    forSecrets({ aesgcm: { keys: [{ name: 'k', secret: [secret] }] } }),
    forSecrets({ aesgcm: secret }),
    forSecrets({ kms: { secret } }),
    encryptionText([{ resources: ['secrets'], providers: secret }]),
  ];
  for (const text of bad)
    assert.throws(
      () => read(text),
      (error: Error) => !`${error.stack}${JSON.stringify(error.cause ?? '')}`.includes(secret.slice(0, 8)),
      text,
    );
});
