/** Writes schemas and types of gRPC APIs from upstream's `.proto` files: names, numbers and types, never the prose. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import protobuf from 'protobufjs';

/** Parses one file of a Go module (needs Go). */
export function readProto(module: string, version: string, path: string): protobuf.Root {
  const folder = mkdtempSync(join(tmpdir(), 'proto-schema-'));
  try {
    writeFileSync(join(folder, 'go.mod'), 'module schema\n');
    const answer = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: folder });
    const found: { Dir: string } = JSON.parse(answer.toString());
    return protobuf.parse(readFileSync(join(found.Dir, path), 'utf8'), { keepCase: true }).root;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What of an API is written down. */
export interface ProtoParts {
  messages: readonly protobuf.Type[];
  enums: readonly protobuf.Enum[];
  services: readonly protobuf.Service[];
  /** Name in TypeScript; default: the last part of its own. */
  nameOf?(entry: protobuf.Type | protobuf.Enum): string;
  /** Whether a 64-bit number of that name passes 2^53; default: none does. */
  isBig?(name: string): boolean;
}

/** Services by name, with all messages and enumerations that they lead to, in the order in which they are met. */
export function partsOf(scope: protobuf.Namespace, services: readonly string[]): ProtoParts {
  const found = new Set<protobuf.Type | protobuf.Enum>();
  const visit = (entry: protobuf.ReflectionObject | null) => {
    if (!(entry instanceof protobuf.Type || entry instanceof protobuf.Enum) || found.has(entry)) return;
    found.add(entry);
    if (entry instanceof protobuf.Type)
      for (const field of entry.fieldsArray) visit(field.resolve().resolvedType);
  };
  const chosen = services.map((name) => scope.lookupService(name));
  for (const { methodsArray } of chosen)
    for (const { requestType, responseType } of methodsArray)
      for (const name of [requestType, responseType]) visit(scope.lookupType(name));
  const nameOf = (entry: protobuf.ReflectionObject): string => {
    const isNested = entry.parent instanceof protobuf.Type;
    return (isNested ? nameOf(entry.parent as protobuf.Type) : '') + entry.name;
  };
  return {
    messages: [...found].filter((entry) => entry instanceof protobuf.Type),
    enums: [...found].filter((entry) => entry instanceof protobuf.Enum),
    services: chosen,
    nameOf,
  };
}

/** `pod_sandbox_id` → `podSandboxId`, `CDI_devices` → `cdiDevices`, `Avg10` → `avg10`. */
function camelCase(name: string): string {
  const [first = '', ...rest] = name.split('_');
  const head = /^[A-Z0-9]+$/.test(first) ? first.toLowerCase() : first[0]?.toLowerCase() + first.slice(1);
  return head + rest.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join('');
}

const scalarTypes: Record<string, string> = { string: 'string', bool: 'boolean', bytes: 'Uint8Array' };

/** The two texts of an API. */
export class ProtoSchema {
  readonly #parts: ProtoParts;

  constructor(parts: ProtoParts) {
    this.#parts = parts;
  }

  /** `messages` and `services` as values. */
  schema(): string {
    const { messages, services } = this.#parts;
    const messageLines = messages.map(
      (message) =>
        `  ${this.#name(message)}: [${message.fieldsArray.map((field) => this.#schemaField(field)).join(', ')}],`,
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
      'export const messages: Record<string, MessageSchema> = {',
      ...messageLines,
      '};\n',
      'export const services: Record<string, Record<string, MethodSchema>> = {',
      ...serviceLines,
      '};\n',
    ].join('\n');
  }

  /** The same as types. */
  types(): string {
    const { messages, enums, services } = this.#parts;
    return [
      ...enums.flatMap((entry) => this.#enumBlock(entry)),
      ...messages.map((message) => {
        const fields = message.fieldsArray.map((field) => this.#typeField(field)).join('\n');
        return fields === ''
          ? `export type ${this.#name(message)} = Record<never, never>;\n`
          : `export interface ${this.#name(message)} {\n${fields}\n}\n`;
      }),
      ...services.flatMap(serviceBlock),
    ].join('\n');
  }

  #name(entry: protobuf.Type | protobuf.Enum): string {
    return this.#parts.nameOf?.(entry) ?? entry.name;
  }

  #messageOf(field: protobuf.Field): protobuf.Type | undefined {
    const found = this.#parts.messages.filter(({ name }) => name === field.type.split('.').at(-1));
    if (found.length < 2) return found[0];
    return field.resolve().resolvedType as protobuf.Type;
  }

  #enumOf(field: protobuf.Field): protobuf.Enum | undefined {
    const found = this.#parts.enums.filter(({ name }) => name === field.type.split('.').at(-1));
    if (found.length < 2) return found[0];
    return field.resolve().resolvedType as protobuf.Enum;
  }

  #wireType(field: protobuf.Field): string {
    if (!/^(u?int64)$/.test(field.type)) return field.type;
    return this.#parts.isBig?.(field.name) ? `${field.type}:bigint` : field.type;
  }

  #typeOf(field: protobuf.Field): string {
    const named = this.#messageOf(field) ?? this.#enumOf(field);
    if (named) return this.#name(named);
    const wire = this.#wireType(field);
    if (wire.endsWith(':bigint')) return 'bigint';
    return scalarTypes[wire] ?? 'number';
  }

  #schemaField(field: protobuf.Field): string {
    const message = this.#messageOf(field);
    const kind = message ? this.#name(message) : this.#enumOf(field) ? 'enum' : this.#wireType(field);
    const shape =
      field instanceof protobuf.MapField ? `map:${field.keyType}` : field.repeated ? 'repeated' : 'single';
    return `[${field.id}, '${camelCase(field.name)}', '${kind}', '${shape}']`;
  }

  #typeField(field: protobuf.Field): string {
    const name = camelCase(field.name);
    const type = this.#typeOf(field);
    if (field instanceof protobuf.MapField) return `  ${name}: Record<string, ${type}>;`;
    if (field.repeated) return `  ${name}: ${type}[];`;
    return this.#messageOf(field) ? `  ${name}?: ${type} | undefined;` : `  ${name}: ${type};`;
  }

  #enumBlock(entry: protobuf.Enum): string[] {
    const name = this.#name(entry);
    return [
      `export const ${name} = {`,
      ...Object.entries(entry.values).map(([key, value]) => `  ${key}: ${value},`),
      '} as const;',
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];\n`,
    ];
  }
}

function serviceBlock(service: protobuf.Service): string[] {
  const methods = service.methodsArray.map(
    (method) =>
      `  ${camelCase(method.name)}: { request: ${method.requestType}; response: ${method.responseType}; stream: ${method.responseStream === true} };`,
  );
  return [`export interface ${service.name}Methods {`, ...methods, '}\n'];
}
