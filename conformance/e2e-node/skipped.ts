import { type SpecReport, specName } from '../e2e/results.ts';

const labels = /\[(Serial|Slow|Disruptive|Flaky|Feature:[^\]]*)\]/;

/** Whether the spec, or what it stands in, is written in `test/e2e_node`, and not in what that shares with other suites. */
export function isOfNodeSuite({ LeafNodeLocation, ContainerHierarchyLocations }: SpecReport): boolean {
  const places = [...(ContainerHierarchyLocations ?? []), ...(LeafNodeLocation ? [LeafNodeLocation] : [])];
  return places.some(({ FileName }) => FileName.includes('/test/e2e_node/'));
}

/** Why a spec did not run: what it said itself, or else what it is labelled with. */
function kindOf(spec: SpecReport): string {
  const [said] = (spec.Failure?.Message ?? '').split('\n').filter((line) => line.trim() !== '');
  if (said !== undefined) return said.trim();
  const [label] = labels.exec(specName(spec)) ?? [];
  return label === undefined
    ? 'neither chosen nor labelled'
    : `\`${label.replace(/Feature:.*/, 'Feature:…]')}\``;
}

/** How many specs did not run, by why. */
export function skippedTable(skipped: readonly SpecReport[]): string {
  if (skipped.length === 0) return '';
  const kinds = [...Map.groupBy(skipped, kindOf)].sort(([, a], [, b]) => b.length - a.length);
  const rows = kinds.map(([kind, of]) => `| ${kind.replaceAll('|', '\\|')} | ${of.length} |`);
  return ['| not run: what they say, or are labelled with | specs |', '| --- | ---: |', ...rows, ''].join(
    '\n',
  );
}
