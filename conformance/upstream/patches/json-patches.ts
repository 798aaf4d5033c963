/** JSON patches by chance, whose pointers lead into an object and beside it. */
import { isJsonObject, type JsonValue } from '@wherry/kubeapi';
import type { SeededRandom } from '../../../packages/kubeapi/test/random-object.ts';
import { oddValues } from './blend.ts';

const operations = [
  'add',
  'add',
  'add',
  'replace',
  'replace',
  'replace',
  'remove',
  'remove',
  'test',
  'move',
  'copy',
];
const oddTokens = [
  '-',
  '0',
  '1',
  '99',
  '-1',
  '-9',
  '01',
  '1.5',
  '+1',
  'none',
  '',
  '~0',
  '~1',
  '~',
  '~2',
  'a~',
  ' ',
  'é',
];
const oddPointers = [
  '',
  '/',
  '//',
  'metadata',
  '/metadata/',
  '#/metadata',
  '/metadata/annotations/example.com~1n',
];
const oddOperations: readonly JsonValue[] = [
  ...[{}, null, 'x', 1, [], { op: 'add' }, { path: '/metadata/labels' }, { op: 'put', path: '/metadata' }],
  ...[
    { op: 'ADD', path: '/metadata/labels', value: {} },
    { op: 'add', path: '/metadata/labels' },
  ],
  ...[
    { op: 'test', path: '/metadata/none' },
    { op: 'test', path: '/metadata/none', value: null },
  ],
  ...[
    { op: 'move', path: '/metadata/labels' },
    { op: 'copy', from: 1, path: '/metadata/labels' },
  ],
  ...[
    { op: 'copy', from: '/none', path: '/metadata/labels' },
    { op: 'add', path: 1, value: 1 },
  ],
  ...[
    { op: 'move', from: '/metadata', path: '/metadata/labels' },
    { op: 'replace', path: '', value: null },
  ],
  ...[
    { op: 'replace', path: '', value: {} },
    { op: 'add', path: '', value: 'x' },
    { op: 'remove', path: '' },
  ],
  ...[
    { op: 'test', path: '', value: {} },
    { op: 'copy', from: '', path: '/spec' },
    { op: null, path: '/a' },
  ],
  ...[
    { op: 'remove', path: '/metadata/labels', value: 1, more: 2 },
    { op: 'copy', from: '/kind', path: '' },
  ],
  ...[
    { op: 'test', path: '/metadata/labels', value: null },
    { op: 'remove', path: '/metadata/name' },
  ],
  ...[
    { op: 'add', path: '/metadata/labels', value: null },
    { op: 'replace', path: '/kind', value: 'Other' },
  ],
];
const whole: readonly JsonValue[] = [[], {}, null, 'x', 1, true, [[]], { op: 'add' }];

/** A patch of what an object may be, said in several ways. */
export function jsonPatch(random: SeededRandom, ways: readonly JsonValue[]): JsonValue {
  if (random.below(25) === 0) return random.pick(whole);
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => operation(random, ways));
}

function operation(random: SeededRandom, ways: readonly JsonValue[]): JsonValue {
  if (random.below(14) === 0) return random.pick(oddOperations);
  const op = random.pick(operations);
  const path = pointer(random, random.pick(ways));
  const made = { op, path: path.text };
  if (op === 'move' || op === 'copy') return { ...made, from: pointer(random, random.pick(ways)).text };
  if (op === 'remove') return made;
  const there = random.below(4) > 0 ? path.value : pointer(random, random.pick(ways)).value;
  return { ...made, value: random.below(5) === 0 ? random.pick(oddValues) : there };
}

/** Where it leads, and what is there. */
function pointer(random: SeededRandom, way: JsonValue): { text: string; value: JsonValue } {
  if (random.below(20) === 0) return { text: random.pick(oddPointers), value: way };
  const tokens: string[] = [];
  let value = way;
  for (let depth = 0; depth < 1 || random.below(4) > 0; depth++) {
    const next = entries(value);
    if (next.length === 0) break;
    const [token, inner] = random.pick(next);
    tokens.push(token);
    value = inner;
  }
  if (random.below(7) === 0) tokens.splice(-1, 1, random.pick(oddTokens));
  if (random.below(12) === 0) tokens.push(random.pick(oddTokens));
  return { text: tokens.map((token) => `/${token}`).join(''), value };
}

function entries(value: JsonValue): [string, JsonValue][] {
  if (Array.isArray(value))
    return [...value.map((item, at): [string, JsonValue] => [String(at), item]), ['-', value[0] ?? null]];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, item]) => [
    name.replaceAll('~', '~0').replaceAll('/', '~1'),
    item,
  ]);
}
