/** Prints the schema as compact data: one line of text per message, read lazily by src/schema/schema.ts. */
import type { Model, ModelField } from './model.ts';
import type { SourcePackage } from './sources.ts';

const fieldText = (field: ModelField) => [field.name, field.number, field.type, ...field.flags].join(' ');
const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The text of generated/schema.ts. */
export function writeSchema(model: Model, packages: SourcePackage[]): string {
  const lines = [
    '/** One package of the generated schema. */',
    'export interface PackageFacts {',
    '  group: string;',
    '  version: string;',
    '  openApiPrefix: string;',
    '  messages: Record<string, string>;',
    '}',
    '',
    '/** By the name of a message: flags | fields; a field is `name number type flags`, fields are parted by `;`. */',
    'export const packages: PackageFacts[] = [',
  ];
  for (const source of packages) {
    lines.push(
      `  { group: ${quote(source.group)}, version: ${quote(source.version)}, openApiPrefix: ${quote(source.openApiPrefix)}, messages: {`,
    );
    for (const message of model.messages.filter((entry) => entry.source === source)) {
      const flags = [...message.flags];
      if (message.isKind) flags.push('kind');
      if (message.upstreamName !== message.name) flags.push(`as=${message.upstreamName}`);
      lines.push(
        `    ${message.name}: ${quote(`${flags.join(' ')}|${message.fields.map(fieldText).join(';')}`)},`,
      );
    }
    lines.push('  } },');
  }
  lines.push('];', '', '/** Closed sets of strings. */', 'export const enums: Record<string, string> = {');
  for (const [name, values] of model.enums) lines.push(`  ${name}: ${quote(values.join(' '))},`);
  lines.push('};', '');
  return lines.join('\n');
}
