/**
 * Writes src/generated/schema.ts and src/generated/types.ts from the facts of CRI v1: names, numbers and types.
 *
 *   node packages/cri/scripts/generate.ts [VERSION] [--into FOLDER]
 *
 * Reads api.proto of the Go module k8s.io/cri-api (default version below; needs Go), leaves its prose behind.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';

const generation = readGeneration(import.meta.dirname, 'v0.37.2');
const { version } = generation;

function readProto(): protobuf.Root {
  const folder = mkdtempSync(join(tmpdir(), 'cri-schema-'));
  try {
    writeFileSync(join(folder, 'go.mod'), 'module schema\n');
    const answer = execFileSync('go', ['mod', 'download', '-json', `k8s.io/cri-api@${version}`], {
      cwd: folder,
    });
    const module: { Dir: string } = JSON.parse(answer.toString());
    const text = readFileSync(join(module.Dir, 'pkg/apis/runtime/v1/api.proto'), 'utf8');
    return protobuf.parse(text, { keepCase: true }).root;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `pod_sandbox_id` → `podSandboxId`, `CDI_devices` → `cdiDevices`, `Avg10` → `avg10`. */
function camelCase(name: string): string {
  const [first = '', ...rest] = name.split('_');
  const head = /^[A-Z0-9]+$/.test(first) ? first.toLowerCase() : first[0]?.toLowerCase() + first.slice(1);
  return head + rest.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join('');
}

/** Times in nanoseconds pass 2^53; every other 64-bit number of CRI is a count that a double holds. */
const isNanoseconds = (name: string) => /(_at|^timestamp)$/.test(name);

const scalarTypes: Record<string, string> = { string: 'string', bool: 'boolean', bytes: 'Uint8Array' };

const root = readProto();
const scope = root.lookup('runtime.v1') as protobuf.Namespace;
const all = scope.nestedArray.flatMap((entry) => [
  entry,
  ...(entry instanceof protobuf.Type ? entry.nestedArray : []),
]);
const enums = all.filter((entry) => entry instanceof protobuf.Enum);
const messages = all.filter((entry) => entry instanceof protobuf.Type);
const services = all.filter((entry) => entry instanceof protobuf.Service);

function wireType(field: protobuf.Field): string {
  if (!/^(u?int64)$/.test(field.type)) return field.type;
  return isNanoseconds(field.name) ? `${field.type}:bigint` : field.type;
}

function typeOf(field: protobuf.Field): string {
  const wire = wireType(field);
  if (wire.endsWith(':bigint')) return 'bigint';
  if (scalarTypes[wire]) return scalarTypes[wire];
  return /^[a-z]/.test(wire) ? 'number' : wire;
}

const isMessage = (field: protobuf.Field) => messages.some((message) => message.name === field.type);

function schemaField(field: protobuf.Field): string {
  const kind = isMessage(field)
    ? field.type
    : enums.some((entry) => entry.name === field.type)
      ? 'enum'
      : wireType(field);
  const shape =
    field instanceof protobuf.MapField ? `map:${field.keyType}` : field.repeated ? 'repeated' : 'single';
  return `[${field.id}, '${camelCase(field.name)}', '${kind}', '${shape}']`;
}

function typeField(field: protobuf.Field): string {
  const name = camelCase(field.name);
  if (field instanceof protobuf.MapField) return `  ${name}: Record<string, ${typeOf(field)}>;`;
  if (field.repeated) return `  ${name}: ${typeOf(field)}[];`;
  return `  ${name}${isMessage(field) ? '?' : ''}: ${typeOf(field)}${isMessage(field) ? ' | undefined' : ''};`;
}

function schemaFile(): string {
  const messageLines = messages.map(
    (message) => `  ${message.name}: [${message.fieldsArray.map(schemaField).join(', ')}],`,
  );
  const serviceLines = services.flatMap((service) => [
    `  ${service.name}: {`,
    ...service.methodsArray.map(
      (method) =>
        `    ${camelCase(method.name)}: ['${method.name}', '${method.requestType}', '${method.responseType}', ${method.responseStream === true}],`,
    ),
    '  },',
  ]);
  return [
    "import type { MessageSchema, MethodSchema } from '../schema.ts';\n",
    'export const messages: Record<string, MessageSchema> = {',
    ...messageLines,
    '};\n',
    'export const services: Record<string, Record<string, MethodSchema>> = {',
    ...serviceLines,
    '};\n',
  ].join('\n');
}

function enumBlock(entry: protobuf.Enum): string[] {
  const values = Object.entries(entry.values).map(([name, value]) => `  ${name}: ${value},`);
  return [
    `export const ${entry.name} = {`,
    ...values,
    '} as const;',
    `export type ${entry.name} = (typeof ${entry.name})[keyof typeof ${entry.name}];\n`,
  ];
}

function serviceBlock(service: protobuf.Service): string[] {
  const methods = service.methodsArray.map(
    (method) =>
      `  ${camelCase(method.name)}: { request: ${method.requestType}; response: ${method.responseType}; stream: ${method.responseStream === true} };`,
  );
  return [`export interface ${service.name}Methods {`, ...methods, '}\n'];
}

function typesFile(): string {
  return [
    ...enums.flatMap(enumBlock),
    ...messages.flatMap((message) => [
      message.fieldsArray.length === 0
        ? `export type ${message.name} = Record<never, never>;\n`
        : `export interface ${message.name} {\n${message.fieldsArray.map(typeField).join('\n')}\n}\n`,
    ]),
    ...services.flatMap(serviceBlock),
  ].join('\n');
}

const source = `k8s.io/cri-api ${version}`;
writeGenerated(generation, { name: 'schema.ts', source, text: schemaFile() });
writeGenerated(generation, { name: 'types.ts', source, text: typesFile() });
console.log(
  `${messages.length} messages, ${enums.length} enums, ${services.length} services of CRI ${version}`,
);
