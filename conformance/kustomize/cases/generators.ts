/** ConfigMaps and Secrets that are made, their hashes, and names that follow them. */
import { type Case, oneFolder } from './case.ts';
import { configMap, deployment, documents } from './objects.ts';

const user = `apiVersion: v1
kind: Pod
metadata: {name: user}
spec:
  containers:
  - name: c
    image: x
    envFrom: [{configMapRef: {name: made}}, {secretRef: {name: hidden}}]
  volumes: [{name: v, configMap: {name: made}}]
`;

const all = `configMapGenerator:
- name: made
  literals: [a=b, "c=d=e", 'q="quoted"', "s='single'", "e="]
  files: [file.txt, other=file.txt, data.bin]
  envs: [vars.env]
secretGenerator:
- name: hidden
  type: kubernetes.io/tls
  literals: [tls.crt=x, tls.key=y]
  files: [long.txt]
`;

const files = {
  'file.txt': 'one\ntwo\n',
  'data.bin': Uint8Array.of(0xff, 0xfe, 0, 1, 2),
  'vars.env': '\ufeff# comment\nX=1\n\n  Y=a=b \nZ\r\nW = spaced\n=x\n',
  'long.txt': 'x'.repeat(300),
  'user.yaml': user,
};

const single = (name: string, generator: string, more = ''): Case =>
  oneFolder(name, `${more}configMapGenerator:\n${generator}`, files);

export const generators: readonly Case[] = [
  oneFolder('all sources, and names that follow', `resources: [user.yaml]\n${all}`, files),
  oneFolder(
    'all sources with a prefix and a namespace',
    `resources: [user.yaml]\nnamePrefix: p-\nnamespace: space\n${all}`,
    files,
  ),
  oneFolder(
    'options of one and of all',
    `${all}generatorOptions:\n  labels: {a: "1"}\n  annotations: {b: "2"}\n  immutable: true\n`,
    files,
  ),
  single('no hash', '- name: made\n  literals: [a=b]\n  options: {disableNameSuffixHash: true}\n'),
  single(
    'no hash for all',
    '- name: made\n  literals: [a=b]\n',
    'generatorOptions: {disableNameSuffixHash: true}\n',
  ),
  single(
    'options of its own win',
    '- name: made\n  literals: [a=b]\n  options: {labels: {a: own}, immutable: true}\n',
    'generatorOptions: {labels: {a: all, b: all}}\n',
  ),
  single('nothing in it', '- name: made\n'),
  single('a namespace', '- name: made\n  namespace: x\n  literals: [a=b]\n'),
  single('one file of variables', '- name: made\n  env: vars.env\n'),
  single('several lines', '- name: made\n  literals: ["a=x\\ny\\n"]\n'),
  single('HTML in it', '- name: made\n  literals: ["a=<b>&amp;\\u2028"]\n'),
  single('a key that is a number', '- name: made\n  literals: [b=1, a=2]\n'),
  single('no name', '- literals: [a=b]\n'),
  single('a literal without value', '- name: made\n  literals: [a]\n'),
  single('a literal without key', '- name: made\n  literals: ["=a"]\n'),
  single('a key twice', '- name: made\n  literals: [a=b, a=c]\n'),
  single('a missing file', '- name: made\n  files: [none.txt]\n'),
  single('a file without key', '- name: made\n  files: ["=file.txt"]\n'),
  single('a file with two keys', '- name: made\n  files: ["a=b=file.txt"]\n'),
  single('a folder', '- name: made\n  files: [.]\n'),
  single('the same twice', '- name: made\n  literals: [a=b]\n- name: made\n  literals: [a=c]\n'),
  single('merged into nothing', '- name: made\n  behavior: merge\n  literals: [a=b]\n'),
  single('an unknown behaviour', '- name: made\n  behavior: other\n  literals: [a=b]\n'),
  ...['merge', 'replace', 'create'].map(
    (behavior): Case => ({
      name: `behaviour: ${behavior}`,
      folder: 'top',
      files: {
        'base/kustomization.yaml': `resources: [user.yaml]\nnamePrefix: b-\nconfigMapGenerator:\n- name: made\n  literals: [a=b, c=d]\n  options: {labels: {from: base}}\nsecretGenerator:\n- name: hidden\n  literals: [s=t]\n`,
        'base/user.yaml': user,
        'top/kustomization.yaml': `resources: [../base]\nnameSuffix: -t\nconfigMapGenerator:\n- name: made\n  behavior: ${behavior}\n  literals: [c=new, e=f]\n  options: {labels: {from: top}, annotations: {from: top}}\nsecretGenerator:\n- name: hidden\n  behavior: ${behavior}\n  type: Own\n  literals: [u=v]\n`,
      },
    }),
  ),
  {
    name: 'merged into one that was there',
    folder: '.',
    files: {
      'kustomization.yaml':
        'resources: [a.yaml]\nconfigMapGenerator:\n- name: settings\n  behavior: merge\n  literals: [c=d]\n',
      'a.yaml': documents(configMap('settings'), deployment('web')),
    },
  },
  {
    name: 'merged by the name it got',
    folder: 'top',
    files: {
      'base/kustomization.yaml': 'namePrefix: b-\nconfigMapGenerator:\n- name: made\n  literals: [a=b]\n',
      'top/kustomization.yaml':
        'resources: [../base]\nconfigMapGenerator:\n- name: b-made\n  behavior: merge\n  literals: [c=d]\n',
    },
  },
  {
    name: 'a file outside of the folder',
    folder: 'app',
    files: {
      'secret.txt': 'x',
      'app/kustomization.yaml': 'configMapGenerator:\n- name: made\n  files: [../secret.txt]\n',
    },
  },
  {
    name: 'generated objects get hashes only at the end',
    folder: 'top',
    files: {
      'base/kustomization.yaml':
        'resources: [user.yaml]\nconfigMapGenerator:\n- name: made\n  literals: [a=b]\n',
      'base/user.yaml': user,
      'top/kustomization.yaml':
        'resources: [../base]\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: made}\n    data: {a: patched}\n',
    },
  },
];
