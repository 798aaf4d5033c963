import { claimedFile } from './check.ts';
import type { FieldClaim, FieldDocument, FieldRemark } from './table.ts';

const escaped = (text: string) => text.replaceAll('|', '\\|');

/** The page as it stands in docs/fields. */
export function fieldsMarkdown({ title, about, tables }: FieldDocument): string {
  const head = `<!-- Made by \`node tools/fields/write.ts\`; edit the tables it reads, not this page. -->\n\n# ${title}\n\n${about}\n`;
  const sections = tables.map(({ message, fields }) => {
    const rows = Object.entries(fields).map(([name, claim]) => `| \`${name}\` | ${cell(claim)} |`);
    return `\n## ${message}\n\n| field | what is made of it |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return head + sections.join('');
}

function cell({ actedOn = [], refused = [], warned = [], sets, noEffect }: FieldClaim): string {
  const links = actedOn.map((name) => `[${name}](../../${claimedFile(name)})`);
  return [
    ...(links.length > 0 ? [`acted on in ${links.join(', ')}`] : []),
    ...(sets ? [`sets \`${sets}\``] : []),
    ...refused.map((entry) => remark('refused', entry)),
    ...warned.map((entry) => remark('warned of', entry)),
    ...(noEffect ? [`no effect: ${escaped(noEffect)}`] : []),
  ].join('; ');
}

function remark(verb: string, { values, why, by }: FieldRemark): string {
  const which = values ? ` (${escaped(values)})` : '';
  const where = by ? ` in [${by}](../../${claimedFile(by)})` : '';
  return `**${verb}**${which}${where}: ${escaped(why)}`;
}
