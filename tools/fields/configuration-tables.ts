import type { FieldType } from '../../packages/kubelet/src/configuration/field-types.ts';
import type { FieldTable } from './table.ts';

/** `name type` of each field, parted by `;`, by message. */
export type Messages = Readonly<Record<string, string>>;

const factsOf = (messages: Messages, message: string) =>
  messages[message]?.split(';').map((field): [name: string, type: string] => {
    const [name = '', type = ''] = field.split(' ');
    return [name, type];
  });

/** Names of a message's fields; undefined where there is no such message. */
export const fieldNames = (messages: Messages, message: string): readonly string[] | undefined =>
  factsOf(messages, message)?.map(([name]) => name);

/** Tables of a configuration and of what is below it, by what its fields say of themselves. */
export function configurationTables(
  message: string,
  type: FieldType<unknown>,
  messages: Messages,
): FieldTable[] {
  const fields = Object.entries(type.fields ?? {});
  const typeOf = new Map(factsOf(messages, message));
  const claims = fields.map(([name, field]) => [
    name,
    field.fields ? { noEffect: `see ${messageOf(typeOf.get(name))} below` } : field.claim,
  ]);
  const below = fields.flatMap(([name, field]) =>
    field.fields ? configurationTables(messageOf(typeOf.get(name)), field, messages) : [],
  );
  return [{ message, fields: Object.fromEntries(claims) }, ...below];
}

/** Without the package that it comes from. */
const messageOf = (goType = ''): string => goType.replace(/^\*?(?:\w+\.)?/, '');
