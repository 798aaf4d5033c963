import type { Declaration, PackageTypes } from '../release/api-report.ts';

/** The public types of a package as markdown: each entry's names with what their doc comments say. */
export function apiPage(name: string, { entries, behind }: PackageTypes): string {
  const parts = entries.map(({ name: entry, declarations, again }) => {
    const before = again.length > 0 ? [`Also here: ${again.map((word) => `\`${word}\``).join(', ')}.`] : [];
    return [
      `## \`${entry}\``,
      ...declarations.filter(isShown).map(describe),
      only(declarations),
      ...before,
    ].join('\n\n');
  });
  const rest = behind.filter(isShown);
  if (rest.length > 0) parts.push(['## What these stand on', ...rest.map(describe)].join('\n\n'));
  return `# Public types of ${name}\n\n${parts.join('\n\n')}\n`;
}

/** Generated types and those of other packages have no code here. */
const isShown = ({ name, text }: Declaration) => !text.startsWith(`${name}: `);

const only = (declarations: readonly Declaration[]) =>
  declarations
    .filter((declaration) => !isShown(declaration))
    .map(({ text }) => `\`${text}\``)
    .join(' · ');

function describe({ name, text, doc }: Declaration): string {
  const words = doc.replace(/\{@link ([^}]+)\}/g, '`$1`');
  return `### ${name}\n\n${words}\n\n\`\`\`ts\n${text}\n\`\`\``;
}
