/**
 * The process that holds a shared process namespace: a static program of some 150 bytes, made here so that it needs no
 * image and no compiler. As PID 1 it ignores SIGCHLD, which makes the kernel reap every orphan of the pod by itself
 * (wait(2), NOTES), and sleeps for ever.
 */
import { RuntimeError } from '../errors.ts';

interface Machine {
  /** e_machine of the ELF header. */
  elfMachine: number;
  code: Buffer;
}

/** rt_sigaction(SIGCHLD, &ignore, NULL, 8); for (;;) pause(); the sigaction structure lies right behind. */
const x64: Machine = {
  elfMachine: 62,
  code: Buffer.from(
    [
      'b80d000000', // mov eax, 13        rt_sigaction
      'bf11000000', // mov edi, 17        SIGCHLD
      '488d3517000000', // lea rsi, [rip+23]  the structure at offset 40
      '31d2', // xor edx, edx
      '41ba08000000', // mov r10d, 8
      '0f05', // syscall
      'b822000000', // mov eax, 34        pause
      '0f05', // syscall
      'ebf7', // jmp back to pause
      '00000000', // padding to 40
    ].join(''),
    'hex',
  ),
};

const arm64: Machine = {
  elfMachine: 183,
  code: wordsOf([
    0xd28010c8, // mov x8, 134   rt_sigaction
    0xd2800220, // mov x0, 17    SIGCHLD
    0x10000181, // adr x1, +48   the structure at offset 56
    0xd2800002, // mov x2, 0
    0xd2800103, // mov x3, 8
    0xd4000001, // svc 0
    0xd2800928, // mov x8, 73    ppoll, as arm64 has no pause
    0xd2800000, // mov x0, 0
    0xd2800001, // mov x1, 0
    0xd2800002, // mov x2, 0
    0xd2800003, // mov x3, 0
    0xd4000001, // svc 0
    0x17fffffa, // b back to ppoll
    0, // padding to 56
  ]),
};

function wordsOf(words: readonly number[]): Buffer {
  const buffer = Buffer.alloc(words.length * 4);
  for (const [at, value] of words.entries()) buffer.writeUInt32LE(value, at * 4);
  return buffer;
}

/** struct sigaction as the kernel has it: handler SIG_IGN, no flags, no restorer, empty mask. */
function ignoreAction(): Buffer {
  const action = Buffer.alloc(32);
  action.writeBigUInt64LE(1n, 0);
  return action;
}

const machines: ReadonlyMap<string, Machine> = new Map([
  ['x64', x64],
  ['arm64', arm64],
]);
const base = 0x400000;
const headerBytes = 64;
const programHeaderBytes = 56;

/** The program as an ELF file (elf(5)) with one loadable segment. Throws `RuntimeError` UNIMPLEMENTED on other machines. */
export function pauseProgram(architecture: string = process.arch): Buffer {
  const machine = machines.get(architecture);
  if (!machine)
    throw new RuntimeError('UNIMPLEMENTED', `shared process namespaces are not supported on ${architecture}`);
  const body = Buffer.concat([machine.code, ignoreAction()]);
  const start = headerBytes + programHeaderBytes;
  const size = BigInt(start + body.length);
  const header = Buffer.alloc(start);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(machine.elfMachine, 18);
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
