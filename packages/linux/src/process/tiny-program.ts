/** Programs of a few hundred bytes of machine code, for processes that must cost next to nothing. */

/** e_machine of the ELF header. */
const elfMachines = { x64: 62, arm64: 183 } as const;
const base = 0x400000;
const headerBytes = 64;
const programHeaderBytes = 56;

/** Code for each kind of processor; it begins at its first byte and is never written to. */
export type MachineCode = Record<keyof typeof elfMachines, Buffer>;

/** Instructions of 32 bits each, as arm64 has them. */
export function wordsOf(words: readonly number[]): Buffer {
  const buffer = Buffer.alloc(words.length * 4);
  for (const [at, value] of words.entries()) buffer.writeUInt32LE(value, at * 4);
  return buffer;
}

/** The code as a static ELF file (elf(5)) with one loadable segment; null where there is none for this processor. */
export function tinyProgram(code: MachineCode, architecture: string = process.arch): Buffer | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null;
  const body = code[architecture];
  const start = headerBytes + programHeaderBytes;
  const size = BigInt(start + body.length);
  const header = Buffer.alloc(start);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(elfMachines[architecture], 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(base + start), 24);
  header.writeBigUInt64LE(BigInt(headerBytes), 32);
  header.writeUInt16LE(headerBytes, 52);
  header.writeUInt16LE(programHeaderBytes, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(1, headerBytes);
  header.writeUInt32LE(5, headerBytes + 4);
  header.writeBigUInt64LE(BigInt(base), headerBytes + 16);
  header.writeBigUInt64LE(BigInt(base), headerBytes + 24);
  header.writeBigUInt64LE(size, headerBytes + 32);
  header.writeBigUInt64LE(size, headerBytes + 40);
  header.writeBigUInt64LE(0x1000n, headerBytes + 48);
  return Buffer.concat([header, body]);
}
