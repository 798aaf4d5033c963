/** Reads feature gates out of Go source that gofmt has laid out. */

const namePattern = /^\s+(\w+)\s+(?:\w+\.)?Feature\s*=\s*"(\w+)"/gm;
const entryPattern = /^(?:\t+)(?:\w+\.)?(\w+): \{\n((?:\t+\{.*\n|\t+\/\/.*\n)+)\t+\}/gm;
const specPattern =
  /MustParse\("1\.(\d+)"\), Default: (true|false), (?:LockToDefault: (true|false), )?PreRelease: (?:\w+\.)?"?(\w*)"?(?:, LockToDefault: (true))?/g;

/** By gate: `Beta true`, `GA true locked`: what holds in the given minor release. */
export function featureGates(sources: readonly string[], minor: number): Record<string, string> {
  const names = new Map<string, string>();
  for (const source of sources)
    for (const [, constant = '', name = ''] of source.matchAll(namePattern)) names.set(constant, name);
  const gates: [string, string][] = [];
  for (const source of sources) {
    for (const [, constant = '', body = ''] of source.matchAll(entryPattern)) {
      const specs = [...body.matchAll(specPattern)].filter(([, since]) => Number(since) <= minor);
      const last = specs.at(-1);
      if (!last) continue;
      const [, , initial, before, stage = '', after] = last;
      const locked = before === 'true' || after ? ' locked' : '';
      gates.push([
        names.get(constant) ?? constant,
        `${stage.replace('PreAlpha', 'Alpha')} ${initial}${locked}`,
      ]);
    }
  }
  gates.push(['AllAlpha', 'Alpha false'], ['AllBeta', 'Beta false']);
  return Object.fromEntries(gates.sort(([a], [b]) => (a < b ? -1 : 1)));
}
