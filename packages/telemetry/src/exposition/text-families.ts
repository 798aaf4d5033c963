/** Types of families that are told of here. */
export type FamilyType = 'counter' | 'gauge' | 'histogram';

/** One line of figures; in a histogram its name says which of them it is. */
export interface Sample {
  name: string;
  labels: readonly (readonly [name: string, value: string])[];
  value: number;
  atMs: number | undefined;
}

/** A family of a page. */
export interface TextFamily {
  name: string;
  help: string;
  type: FamilyType;
  samples: Sample[];
}

/** What stands on a page that this package has written, in the text format 0.0.4. Families without figures are left out. */
export function readFamilies(page: string): TextFamily[] {
  const families: TextFamily[] = [];
  for (const line of page.split('\n')) {
    const [, name, help] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
    if (name !== undefined) families.push({ name, help: help ?? '', type: 'gauge', samples: [] });
    const family = families.at(-1);
    if (!family || line === '') continue;
    const [, type] = /^# TYPE \S+ (counter|gauge|histogram)$/.exec(line) ?? [];
    if (type !== undefined) family.type = type as FamilyType;
    else if (!line.startsWith('#')) family.samples.push(sampleOf(line));
  }
  return families.filter(({ samples }) => samples.length > 0);
}

function sampleOf(line: string): Sample {
  const open = line.indexOf('{');
  const close = line.lastIndexOf('}');
  const hasLabels = open >= 0;
  const end = hasLabels ? close + 1 : line.indexOf(' ');
  const [value = '', stamp] = line.slice(end).trim().split(' ');
  return {
    name: line.slice(0, hasLabels ? open : end),
    labels: hasLabels ? labelsOf(line.slice(open + 1, close)) : [],
    value: numberOf(value),
    atMs: stamp === undefined ? undefined : Number(stamp),
  };
}

function labelsOf(text: string): [string, string][] {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return [...pairs].map(([, name = '', value = '']) => [
    name,
    value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)),
  ]);
}

const infinite: ReadonlyMap<string, number> = new Map([
  ['+Inf', Infinity],
  ['-Inf', -Infinity],
]);

const numberOf = (text: string) => infinite.get(text) ?? Number(text);
