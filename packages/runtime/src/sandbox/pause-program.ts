/**
 * The process that holds a shared process namespace: a static program of some 150 bytes, made here so that it needs no
 * image and no compiler. As PID 1 it ignores SIGCHLD, which makes the kernel reap every orphan of the pod by itself
 * (wait(2), NOTES), and sleeps for ever.
 */
import { tinyProgram, wordsOf } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

/** rt_sigaction(SIGCHLD, &ignore, NULL, 8); for (;;) pause(); the sigaction structure lies right behind. */
const x64 = Buffer.from(
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
);

const arm64 = wordsOf([
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
]);

/** struct sigaction as the kernel has it: handler SIG_IGN, no flags, no restorer, empty mask. */
function ignoreAction(): Buffer {
  const action = Buffer.alloc(32);
  action.writeBigUInt64LE(1n, 0);
  return action;
}

/** The program. Throws `RuntimeError` UNIMPLEMENTED on other machines. */
export function pauseProgram(architecture: string = process.arch): Buffer {
  const action = ignoreAction();
  const code = { x64: Buffer.concat([x64, action]), arm64: Buffer.concat([arm64, action]) };
  const program = tinyProgram(code, architecture);
  if (program) return program;
  throw new RuntimeError('UNIMPLEMENTED', `shared process namespaces are not supported on ${architecture}`);
}
