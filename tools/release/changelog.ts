/**
 * The part of a changelog that tells of one version: the lines below its `## VERSION` heading up to the next. Throws
 * where there is none.
 */
export function changelogOf(version: string, changelog: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/[\s(]/, 1)[0] === version);
  if (!section) throw new Error(`CHANGELOG.md: no section "## ${version}"`);
  return `${section.slice(section.indexOf('\n') + 1).trim()}\n`;
}
