/** A spec as Ginkgo reports it. */
export interface SpecReport {
  LeafNodeText: string;
  ContainerHierarchyTexts: string[] | null;
  LeafNodeType: string;
  State: string;
  Failure?: { Message: string };
  /** Where it and what it stands in are written. */
  LeafNodeLocation?: SpecPlace;
  ContainerHierarchyLocations?: SpecPlace[] | null;
  /** It failed at first, and this is what came out when it ran again, with no other beside it. */
  SecondChance?: boolean;
}

/** Where something of a suite is written. */
export interface SpecPlace {
  FileName: string;
}

/** The spec's whole name, as focus and skip see it. */
export const specName = (spec: SpecReport) =>
  [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');

/** How a results page of a run is written. */
export interface SectionOptions {
  /** The flags of the run. */
  flags: string;
  date: Date;
  /** Why a spec may fail; undefined when it may not. */
  reasonOf(name: string): string | undefined;
  /** Whose the node is, and with it what fails; default `ours`. */
  whose?: 'ours' | 'theirs';
}

const clusterTitle = `# Kubernetes' own suite

On a whole node, or on one put together of the kubelet and the runtime that \`--kubelet\` and \`--runtime\` name, by
\`npm run conformance -- e2e\` with the flags of each heading.
`;

/** What came out of one run, as a section: counts by special interest group, and each spec that did not pass. */
export function resultsSection(
  specs: readonly SpecReport[],
  { flags, date, reasonOf, whose = 'ours' }: SectionOptions,
): string {
  const groups = Map.groupBy(specs, (spec) => /^\[(sig-[a-z-]+)\]/.exec(specName(spec))?.[1] ?? 'other');
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, of]) => `| ${group} | ${countPassed(of)} | ${of.length - countPassed(of)} |`);
  const failed = specs.filter(({ State }) => State !== 'passed');
  const late = countPassed(specs.filter(({ SecondChance }) => SecondChance));
  return [
    `## ${flags}`,
    '',
    `${date.toISOString().slice(0, 10)}: ${countPassed(specs)} of ${specs.length} specs passed${late > 0 ? `, ${late} of them alone, after a failure beside others` : ''}.`,
    '',
    '| group | passed | not passed |',
    '| --- | ---: | ---: |',
    ...rows,
    ...(failed.length > 0
      ? ['', 'Not passed:', '', ...failed.map((spec) => line(spec, reasonOf(specName(spec)), whose))]
      : []),
    '',
  ].join('\n');
}

/** The page with the section in place of the one of the same flags, or behind all others. */
export function withSection(page: string, section: string, title: string = clusterTitle): string {
  const [, ...others] = page.split(/^(?=## )/m).map((text) => `${text.trimEnd()}\n`);
  const heading = (text: string) => text.split('\n', 1)[0];
  const at = others.findIndex((text) => heading(text) === heading(section));
  others.splice(at < 0 ? others.length : at, at < 0 ? 0 : 1, section);
  return [title, ...others].join('\n');
}

/** Whether the page's section of these flags says that the spec did not pass. */
export function hasFailed(page: string, { flags, name }: { flags: string; name: string }): boolean {
  const section = page.split(/^(?=## )/m).find((text) => text.startsWith(`## ${flags}\n`));
  return section?.split('\n').some((text) => text.startsWith(`* ${name}: `)) ?? false;
}

/** The specs, and those of the list that are not among them. */
export function withMissing(specs: readonly SpecReport[], names: readonly string[]): SpecReport[] {
  const ran = new Set(specs.map(specName));
  const missing = names
    .filter((name) => !ran.has(name))
    .map((name) => ({
      ...{ LeafNodeText: name, ContainerHierarchyTexts: null, LeafNodeType: 'It', State: 'missing' },
      Failure: { Message: 'it did not run' },
    }));
  return [...specs, ...missing];
}

const countPassed = (specs: readonly SpecReport[]) => specs.filter(({ State }) => State === 'passed').length;

function line(spec: SpecReport, reason: string | undefined, whose: string): string {
  const [said = spec.State] = (spec.Failure?.Message ?? '').split('\n').filter((text) => text.trim() !== '');
  return `* ${specName(spec)}: ${reason ?? `**${whose}**: ${said.trim().slice(0, 200)}`}`;
}
