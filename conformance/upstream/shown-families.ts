/** A family of metrics as a page in the text format shows it. */
export interface ShownFamily {
  type: string;
  /** Names of the labels of each series, in alphabetical order, that of buckets left out. */
  labels: readonly (readonly string[])[];
  /** Upper bounds of the first series of a histogram. */
  bounds: readonly number[];
}

/** The families of pages, by name. */
export function shownFamilies(pages: Iterable<string>): ReadonlyMap<string, ShownFamily> {
  const families = new Map<string, ShownFamily & { labels: string[][]; bounds: number[] }>();
  for (const line of [...pages].flatMap((page) => page.split('\n'))) {
    const [, declared = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (declared && !families.has(declared)) families.set(declared, { type, labels: [], bounds: [] });
    const [, name = '', text = ''] = /^([a-z_]\w*)(?:\{(.*)\})? /.exec(line) ?? [];
    const whole = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
    if (line.startsWith('#') || !whole) continue;
    const labels = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    const names = labels.map(([, label = '']) => label).sort();
    if (names.includes('le')) addBound(whole, labels);
    else whole.labels.push(names);
  }
  return families;
}

/** Each bound once: those of the first series, which the others repeat. */
function addBound({ bounds }: { bounds: number[] }, labels: readonly RegExpExecArray[]): void {
  const bound = Number(labels.find(([, name]) => name === 'le')?.[2]);
  if (Number.isFinite(bound) && !bounds.includes(bound)) bounds.push(bound);
}
