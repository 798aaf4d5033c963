/** Reads struct fields, tags, markers and string constants out of Go source that gofmt has laid out. */

/** One struct field as Go declares it. */
export interface GoField {
  goType: string;
  tags: Map<string, string>;
  /** Markers above the field (`+listType=map`), without the plus; `true` where the marker has no value. */
  markers: Markers;
}

/** Markers of one declaration. */
export type Markers = ReadonlyMap<string, string | true>;

/** A struct with its own markers. */
export interface GoStruct {
  fields: GoField[];
  markers: Markers;
}

/** What one Go package declares. */
export interface GoPackage {
  structs: Map<string, GoStruct>;
  /** Named types that are not structs: `RestartPolicy` → `string`. */
  aliases: Map<string, string>;
  /** Types marked as closed sets of strings, with their values. */
  enums: Map<string, string[]>;
  /** Slice types that protobuf wraps into a message of their own (`ExtraValue`). */
  wrappedSlices: Set<string>;
  /** String constants by name; defaults refer to them. */
  constants: Map<string, string>;
}

const fieldPattern = /^\t(?:\w+\s+)?([\w.*[\]{}]+)\s+`([^`]*)`/;
const constantPattern = /^\s+(\w+)(?:\s+(\w+))?\s*=\s*"([^"]*)"/;
const structPattern = /^type (\w+) struct ?\{/;
const aliasPattern = /^type (\w+) (?:= )?(string|bool|u?int\d*|float64|\[\].+|map\[.+|\w+)$/;

/** Parses the files of one package; what it does not recognise (functions, interfaces) is skipped. */
export function parseGoPackage(files: string[]): GoPackage {
  const found: GoPackage = {
    structs: new Map(),
    aliases: new Map(),
    enums: new Map(),
    wrappedSlices: new Set(),
    constants: new Map(),
  };
  for (const text of files) parseFile(text, found);
  return found;
}

function parseFile(text: string, found: GoPackage): void {
  let markers = new Map<string, string | true>();
  let struct: GoStruct | undefined;
  for (const line of text.split('\n')) {
    if (/^\s*\/\//.test(line)) {
      noteMarker(markers, line);
      continue;
    }
    const name = structPattern.exec(line)?.[1];
    if (name) {
      struct = { fields: [], markers };
      found.structs.set(name, struct);
      if (line.endsWith('}')) struct = undefined;
    } else if (line === '}') struct = undefined;
    else if (struct) noteField(struct, markers, line);
    else noteDeclaration(found, markers, line);
    markers = new Map();
  }
}

function noteMarker(markers: Map<string, string | true>, line: string): void {
  const match = /^\s*\/\/ ?\+([\w:./-]+)(?:\([^)]*\))?(?:=(.*))?$/.exec(line);
  if (!match) return;
  const [, name = '', value] = match;
  const earlier = name === 'listMapKey' ? markers.get(name) : undefined;
  markers.set(name, earlier ? `${earlier},${value}` : (value?.trim() ?? true));
}

function noteField(struct: GoStruct, markers: Markers, line: string): void {
  const field = fieldPattern.exec(line);
  if (field) struct.fields.push({ goType: field[1]!, tags: parseTags(field[2]!), markers });
}

function noteDeclaration(found: GoPackage, markers: Markers, line: string): void {
  const constant = constantPattern.exec(line);
  if (constant) {
    found.constants.set(constant[1]!, constant[3]!);
    if (constant[2]) found.enums.get(constant[2])?.push(constant[3]!);
  }
  const alias = aliasPattern.exec(line);
  if (!alias) return;
  found.aliases.set(alias[1]!, alias[2]!);
  if (markers.has('enum')) found.enums.set(alias[1]!, []);
  if (markers.has('protobuf.nullable')) found.wrappedSlices.add(alias[1]!);
}

function parseTags(text: string): Map<string, string> {
  return new Map([...text.matchAll(/(\w+):"((?:[^"\\]|\\.)*)"/g)].map((match) => [match[1]!, match[2]!]));
}
