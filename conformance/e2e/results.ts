import { reasonOf } from './reasons.ts';

/** A spec as Ginkgo reports it. */
export interface SpecReport {
  LeafNodeText: string;
  ContainerHierarchyTexts: string[] | null;
  LeafNodeType: string;
  State: string;
  Failure?: { Message: string };
}

/** The spec's whole name, as focus and skip see it. */
export const specName = (spec: SpecReport) =>
  [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');

/** What came out, as the page that is kept: counts by special interest group, and each spec that did not pass. */
export function resultsPage(
  specs: readonly SpecReport[],
  { focus, skip, date }: { focus: string; skip: string; date: Date },
): string {
  const groups = Map.groupBy(specs, (spec) => /^\[(sig-[a-z-]+)\]/.exec(specName(spec))?.[1] ?? 'other');
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, of]) => `| ${group} | ${countPassed(of)} | ${of.length - countPassed(of)} |`);
  const failed = specs.filter(({ State }) => State !== 'passed');
  return [
    "# Kubernetes' own suite",
    '',
    `\`npm run conformance -- e2e --focus '${focus}' --skip '${skip}'\` on a whole node, ${date.toISOString().slice(0, 10)}:`,
    `${countPassed(specs)} of ${specs.length} specs passed.`,
    '',
    '| group | passed | not passed |',
    '| --- | ---: | ---: |',
    ...rows,
    ...(failed.length > 0 ? ['', '## Not passed', '', ...failed.map(line)] : []),
    '',
  ].join('\n');
}

const countPassed = (specs: readonly SpecReport[]) => specs.filter(({ State }) => State === 'passed').length;

function line(spec: SpecReport): string {
  const name = specName(spec);
  const [said = spec.State] = (spec.Failure?.Message ?? '').split('\n').filter((text) => text.trim() !== '');
  return `* ${name}: ${reasonOf(name) ?? `**ours**: ${said.trim().slice(0, 200)}`}`;
}
