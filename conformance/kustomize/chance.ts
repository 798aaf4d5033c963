/** Objects and patches that chance makes: values of all sorts, and pods with lists that are merged. The same at each run. */
import { type Case, oneFolder } from './cases/case.ts';

/** Draws by a seed. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.#state / 2_147_483_648) * limit);
  }

  /** True so many times out of ten. */
  is(tenths: number): boolean {
    return this.below(10) < tenths;
  }

  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  text(from: readonly string[], most: number): string {
    return this.some(most, () => this.one(from)).join('');
  }
}

const characters = [
  ...[
    'a',
    'B',
    '0',
    '1',
    '9',
    '_',
    '-',
    '.',
    '/',
    ' ',
    ' ',
    '\t',
    '\n',
    '"',
    '\\',
    "'",
    ':',
    '#',
    '{',
    ']',
    ',',
  ],
  ...['&', '*', '!', '|', '>', '%', '@', '`', 'é', '中', 'yes', 'null', '=', '~', '?', '+', 'e', 'x', 'o'],
  'aaaaaaaaaa bbbbbbbbbbbb cccccccccc',
];
const likeNumbers = [
  ...[
    '0',
    '1',
    '7',
    '8',
    '9',
    '_',
    '-',
    '.',
    'e',
    'E',
    'x',
    'b',
    'o',
    '+',
    'f',
    'n',
    'i',
    'T',
    ':',
    't',
    'Z',
    'y',
  ],
  ...['2020-01-01', '~', 'null', 'true', 'inf', 'nan'],
];
/** What is no plain scalar, or another one than it seems. */
const noScalar = /^[-?:](?: |$)|: |:$|^[-.]{3}|^~./;

