import { readFileSync } from 'node:fs';
import { writeFileAtomicSync } from '@wherry/linux';
import { fnv1a32 } from '../../pod/container-hash.ts';

/** A record of upstream's kubelet: a document that ends with a checksum over how Go prints the rest (k8s.io/utils/dump). */
export interface StateForm<Stored> {
  /** How Go prints the document while its checksum is 0. */
  printed(stored: Stored): string;
  /** Records without a checksum are taken, too. */
  needsNoChecksum?: boolean;
}

/** Reads a record. Undefined where there is none; throws for one that can't be understood. */
function readState<Stored extends object>(path: string, form: StateForm<Stored>): Stored | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { checksum, ...stored } = JSON.parse(text) as Stored & { checksum: number };
  const rest = stored as unknown as Stored;
  const actual = checksumOf(form.printed(rest));
  if (checksum !== actual && !(checksum === 0 && form.needsNoChecksum))
    throw new Error(`checkpoint is corrupted: its checksum is not ${actual}`);
  return rest;
}

/** A record of a policy: where it is, and whose it has to be. */
export interface PolicyRecord<Stored> {
  path: string;
  policy: string;
  form: StateForm<Stored>;
}

/** Takes over what a record says, if there is one. Throws, with what to do, where it can't be read or is of another policy. */
export function takeState<Stored extends { policyName: string }>(
  { path, policy, form }: PolicyRecord<Stored>,
  take: (stored: Stored) => void,
): void {
  try {
    const stored = readState(path, form);
    if (!stored) return;
    if (stored.policyName !== policy)
      throw new Error(
        `configured policy "${policy}" differs from state checkpoint policy "${stored.policyName}"`,
      );
    take(stored);
  } catch (error) {
    throw new Error(
      `${path}: ${(error as Error).message}; drain this node, remove the file and start the kubelet again`,
      { cause: error },
    );
  }
}

/** Writes it, whole or not at all. */
export function writeState<Stored extends object>(
  path: string,
  stored: Stored,
  form: StateForm<Stored>,
): void {
  const text = JSON.stringify({ ...stored, checksum: checksumOf(form.printed(stored)) });
  writeFileAtomicSync(path, text);
}

const checksumOf = (printed: string) => fnv1a32(Buffer.from(printed, 'utf8'));

/** A map of strings as Go prints it: its keys in the order of their bytes. */
export function printedMap<Value>(
  map: Readonly<Record<string, Value>>,
  printed: (value: Value) => string,
): string {
  const entries = Object.entries(map).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `map[${entries.map(([key, value]) => `${key}:${printed(value)}`).join(' ')}]`;
}