/** ConfigMaps with texts in quotes, in plain, and as keys. */
export function textsByChance(count: number): Case[] {
  const chance = new Chance(1);
  return Array.from({ length: count }, (_, at) => {
    const quoted = Array.from({ length: 12 }, () => `- ${JSON.stringify(chance.text(characters, 8))}\n`);
    const plain = Array.from({ length: 12 }, () => chance.text(likeNumbers, 4))
      .filter((text) => text !== '' && !noScalar.test(text))
      .map((text) => `- ${text}\n`);
    const deep = JSON.stringify(chance.text(characters, 11));
    const object = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nq:\n${quoted.join('')}p:\n- a\n${plain.join('')}d: {e: [f: ${deep}, [${deep}]], g: ${deep}}\n`;
    return oneFolder(`texts by chance ${at}`, 'resources: [a.yaml]\n', { 'a.yaml': object });
  });
}

type Fields = Record<string, unknown>;

/** Deployments, and patches of them. */
export function mergesByChance(count: number): Case[] {
  const chance = new Chance(7);
  return Array.from({ length: count }, (_, at) => {
    const target = chance.is(5) ? '  target: {kind: Deployment}\n' : '';
    return oneFolder(`merges by chance ${at}`, `resources: [a.json]\npatches:\n- path: p.json\n${target}`, {
      'a.json': JSON.stringify(new Workload(chance, false).make()),
      'p.json': JSON.stringify(new Workload(chance, true).make()),
    });
  });
}

/** A Deployment, or a patch of one: with nulls and directives. */
class Workload {
  readonly #chance: Chance;
  readonly #isPatch: boolean;

  constructor(chance: Chance, isPatch: boolean) {
    this.#chance = chance;
    this.#isPatch = isPatch;
  }

  make(): Fields {
    const metadata: Fields = { name: 'x' };
    this.#maybe(metadata, 'finalizers', 4, () => [...new Set(this.#texts(['f', 'g', 'h']))]);
    this.#maybe(metadata, 'labels', 4, () => this.#one([{ a: '1' }, { b: '2' }], [{ a: null }]));
    this.#maybe(metadata, 'ownerReferences', 2, () => this.#list(['uid'], () => ({ uid: this.#text('12') })));
    const spec: Fields = { template: { spec: this.#pod() } };
    const removed = [{ $patch: 'replace', type: 'B' }, { $patch: 'delete' }, null];
    this.#maybe(spec, 'strategy', 3, () => this.#one([{ type: 'A' }, { rollingUpdate: { x: 1 } }], removed));
    return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
  }

  #pod(): Fields {
    const pod: Fields = { containers: this.#list(['name'], () => this.#container()) };
    this.#maybe(pod, 'initContainers', 5, () => this.#list(['name'], () => this.#container()));
    this.#maybe(pod, 'volumes', 5, () => this.#list(['name'], () => this.#volume()));
    this.#maybe(pod, 'tolerations', 4, () => this.#texts(['a', 'b']).map((key) => ({ key })));
    this.#maybe(pod, 'imagePullSecrets', 3, () => this.#list(['name'], () => ({ name: this.#text('ab') })));
    this.#maybe(pod, 'hostAliases', 3, () =>
      this.#list(['ip'], () => ({ ip: this.#text('12'), hostnames: this.#texts(['h', 'i']) })),
    );
    this.#maybe(pod, 'topologySpreadConstraints', 3, () =>
      this.#list(['topologyKey', 'whenUnsatisfiable'], () => ({
        ...{ topologyKey: this.#text('ab'), whenUnsatisfiable: this.#text('XY') },
        maxSkew: this.#chance.below(3),
      })),
    );
    this.#maybe(pod, 'nodeSelector', 3, () =>
      this.#one([{ a: 'b' }, { c: 'd' }], [null, { a: null, e: 'f' }]),
    );
    return pod;
  }

  #container(): Fields {
    const container: Fields = { name: this.#text('abcd') };
    this.#maybe(container, 'image', 6, () => this.#one(['x', 'y'], [null]));
    this.#maybe(container, 'args', 4, () => this.#texts(['1', '2', '3']));
    this.#maybe(container, 'env', 5, () =>
      this.#list(['name'], () => ({ name: this.#text('ABC'), value: this.#text('12') })),
    );
    this.#maybe(container, 'ports', 5, () => this.#list(['containerPort', 'protocol'], () => this.#port()));
    this.#maybe(container, 'volumeMounts', 4, () =>
      this.#list(['mountPath'], () => ({ name: this.#text('vw'), mountPath: this.#text('12') })),
    );
    const limits = [{ limits: { cpu: null } }, { $patch: 'replace', requests: { cpu: '3' } }];
    this.#maybe(container, 'resources', 3, () => this.#one([{ limits: { cpu: '1' } }], limits));
    return container;
  }

  #port(): Fields {
    const port: Fields = { containerPort: this.#chance.one([80, 81, 82]) };
    this.#maybe(port, 'protocol', 5, () => this.#chance.one(['TCP', 'UDP']));
    this.#maybe(port, 'name', 4, () => this.#text('nm'));
    return port;
  }

  #volume(): Fields {
    const kinds = [{ emptyDir: {} }, { configMap: { name: 'q' } }];
    return {
      name: this.#text('vwz'),
      ...this.#one<Fields>(kinds, [{ emptyDir: null, hostPath: { path: '/' } }]),
    };
  }

  #text(letters: string): string {
    return this.#chance.one([...letters]);
  }

  #texts(from: readonly string[]): string[] {
    return this.#chance.some(3, () => this.#chance.one(from));
  }

  #one<T>(values: readonly T[], ofPatches: readonly unknown[]): T {
    return this.#chance.one(this.#isPatch ? [...values, ...ofPatches] : values) as T;
  }

  #maybe(fields: Fields, name: string, tenths: number, make: () => unknown): void {
    if (this.#chance.is(tenths)) fields[name] = make();
  }

  /** No two items have the same keys; those of a patch may say what becomes of others. */
  #list(keys: readonly string[], make: () => Fields): Fields[] | null {
    const chance = this.#chance;
    const made = chance.some(3, make);
    const items = [...new Map(made.map((item) => [keys.map((key) => item[key]).join('/'), item])).values()];
    if (!this.#isPatch) return items;
    if (chance.is(1)) return null;
    const directive = { $patch: chance.one(['replace', 'delete', 'merge']) };
    if (chance.is(1)) items.splice(chance.below(items.length + 1), 0, directive);
    if (chance.is(1) && items.length > 0) Object.assign(chance.one(items), directive);
    return items;
  }
}
